# Turns a text file into a unit that defines a function returning it. Run by the build:
#   cmake -DINPUT=file -DOUTPUT=unit.cpp -DFUNCTION=name -P embed.cmake
file(READ ${INPUT} content)
set(delimiter "embedded")
if(content MATCHES "\\)${delimiter}\"")
  message(FATAL_ERROR "${INPUT} holds the end of a raw string, )${delimiter}\"")
endif()
file(
  WRITE ${OUTPUT}
  "#include \"service/api/assets.hpp\"

namespace spineweave::service::api {

std::string_view ${FUNCTION}() { return R\"${delimiter}(${content})${delimiter}\"; }

}  // namespace spineweave::service::api
")
