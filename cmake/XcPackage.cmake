# One shared and one static library out of all of lib/ and dialects/, with the
# public xc symbols only, and what find_package(xc) and pkg-config need.

get_property(libraries GLOBAL PROPERTY XC_LIBRARIES)
set(objects)
foreach(library IN LISTS libraries)
  list(APPEND objects $<TARGET_OBJECTS:${library}>)
endforeach()

# What the objects call outside: MLIR, and the libraries of the file formats.
set(xc_uses protobuf-c jansson ZLIB::ZLIB m)
if(XC_ENABLE_MLIR)
  # Calibration reads pictures.
  find_package(PNG REQUIRED)
  find_package(JPEG REQUIRED)
  list(APPEND xc_uses XcSharedMLIR PNG::PNG JPEG::JPEG)
endif()

# Hidden visibility keeps everything but XC_EXPORTED functions inside; the
# version script does so for the C API archives that are linked in.
add_library(xc-shared SHARED ${objects})
set_target_properties(xc-shared PROPERTIES
  OUTPUT_NAME xc VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  LINKER_LANGUAGE C)
target_link_libraries(xc-shared PRIVATE ${xc_uses})
# The examples name xc as a project outside does.
add_library(xc::xc ALIAS xc-shared)
target_link_options(xc-shared PRIVATE
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/xc.map)
set_property(TARGET xc-shared PROPERTY LINK_DEPENDS
  ${PROJECT_SOURCE_DIR}/cmake/xc.map)

# An archive cannot hide symbols by itself: its objects are joined into one,
# whose internal names become local.
set(joined ${PROJECT_BINARY_DIR}/lib/xc.o)
set(archive ${PROJECT_BINARY_DIR}/lib/libxc.a)
add_custom_command(
  OUTPUT ${archive}
  COMMAND ${CMAKE_LINKER} -r -o ${joined} ${objects}
  COMMAND ${CMAKE_OBJCOPY} --wildcard "--keep-global-symbol=xc[A-Z]*" ${joined}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
  COMMAND ${CMAKE_AR} qc ${archive} ${joined}
  DEPENDS ${libraries}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(xc-static ALL DEPENDS ${archive})

# Flags of the pkg-config files. Hosts that have an MlirContext of their own link
# the archives of the C API; the shared library holds what it needs of them.
set(XC_PC_STATIC_LIBS "-lprotobuf-c -ljansson -lz -lm")
if(XC_ENABLE_MLIR)
  get_filename_component(llvm_include ${LLVM_INCLUDE_DIR} ABSOLUTE)
  get_filename_component(llvm_lib ${LLVM_LIBRARY_DIR} ABSOLUTE)
  set(XC_PC_CFLAGS "-isystem ${llvm_include}")
  set(XC_PC_RPATH "-Wl,-rpath,${llvm_lib}")
  list(TRANSFORM XC_MLIR_CAPI PREPEND "-l" OUTPUT_VARIABLE capi)
  list(JOIN capi " " capi)
  string(CONCAT XC_PC_MLIR_LIBS "-L${llvm_lib} ${XC_PC_RPATH} "
    "-Wl,--start-group ${capi} -Wl,--end-group -lMLIR -lLLVM -lstdc++ -lm")
  string(APPEND XC_PC_STATIC_LIBS " -lpng -ljpeg ${XC_PC_MLIR_LIBS}")
endif()
# From the directory of the .pc files to the prefix, so that both can move.
file(RELATIVE_PATH XC_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig
  /prefix)
string(REGEX REPLACE "/$" "" XC_PC_PREFIX "${XC_PC_PREFIX}")

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/xc)
configure_package_config_file(cmake/xcConfig.cmake.in
  ${PROJECT_BINARY_DIR}/xcConfig.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/xcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
set(pkgconfig_files xc.pc)
if(XC_ENABLE_MLIR)
  list(APPEND pkgconfig_files xc-mlir.pc)
endif()
foreach(file IN LISTS pkgconfig_files)
  configure_file(cmake/${file}.in ${PROJECT_BINARY_DIR}/${file} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${file}
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(TARGETS xc-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/xc-c DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/xcConfig.cmake
  ${PROJECT_BINARY_DIR}/xcConfigVersion.cmake DESTINATION ${package_dir})
