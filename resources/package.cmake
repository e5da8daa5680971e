# A Debian package: `cpack -G DEB` in the build folder. Its dependencies are those of the program's libraries.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ipu-workbench)
set(CPACK_PACKAGE_VENDOR "IPU Workbench")
# The project has no domain and no address. A name under .invalid (RFC 2606) says so wherever it is read, while one of
# localhost would reach whoever reads it. Whoever gives packages away says who they are.
set(IPU_WORKBENCH_MAINTAINER "The authors of IPU Workbench <authors@ipu-workbench.invalid>" CACHE STRING
    "Who answers for a package made here: NAME <ADDRESS>")
set(CPACK_PACKAGE_CONTACT "${IPU_WORKBENCH_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Without the fonts it draws with others; without Python the notebook's package is of no use.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-inter, fonts-jetbrains-mono, python3")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-pandas, slurm-client")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Draw a Keras model, split it over IPUs, run it on an embedded simulator
of Graphcore IPU systems, and look at where the time and the memory go.
Everything the window does is a verb of the command line too, and can be
called from a notebook.")
# What is packed has been built before; packing compiles nothing.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
