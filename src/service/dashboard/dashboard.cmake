# The dashboard: bundled from the npm registry's packages and turned into units of the service.
# Sets `dashboard_sources`; where the dashboard cannot or shall not be built, they say that it is not there.
set(SPINEWEAVE_DASHBOARD AUTO CACHE STRING "Build the dashboard in: AUTO (where npm works), ON or OFF")
set_property(CACHE SPINEWEAVE_DASHBOARD PROPERTY STRINGS AUTO ON OFF)

set(dashboard_dir ${CMAKE_CURRENT_LIST_DIR})
set(dashboard_work ${PROJECT_BINARY_DIR}/dashboard)

# Fetches the packages of the lock file into the build folder, once for each lock file. Sets
# `dashboard_absent` to why that failed.
function(fetch_dashboard_packages)
  find_program(SPINEWEAVE_NPM npm DOC "npm, which fetches what the dashboard is built from")
  find_program(SPINEWEAVE_NODE node DOC "Node.js, which bundles the dashboard")
  mark_as_advanced(SPINEWEAVE_NPM SPINEWEAVE_NODE)
  if(NOT SPINEWEAVE_NPM OR NOT SPINEWEAVE_NODE)
    set(dashboard_absent "npm is not installed" PARENT_SCOPE)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${dashboard_dir}/package-lock.json)
  file(SHA256 ${dashboard_dir}/package-lock.json wanted)
  set(stamp ${dashboard_work}/fetched)
  if(EXISTS ${stamp})
    file(READ ${stamp} present)
    if(present STREQUAL wanted)
      return()
    endif()
  endif()
  message(STATUS "Fetching the dashboard's packages")
  file(COPY ${dashboard_dir}/package.json ${dashboard_dir}/package-lock.json ${dashboard_dir}/.npmrc
       DESTINATION ${dashboard_work})
  execute_process(
    COMMAND ${SPINEWEAVE_NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
    WORKING_DIRECTORY ${dashboard_work}
    RESULT_VARIABLE result
    OUTPUT_QUIET
    ERROR_VARIABLE log
    TIMEOUT 180)
  if(NOT result EQUAL 0)
    string(REGEX MATCH "[^\n]+" first_line "${log}")
    set(dashboard_absent "npm ci failed (${first_line})" PARENT_SCOPE)
    return()
  endif()
  file(WRITE ${stamp} ${wanted})
endfunction()

set(dashboard_absent "")
if(SPINEWEAVE_DASHBOARD)
  fetch_dashboard_packages()
else()
  set(dashboard_absent "SPINEWEAVE_DASHBOARD is OFF")
endif()

if(dashboard_absent)
  if(SPINEWEAVE_DASHBOARD AND NOT SPINEWEAVE_DASHBOARD STREQUAL AUTO)
    message(FATAL_ERROR "SPINEWEAVE_DASHBOARD is ON, but ${dashboard_absent}")
  endif()
  message(STATUS "Dashboard: left out, ${dashboard_absent}")
  set(SPINEWEAVE_HAS_DASHBOARD OFF)
  set(dashboard_sources ${PROJECT_SOURCE_DIR}/src/service/api/no_dashboard.cpp)
  return()
endif()

set(SPINEWEAVE_HAS_DASHBOARD ON)
set(dashboard_bundle ${dashboard_work}/bundle)
set(dashboard_files index.html app.js app.css icon.svg licences.txt)
set(dashboard_functions dashboard_page dashboard_script dashboard_style dashboard_icon dashboard_licences)
list(TRANSFORM dashboard_files PREPEND ${dashboard_bundle}/ OUTPUT_VARIABLE dashboard_bundled)
file(GLOB_RECURSE dashboard_texts CONFIGURE_DEPENDS ${dashboard_dir}/*.js ${dashboard_dir}/*.mjs
     ${dashboard_dir}/*.html ${dashboard_dir}/*.css ${dashboard_dir}/*.svg)
add_custom_command(
  OUTPUT ${dashboard_bundled}
  COMMAND ${SPINEWEAVE_NODE} ${dashboard_dir}/build.mjs ${dashboard_dir} ${dashboard_work}/node_modules ${dashboard_bundle}
  DEPENDS ${dashboard_texts} ${dashboard_work}/fetched
  COMMENT "Bundling the dashboard"
  VERBATIM)

set(dashboard_sources ${dashboard_dir}/assets.cpp)
foreach(file function IN ZIP_LISTS dashboard_files dashboard_functions)
  embed_text(${dashboard_bundle}/${file} ${function} unit)
  list(APPEND dashboard_sources ${unit})
endforeach()
