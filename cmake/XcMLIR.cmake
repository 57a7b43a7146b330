# Finds LLVM and MLIR 22. XcSharedMLIR is the C API on the shared libraries of the
# distribution; XcMLIR, which the libraries of xc link, is that or
# (XC_JOIN_MLIR=ON) the library of XcJoinMLIR.cmake.
#
# find_package(MLIR 22) would ask for the exact minor version, so the major
# version is checked by hand. The C API comes as static archives that refer to
# each other, hence the group; the implementation is the shared libMLIR.

find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "xc needs LLVM 22, found ${LLVM_VERSION}")
endif()

get_property(imported DIRECTORY PROPERTY IMPORTED_TARGETS)
set(XC_MLIR_CAPI ${imported})
list(FILTER XC_MLIR_CAPI INCLUDE REGEX "^MLIRCAPI")
list(TRANSFORM XC_MLIR_CAPI REPLACE "(.+)" "$<TARGET_FILE:\\1>"
  OUTPUT_VARIABLE capi_archives)

# Foreign headers: as system headers, so that our warnings stay ours.
add_library(XcMLIRHeaders INTERFACE)
target_include_directories(XcMLIRHeaders SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
add_library(XcSharedMLIR INTERFACE)
target_link_libraries(XcSharedMLIR INTERFACE XcMLIRHeaders
  -Wl,--start-group ${capi_archives} -Wl,--end-group
  $<TARGET_FILE:MLIR> $<TARGET_FILE:LLVM> stdc++ m)
set(XC_LLVM_TOOLS_DIR ${LLVM_TOOLS_BINARY_DIR})

add_library(XcMLIR INTERFACE)
if(XC_JOIN_MLIR)
  include(XcJoinMLIR)
  target_link_libraries(XcMLIR INTERFACE XcMLIRHeaders xc-mlir)
else()
  target_link_libraries(XcMLIR INTERFACE XcSharedMLIR)
endif()
