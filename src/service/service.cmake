# The service is a library of its own: who only wants routes does not pay for it.
find_package(Boost 1.74 REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(Threads REQUIRED)
find_package(prometheus-cpp REQUIRED)
find_package(spdlog REQUIRED)

# Makes a unit that defines `function`, which returns the text of the file; its name goes into `result`.
function(embed_text file function result)
  set(unit ${PROJECT_BINARY_DIR}/service/${function}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/src/service/embed.cmake)
  add_custom_command(
    OUTPUT ${unit}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${unit} -DFUNCTION=${function} -P ${script}
    DEPENDS ${file} ${script}
    VERBATIM)
  set(${result} ${unit} PARENT_SCOPE)
endfunction()

embed_text(${CMAKE_CURRENT_LIST_DIR}/openapi.json openapi_document openapi_unit)
include(${CMAKE_CURRENT_LIST_DIR}/dashboard/dashboard.cmake)
list(REMOVE_ITEM service_sources ${CMAKE_CURRENT_LIST_DIR}/dashboard/assets.cpp
     ${CMAKE_CURRENT_LIST_DIR}/api/no_dashboard.cpp)

add_library(spineweave_service STATIC ${service_sources} ${openapi_unit} ${dashboard_sources})
add_library(spineweave::service ALIAS spineweave_service)
set_target_properties(spineweave_service PROPERTIES CXX_EXTENSIONS OFF EXPORT_NAME service)
if(SPINEWEAVE_SANITIZE)  # false positives of g++ 12 in Beast's parser and in the frames of coroutines
  target_compile_options(spineweave_service PRIVATE -Wno-maybe-uninitialized -Wno-mismatched-new-delete)
endif()
target_include_directories(spineweave_service PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
target_include_directories(spineweave_service SYSTEM PRIVATE ${Boost_INCLUDE_DIRS})
target_link_libraries(
  spineweave_service
  PUBLIC spineweave
  PRIVATE $<BUILD_INTERFACE:spineweave_options> fmt::fmt spdlog::spdlog SQLite::SQLite3 OpenSSL::SSL OpenSSL::Crypto Threads::Threads
          prometheus-cpp::core)
