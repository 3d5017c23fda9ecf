# The units of one instruction set each: only they are compiled for more than the least processor. Their
# scalar parts are short of registers, which GCC makes worse by packing neighbours into vectors.
function(add_score_unit name)
  set(unit ${PROJECT_SOURCE_DIR}/src/evaluate/score_${name}.cpp)
  set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS "${ARGN};-fno-tree-slp-vectorize")
endfunction()

add_score_unit(scalar)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  add_score_unit(sse42 -msse4.2)
  add_score_unit(avx2 -mavx2 -mbmi -mbmi2)
  # GCC takes the undefined register that its own intrinsics start from for a mistake (GCC bug 105593).
  add_score_unit(avx512 -mavx512f -mbmi -mbmi2 -Wno-uninitialized -Wno-maybe-uninitialized)
else()
  list(FILTER library_sources EXCLUDE REGEX "/score_(sse42|avx2|avx512)\\.cpp$")
endif()
