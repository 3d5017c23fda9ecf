# The tests must see a broken kernel: each of these programs holds one with `old` replaced by `new`, and
# passes where a differential test fails.
function(add_mutant name stem filter old new)
  set(kernel_file ${PROJECT_SOURCE_DIR}/kernels/${stem}.cu)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernel_file})
  file(READ ${kernel_file} text)
  string(REPLACE "${old}" "${new}" mutated "${text}")
  if(mutated STREQUAL text)
    message(FATAL_ERROR "Mutant ${name}: ${kernel_file} does not hold the text to replace: ${old}")
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/mutants/${name}.cpp)
  file(GENERATE OUTPUT ${source} CONTENT "${mutated}")
  add_executable(
    mutant_${name} ${source} ../differential/layer_shim.cpp $<TARGET_OBJECTS:differential_cases>
                   $<TARGET_OBJECTS:spineweave_core> $<FILTER:$<TARGET_OBJECTS:shim>,EXCLUDE,kernels/${stem}\.cpp>)
  set_target_properties(mutant_${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(mutant_${name} PRIVATE .. ${PROJECT_SOURCE_DIR}/kernels ${PROJECT_SOURCE_DIR}/src
                                                    ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(mutant_${name} PRIVATE spineweave_options GTest::gmock_main ${linked_libraries})
  add_test(NAME shim.mutation.${name} COMMAND mutant_${name} --gtest_filter=Differential.${filter} --gtest_brief=1)
  set_tests_properties(shim.mutation.${name} PROPERTIES PASS_REGULAR_EXPRESSION "FAILED  . Differential")
endfunction()

add_mutant(barrier_removed accumulate_loads LoadsOfAssignedRoutingsAreEqual
           "  }\n  __syncthreads();\n  std::uint32_t* const own" "  }\n  std::uint32_t* const own")
add_mutant(tie_broken_the_other_way score_candidates BestMovesAreTheReferences "if (other.beats(key)) key = other;"
           "other.path = ~other.path, key.path = ~key.path;\n    if (other.beats(key)) key = other;\n    key.path = ~key.path;")
add_mutant(last_claim_wins claim_cells RoundsOfManyCollidingMovesAreEqual
           "atomic_min(&turn.claims[cell], claim_of(turn, rank))" "turn.claims[cell] = claim_of(turn, rank)")
add_mutant(moves_taken_back_one_by_one cuda_state RoundsThatTakeMovesBackAreEqual "kept /= 2" "--kept")
add_mutant(stale_score_after_a_move cuda_state MovesAreAppliedAndRolledBackEqually
           "  scored_ = false;\n  std::vector<Move> last" "  std::vector<Move> last")
