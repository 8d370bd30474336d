# What `cmake --install` puts where: the library with its package files (component "library") and
# the programs (component "programs").
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/troupe")
set(header_folder "${CMAKE_INSTALL_INCLUDEDIR}/troupe")

# <troupe/engine.hpp> and what it includes; the folders stay, so that includes read as they do here.
install(FILES apps/engine/public/troupe/engine.hpp DESTINATION "${header_folder}" COMPONENT library)
install(DIRECTORY messages DESTINATION "${header_folder}" COMPONENT library
  FILES_MATCHING PATTERN "*.hpp")
install(FILES apps/engine/engine.hpp apps/engine/cluster.hpp apps/engine/config.hpp
  apps/engine/conversations.hpp apps/engine/event_range.hpp apps/engine/keys.hpp
  apps/engine/mcp_host.hpp apps/engine/page_asset.hpp
  DESTINATION "${header_folder}/apps/engine" COMPONENT library)

foreach(part messages transport actors)
  set_target_properties(troupe_${part} PROPERTIES EXPORT_NAME ${part})
endforeach()
install(TARGETS troupe_engine troupe_actors troupe_transport troupe_messages EXPORT troupeTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library)
install(EXPORT troupeTargets NAMESPACE troupe:: DESTINATION "${package_folder}" COMPONENT library)

configure_package_config_file(cmake/troupeConfig.cmake.in "${PROJECT_BINARY_DIR}/troupeConfig.cmake"
  INSTALL_DESTINATION "${package_folder}" NO_SET_AND_CHECK_MACRO)
# The interface may still change with every minor version.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/troupeConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/troupeConfig.cmake"
  "${PROJECT_BINARY_DIR}/troupeConfigVersion.cmake" cmake/TroupeDependencies.cmake
  DESTINATION "${package_folder}" COMPONENT library)

set(programs troupe troupe-demo-mcp)
if(TARGET troupe-bench)
  list(APPEND programs troupe-bench)
endif()
install(TARGETS ${programs}
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)
