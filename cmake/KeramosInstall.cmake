# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Install rules: the library, the headers in the shape of the source tree, and the package that find_package(Keramos) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(Keramos_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Keramos)

install(TARGETS keramos EXPORT KeramosTargets)
set(Keramos_not_installed PATTERN "src/keramos/distributed" EXCLUDE PATTERN "src/Keramos_Distributed.hpp" EXCLUDE)
if(TARGET keramos_distributed) # a component, in files of its own: without it nobody looks for MPI
  install(TARGETS keramos_distributed EXPORT KeramosDistributedTargets)
  install(EXPORT KeramosDistributedTargets NAMESPACE Keramos:: DESTINATION ${Keramos_PACKAGE_DIR})
  set(Keramos_not_installed "")
endif()
install(DIRECTORY src backends DESTINATION include/keramos FILES_MATCHING PATTERN "*.hpp" ${Keramos_not_installed})
install(FILES ${Keramos_GENERATED_INCLUDE}/Keramos_Version.hpp DESTINATION include/keramos/src)
install(EXPORT KeramosTargets NAMESPACE Keramos:: DESTINATION ${Keramos_PACKAGE_DIR})

# The Kokkos that find_package(Keramos) looks for last; an absolute path, like the one in keramos.pc, and the only two that are
# installed. Where Kokkos is installed beside Keramos, none is.
set(Keramos_KOKKOS_DIR "")
set(Keramos_KOKKOS_DIR_TEXT "")
if(Kokkos_DIR AND NOT Keramos_KOKKOS STREQUAL fetched)
  set(Keramos_KOKKOS_DIR "${Kokkos_DIR}")
  set(Keramos_KOKKOS_DIR_TEXT " in ${Kokkos_DIR}")
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/KeramosConfig.cmake.in
  ${PROJECT_BINARY_DIR}/KeramosConfig.cmake INSTALL_DESTINATION ${Keramos_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/KeramosConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY ${Keramos_COMPATIBILITY})
install(FILES ${PROJECT_BINARY_DIR}/KeramosConfig.cmake ${PROJECT_BINARY_DIR}/KeramosConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/KeramosCuda.cmake ${CMAKE_CURRENT_LIST_DIR}/KeramosKokkosFacts.cmake
  DESTINATION ${Keramos_PACKAGE_DIR})
if(Keramos_KOKKOS) # else the surrounding project knows how to use it
  include(KeramosPkgConfig)
  keramos_write_pkg_config()
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/keramos)
