# Compiler settings and the functions that declare libraries, tools and tests.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# Assertions check invariants of ours and stay on in every build: a wrong
# result costs more than the check.
foreach(config RELEASE RELWITHDEBINFO MINSIZEREL)
  string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_${config}
    "${CMAKE_C_FLAGS_${config}}")
endforeach()

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow
  -Wstrict-prototypes -Wmissing-prototypes)
# Constants of enumerations are numbers here, which may be compared with others.
add_compile_options($<$<C_COMPILER_ID:Clang>:-Wno-enum-float-conversion>)
if(XC_WERROR)
  add_compile_options(-Werror)
endif()
if(XC_SANITIZE)
  # Stacks have lines; more would double the time that the build takes.
  add_compile_options(-fsanitize=${XC_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -O1 -g1)
  add_link_options(-fsanitize=${XC_SANITIZE})
  # What the checks say lies in data full of addresses, which a program at a
  # fixed address has from the start.
  string(APPEND CMAKE_EXE_LINKER_FLAGS " -no-pie")
endif()

# Every program is linked against libMLIR: with LLVM's linker in a seventh of the
# processor time that GNU's takes.
find_program(XC_LLD ld.lld HINTS /usr/lib/llvm-22/bin)
if(XC_LLD)
  get_filename_component(lld_directory ${XC_LLD} DIRECTORY)
  add_link_options(-fuse-ld=lld -B${lld_directory})
endif()

# Products are rounded before they are added on every processor: fix points that
# are chosen on one machine are those of another.
add_compile_options(-ffp-contract=off)

# What is installed finds libMLIR and libLLVM where the linker found them: their
# directory is none that the loader searches by itself.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# Paths of the build machine must not reach the binaries.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)

include_directories(${PROJECT_SOURCE_DIR}/include)

# xc_find_library(NAME HEADER PACKAGE)
# Makes NAME the library of that name: a missing one is an error here, not of the
# linker at the end of the build.
function(xc_find_library name header package)
  find_path(XC_${name}_INCLUDE_DIR ${header})
  find_library(XC_${name}_LIBRARY ${name})
  if(NOT XC_${name}_INCLUDE_DIR OR NOT XC_${name}_LIBRARY)
    message(FATAL_ERROR "xc needs the library ${name} with its header ${header} "
      "(Debian's package ${package})")
  endif()
  mark_as_advanced(XC_${name}_INCLUDE_DIR XC_${name}_LIBRARY)
  add_library(${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES
    IMPORTED_LOCATION "${XC_${name}_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${XC_${name}_INCLUDE_DIR}")
endfunction()

# xc_add_library(NAME sources... [DEPENDS libraries...])
# A static library of one directory. DEPENDS names the libraries below it;
# dependencies point one way.
function(xc_add_library name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name}
    PUBLIC ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY XC_LIBRARIES ${name})
endfunction()

# xc_add_proto(NAME FILE)
# Adds the messages of FILE.proto, a file of this directory, to a library.
function(xc_add_proto name file)
  find_program(XC_PROTOC_C protoc-c REQUIRED)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${file}.pb-c.c
    ${CMAKE_CURRENT_BINARY_DIR}/${file}.pb-c.h)
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${XC_PROTOC_C} --c_out=${CMAKE_CURRENT_BINARY_DIR}
      --proto_path=${CMAKE_CURRENT_SOURCE_DIR} ${file}.proto
    DEPENDS ${file}.proto
    VERBATIM)
  target_sources(${name} PRIVATE ${generated})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

# xc_add_tool(NAME sources... [DEPENDS libraries...])
function(xc_add_tool name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set_property(GLOBAL APPEND PROPERTY XC_TOOLS ${name})
endfunction()

# xc_add_unittest(NAME sources... [DEPENDS libraries...])
# A cmocka program; lit runs it from <build>/test/bin.
function(xc_add_unittest name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} cmocka)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/bin)
  set_property(GLOBAL APPEND PROPERTY XC_UNITTESTS ${name})
endfunction()

# xc_add_test_program(NAME sources... [DEPENDS libraries...])
# A program that tests run from <build>/test/bin.
function(xc_add_test_program name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/bin)
  set_property(GLOBAL APPEND PROPERTY XC_UNITTESTS ${name})
endfunction()

# Fuzzing instruments everything, with the sanitizers that make findings loud.
if(XC_ENABLE_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "XC_ENABLE_FUZZ needs clang, for libFuzzer")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined
    -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
endif()

# xc_add_fuzzer(NAME source [DEPENDS libraries...])
# A libFuzzer target; without XC_ENABLE_FUZZ a program that replays files.
function(xc_add_fuzzer name source)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/test/fuzz)
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} XcSupport)
  if(XC_ENABLE_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/test/fuzz/Replay.c)
  endif()
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/bin)
  set_property(GLOBAL APPEND PROPERTY XC_UNITTESTS ${name})
endfunction()
