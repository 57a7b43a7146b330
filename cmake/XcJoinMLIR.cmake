# xc-mlir: the archives of MLIR and LLVM joined into one shared library that shows
# their C API and nothing else.
#
# A program that starts with libMLIR and libLLVM looks up 47,000 symbols of C++,
# and moves 300,000 addresses. Here every name is settled when the library is
# linked and sections that nothing uses are gone, so that a program starts in less
# than half of the processor time. What tests run starts thousands of times.

# The C API of LLVM lies among the rest; that of MLIR in archives of its own.
set(whole ${XC_MLIR_CAPI} LLVMCore LLVMPasses LLVMOrcJIT LLVMTarget)
set(archives)
foreach(target IN LISTS imported)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY" AND target MATCHES "^(LLVM|MLIR)")
    list(APPEND archives ${target})
  endif()
endforeach()
list(REMOVE_ITEM archives ${whole})
list(TRANSFORM whole REPLACE "(.+)" "$<TARGET_FILE:\\1>")
list(TRANSFORM archives REPLACE "(.+)" "$<TARGET_FILE:\\1>")

# What llvm-c/Target.h calls for each target.
set(initializers)
foreach(target IN LISTS LLVM_TARGETS_TO_BUILD)
  foreach(part IN ITEMS TargetInfo Target TargetMC AsmPrinter AsmParser)
    list(APPEND initializers "-Wl,-u,LLVMInitialize${target}${part}")
  endforeach()
endforeach()

set(empty ${CMAKE_CURRENT_BINARY_DIR}/xc-mlir.c)
file(CONFIGURE OUTPUT ${empty} CONTENT "typedef int xc_nothing_of_its_own;\n")
add_library(xc-mlir SHARED ${empty})
set_target_properties(xc-mlir PROPERTIES LINKER_LANGUAGE C
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/xc-mlir.map)
target_link_options(xc-mlir PRIVATE -s ${initializers}
  -Wl,--gc-sections -Wl,-Bsymbolic -Wl,-z,pack-relative-relocs
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/xc-mlir.map)
target_link_libraries(xc-mlir PRIVATE
  -Wl,--whole-archive ${whole} -Wl,--no-whole-archive
  -Wl,--start-group ${archives} -Wl,--end-group
  -l:libstdc++.a ZLIB::ZLIB zstd m)
install(TARGETS xc-mlir LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Tools that are installed find it beside them.
file(RELATIVE_PATH to_libraries /prefix/${CMAKE_INSTALL_BINDIR}
  /prefix/${CMAKE_INSTALL_LIBDIR})
list(APPEND CMAKE_INSTALL_RPATH "$ORIGIN/${to_libraries}")
