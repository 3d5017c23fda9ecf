# Fails where an object exports a weak symbol: the linker keeps one copy of an inline function for the
# whole program, and that copy must not hold one unit's vector instructions.
#   cmake -DNM=nm -DOBJECTS=a.o,b.o -P no_weak_symbols.cmake
string(REPLACE "," ";" objects "${OBJECTS}")
if(NOT objects)
  message(FATAL_ERROR "no objects to look at")
endif()
foreach(object IN LISTS objects)
  execute_process(COMMAND ${NM} ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]* [WwVvu] [^\n]*" weak "${symbols}")
  # A pointer to the handler of exceptions, which unoptimised code refers to, is no code of the unit.
  list(FILTER weak EXCLUDE REGEX " DW\\.ref\\.")
  if(weak)
    message(FATAL_ERROR "${object} exports weak symbols: ${weak}")
  endif()
endforeach()
