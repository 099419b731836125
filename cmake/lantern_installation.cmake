# What is installed, and where (support/installation.h). The build tree has the same layout, by links into the source tree.
# Components: `compiler`, `runtime` and `python`. A wheel brings its Python itself, and has the other two inside the package (pyproject.toml).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Lantern)
set(python_folder ${CMAKE_INSTALL_DATADIR}/lantern/python)
set(licence_folder ${CMAKE_INSTALL_DATADIR}/doc/lantern)

foreach(link include/lantern:runtime/include/lantern share/lantern/python/lantern:python/lantern share/doc/lantern/LICENSE:LICENSE)
  string(REPLACE ":" ";" link ${link})
  list(GET link 0 name)
  list(GET link 1 target)
  cmake_path(GET name PARENT_PATH folder)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${target} ${PROJECT_BINARY_DIR}/${name} SYMBOLIC)
endforeach()

install(TARGETS lantern_runtime EXPORT Lantern COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/lantern DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${licence_folder} COMPONENT runtime)
if(LANTERN_COMPILER)
  install(TARGETS lantern EXPORT Lantern RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT compiler)
  install(TARGETS lantern_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT compiler)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/lantern DESTINATION ${python_folder} COMPONENT python PATTERN __pycache__ EXCLUDE)
  # Who runs the command may not write there: without its bytecode, each start would compile the package anew.
  install(CODE "execute_process(COMMAND python3 -m compileall -q -s \"\$ENV{DESTDIR}\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${python_folder}\" ERROR_QUIET)"
    COMPONENT python)
endif()

# find_package(Lantern CONFIG), and pkg-config.
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/LanternConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/LanternConfig.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/LanternConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_file(${CMAKE_CURRENT_LIST_DIR}/lantern.pc.in ${PROJECT_BINARY_DIR}/cmake/lantern.pc @ONLY)
install(EXPORT Lantern NAMESPACE Lantern:: FILE LanternTargets.cmake DESTINATION ${package_folder} COMPONENT runtime)
install(FILES ${PROJECT_BINARY_DIR}/cmake/LanternConfig.cmake ${PROJECT_BINARY_DIR}/cmake/LanternConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/LanternModel.cmake DESTINATION ${package_folder} COMPONENT runtime)
install(FILES ${PROJECT_BINARY_DIR}/cmake/lantern.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig COMPONENT runtime)

include(LanternModel)  # for a project that adds this one as a folder
