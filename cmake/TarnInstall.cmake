# What `cmake --install` puts where, and the package that find_package(Tarn) finds:
#   bin/tarn   lib/tarn/{tarn.duckdb_extension,libduckdb.so}   lib/libtarn_*.a   include/tarn   lib/cmake/Tarn
include(CMakePackageConfigHelpers)

# The kernel in one word.
add_library(tarn_kernel INTERFACE)
target_link_libraries(tarn_kernel INTERFACE tarn_catalog tarn_data)
if(TARN_STORE_SQLITE)
  target_link_libraries(tarn_kernel INTERFACE tarn_store_sqlite)
endif()
if(TARN_STORE_POSTGRES)
  target_link_libraries(tarn_kernel INTERFACE tarn_store_postgres)
endif()
set_property(TARGET tarn_kernel PROPERTY EXPORT_NAME tarn)
add_library(Tarn::tarn ALIAS tarn_kernel)

get_property(libraries GLOBAL PROPERTY TARN_LIBRARIES)
install(TARGETS tarn_kernel ${libraries} EXPORT TarnTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tarn" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/Tarn")
install(EXPORT TarnTargets NAMESPACE Tarn:: DESTINATION ${package})
configure_package_config_file(cmake/TarnConfig.cmake.in "${PROJECT_BINARY_DIR}/TarnConfig.cmake"
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/TarnConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/TarnConfig.cmake" "${PROJECT_BINARY_DIR}/TarnConfigVersion.cmake"
        DESTINATION ${package})

if(TARN_ENGINE OR TARN_STORE_DUCKDB)
  install(PROGRAMS "${TARN_DUCKDB}/lib/libduckdb.so" DESTINATION ${CMAKE_INSTALL_LIBDIR}/tarn)
endif()
if(TARN_ENGINE)
  # As a file, not as a target: nothing may touch it after its footer is on.
  install(PROGRAMS "$<TARGET_FILE:tarn_extension>" DESTINATION ${CMAKE_INSTALL_LIBDIR}/tarn)
endif()
if(TARGET tarn)
  install(TARGETS tarn RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
