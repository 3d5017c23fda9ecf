# Debian packages: `cmake --workflow --preset package`.
#   spineweave          the program, with a systemd unit and its settings
#   libspineweave-dev   headers, static libraries, CMake package
# There is no libspineweave: the library is static, so programs that use it need nothing at run time.

# Only in packages: the unit names their paths, and `cmake --install` writes nowhere but under its prefix.
install(FILES docker/package/spineweave.service DESTINATION lib/systemd/system COMPONENT program EXCLUDE_FROM_ALL)
install(FILES docker/package/sysusers.conf DESTINATION lib/sysusers.d RENAME spineweave.conf
        COMPONENT program EXCLUDE_FROM_ALL)
install(FILES docker/package/spineweave.env DESTINATION /etc/spineweave
        PERMISSIONS OWNER_READ OWNER_WRITE COMPONENT program EXCLUDE_FROM_ALL)
foreach(package IN ITEMS program:spineweave development:libspineweave-dev)
  string(REPLACE ":" ";" package ${package})
  list(POP_FRONT package component name)
  install(FILES LICENSE DESTINATION share/doc/${name} RENAME copyright COMPONENT ${component} EXCLUDE_FROM_ALL)
  string(TOUPPER ${component} component)
  set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${name})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_PACKAGE_CONTACT "Spineweave authors <spineweave@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "The program and its service: choose the paths of training traffic over data-centre fabrics.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/docker/package/conffiles ${PROJECT_SOURCE_DIR}/docker/package/postinst
    ${PROJECT_SOURCE_DIR}/docker/package/prerm)

set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers, static libraries and the CMake package spineweave.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# What the CMake package looks for.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "coinor-libcbc-dev, libfmt-dev, libtbb-dev, pkg-config, zlib1g-dev")
if(SPINEWEAVE_SERVICE)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libspdlog-dev, libsqlite3-dev, libssl-dev, prometheus-cpp-dev")
endif()

include(CPack)
