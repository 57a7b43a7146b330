# Finds LLVM and MLIR 22 and makes XcMLIR, the one target that MLIR users link.
#
# find_package(MLIR 22) would ask for the exact minor version, so the major
# version is checked by hand. The C API comes as static archives that refer to
# each other, hence the group; the implementation is the shared libMLIR.

find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "xc needs LLVM 22, found ${LLVM_VERSION}")
endif()

get_property(imported DIRECTORY PROPERTY IMPORTED_TARGETS)
set(capi_archives)
foreach(target IN LISTS imported)
  if(target MATCHES "^MLIRCAPI" AND NOT target STREQUAL "MLIRCAPIDebug")
    list(APPEND capi_archives $<TARGET_FILE:${target}>)
  endif()
endforeach()
list(APPEND capi_archives $<TARGET_FILE:MLIRCAPIDebug>)

add_library(XcMLIR INTERFACE)
# Foreign headers: as system headers, so that our warnings stay ours.
target_include_directories(XcMLIR SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_link_libraries(XcMLIR INTERFACE
  -Wl,--start-group ${capi_archives} -Wl,--end-group
  $<TARGET_FILE:MLIR> $<TARGET_FILE:LLVM> stdc++ m)
set(XC_LLVM_TOOLS_DIR ${LLVM_TOOLS_BINARY_DIR})
