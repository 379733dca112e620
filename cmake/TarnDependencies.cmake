# The libraries Tarn stands on. Debian packages are found in the system; libduckdb and its headers lie
# in $TARN_DEPS (by default .deps/), where tools/fetch_deps.py puts them.

find_package(Threads REQUIRED)
find_package(nlohmann_json 3 REQUIRED)

# Tarn's own headers: the public ones as <tarn/lake.h>, the others as "base/text.h".
add_library(tarn_headers INTERFACE)
target_include_directories(tarn_headers INTERFACE
                           $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                           $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(tarn_headers INTERFACE cxx_std_20)
set_property(TARGET tarn_headers PROPERTY EXPORT_NAME headers)
set_property(GLOBAL APPEND PROPERTY TARN_LIBRARIES tarn_headers)

# {fmt} from its headers alone: Debian ships no static library of it, and the extension must need
# nothing that a stock client's machine may lack.
find_path(TARN_FMT_INCLUDE fmt/format.h REQUIRED)
mark_as_advanced(TARN_FMT_INCLUDE)
add_library(tarn_fmt INTERFACE)
target_compile_definitions(tarn_fmt INTERFACE FMT_HEADER_ONLY)
set_property(TARGET tarn_fmt PROPERTY EXPORT_NAME fmt)
set_property(GLOBAL APPEND PROPERTY TARN_LIBRARIES tarn_fmt)

# SQLite, static for the same reason.
if(TARN_STORE_SQLITE)
  find_path(TARN_SQLITE3_INCLUDE sqlite3.h REQUIRED)
  find_library(TARN_SQLITE3_LIBRARY NAMES libsqlite3.a REQUIRED)
  mark_as_advanced(TARN_SQLITE3_INCLUDE TARN_SQLITE3_LIBRARY)
  add_library(tarn_sqlite3 INTERFACE)
  target_link_libraries(tarn_sqlite3 INTERFACE $<BUILD_INTERFACE:${TARN_SQLITE3_LIBRARY}>
                        $<INSTALL_INTERFACE:sqlite3> Threads::Threads ${CMAKE_DL_LIBS} m)
  set_property(TARGET tarn_sqlite3 PROPERTY EXPORT_NAME sqlite3)
  set_property(GLOBAL APPEND PROPERTY TARN_LIBRARIES tarn_sqlite3)
endif()

# DuckDB.
if(TARN_STORE_DUCKDB OR TARN_ENGINE)
  # Remembered, since a build may configure again in a shell that does not set the variable.
  set(deps "${PROJECT_SOURCE_DIR}/.deps")
  if(NOT "$ENV{TARN_DEPS}" STREQUAL "")
    set(deps "$ENV{TARN_DEPS}")
  elseif(TARN_DEPS)
    set(deps "${TARN_DEPS}")
  endif()
  set(TARN_DEPS "${deps}" CACHE PATH "Where tools/fetch_deps.py has put DuckDB" FORCE)
  if(NOT EXISTS "${deps}/duckdb/lib/libduckdb.so" OR NOT EXISTS "${deps}/duckdb/src/include/duckdb.hpp")
    message(FATAL_ERROR "DuckDB was not found in ${deps}: run `make setup` first, or set TARN_DEPS to the "
                        "folder where another checkout keeps its .deps, or build the kernel alone with "
                        "-DTARN_STORE_DUCKDB=OFF -DTARN_ENGINE=OFF.")
  endif()
  set(TARN_DUCKDB "${deps}/duckdb")
  file(READ "${PROJECT_SOURCE_DIR}/deps.lock.json" lock)
  string(JSON TARN_DUCKDB_VERSION GET "${lock}" duckdb_version)

  # The library lies beside what uses it, as it will on a user's machine.
  file(CREATE_LINK "${TARN_DUCKDB}/lib/libduckdb.so" "${PROJECT_BINARY_DIR}/libduckdb.so"
       COPY_ON_ERROR)
  add_library(tarn_libduckdb SHARED IMPORTED)
  set_target_properties(tarn_libduckdb PROPERTIES
                        IMPORTED_LOCATION "${PROJECT_BINARY_DIR}/libduckdb.so"
                        IMPORTED_SONAME libduckdb.so)

  # The C API, for the catalog driver: just duckdb.h, in a folder where no C++ header is in reach.
  configure_file("${TARN_DUCKDB}/src/include/duckdb.h" "${PROJECT_BINARY_DIR}/duckdb_c/duckdb.h" COPYONLY)
  add_library(tarn_duckdb_c INTERFACE)
  target_link_libraries(tarn_duckdb_c INTERFACE $<BUILD_INTERFACE:tarn_libduckdb>
                        $<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/tarn/libduckdb.so>)
  set_property(TARGET tarn_duckdb_c PROPERTY EXPORT_NAME duckdb_c)
  set_property(GLOBAL APPEND PROPERTY TARN_LIBRARIES tarn_duckdb_c)
  target_include_directories(tarn_duckdb_c SYSTEM INTERFACE
                             $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/duckdb_c>)

  # The C++ API, for the engine alone.
  add_library(tarn_duckdb_cpp INTERFACE)
  target_link_libraries(tarn_duckdb_cpp INTERFACE tarn_libduckdb)
  set(third_party brotli/include concurrentqueue fast_float fastpforlib fmt/include fsst httplib
      hyperloglog jaro_winkler libpg_query/include lz4 mbedtls/include miniz parquet pcg pdqsort re2
      ska_sort skiplist snappy tdigest thrift utf8proc/include vergesort yyjson/include zstd/include)
  list(TRANSFORM third_party PREPEND "${TARN_DUCKDB}/third_party/")
  target_include_directories(tarn_duckdb_cpp SYSTEM INTERFACE "${TARN_DUCKDB}/src/include"
                             "${TARN_DUCKDB}/extension/parquet/include" ${third_party})
endif()
