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

# Where tools/setup.sh has put what is no Debian package. Remembered, since a build may configure again
# in a shell that does not set the variable.
set(deps "${PROJECT_SOURCE_DIR}/.deps")
if(NOT "$ENV{TARN_DEPS}" STREQUAL "")
  set(deps "$ENV{TARN_DEPS}")
elseif(TARN_DEPS)
  set(deps "${TARN_DEPS}")
endif()
set(TARN_DEPS "${deps}" CACHE PATH "Where tools/setup.sh has put DuckDB and parts of PostgreSQL" FORCE)

# PostgreSQL's client library and OpenSSL, static as well. libpq.a comes with libpq-dev; the two archives
# that it stands on (libpgcommon, libpgport) come with PostgreSQL's server headers, or lie in .deps/.
# What it wants of Kerberos and LDAP is answered by store/postgres/missing_libraries.cc.
if(TARN_STORE_POSTGRES)
  file(GLOB server_libraries /usr/lib/postgresql/*/lib)
  file(GLOB server_includes /usr/include/postgresql/*/server)
  find_path(TARN_LIBPQ_INCLUDE libpq-fe.h PATH_SUFFIXES postgresql)
  find_library(TARN_LIBPQ_LIBRARY NAMES libpq.a)
  find_library(TARN_PGCOMMON_LIBRARY NAMES libpgcommon_shlib.a HINTS "${deps}/postgresql/lib" ${server_libraries})
  find_library(TARN_PGPORT_LIBRARY NAMES libpgport_shlib.a HINTS "${deps}/postgresql/lib" ${server_libraries})
  find_library(TARN_SSL_LIBRARY NAMES libssl.a)
  find_library(TARN_CRYPTO_LIBRARY NAMES libcrypto.a)
  find_path(TARN_GSSAPI_INCLUDE gssapi/gssapi.h)
  find_path(TARN_PGCOMMON_INCLUDE common/fe_memutils.h HINTS "${deps}/postgresql/include" ${server_includes})
  set(parts TARN_LIBPQ_INCLUDE TARN_LIBPQ_LIBRARY TARN_PGCOMMON_LIBRARY TARN_PGPORT_LIBRARY TARN_SSL_LIBRARY
            TARN_CRYPTO_LIBRARY TARN_GSSAPI_INCLUDE TARN_PGCOMMON_INCLUDE)
  mark_as_advanced(${parts})
  foreach(part IN LISTS parts)
    if(NOT ${part})
      message(FATAL_ERROR "Parts of PostgreSQL's static client library were not found (${part}): run `make setup` "
                          "first, or build without that driver by -DTARN_STORE_POSTGRES=OFF.")
    endif()
  endforeach()
  add_library(tarn_libpq INTERFACE)
  target_include_directories(tarn_libpq SYSTEM INTERFACE
    $<BUILD_INTERFACE:${TARN_LIBPQ_INCLUDE}> $<BUILD_INTERFACE:${TARN_LIBPQ_INCLUDE}/internal>
    $<BUILD_INTERFACE:${TARN_PGCOMMON_INCLUDE}> $<BUILD_INTERFACE:${TARN_GSSAPI_INCLUDE}>)
  set(archives ${TARN_LIBPQ_LIBRARY} ${TARN_PGCOMMON_LIBRARY} ${TARN_PGPORT_LIBRARY} ${TARN_SSL_LIBRARY}
      ${TARN_CRYPTO_LIBRARY})
  target_link_libraries(tarn_libpq INTERFACE $<BUILD_INTERFACE:${archives}> $<INSTALL_INTERFACE:pq>
                        Threads::Threads ${CMAKE_DL_LIBS} m)
  set_property(TARGET tarn_libpq PROPERTY EXPORT_NAME libpq)
  set_property(GLOBAL APPEND PROPERTY TARN_LIBRARIES tarn_libpq)
endif()

# OpenSSL's ciphers, for encrypted files; static like all the rest.
if(TARN_ENGINE)
  find_library(TARN_CRYPTO_LIBRARY NAMES libcrypto.a REQUIRED)
  find_path(TARN_OPENSSL_INCLUDE openssl/evp.h REQUIRED)
  mark_as_advanced(TARN_CRYPTO_LIBRARY TARN_OPENSSL_INCLUDE)
  add_library(tarn_libcrypto INTERFACE)
  target_include_directories(tarn_libcrypto SYSTEM INTERFACE "${TARN_OPENSSL_INCLUDE}")
  target_link_libraries(tarn_libcrypto INTERFACE "${TARN_CRYPTO_LIBRARY}" Threads::Threads ${CMAKE_DL_LIBS})
endif()

# DuckDB.
if(TARN_STORE_DUCKDB OR TARN_ENGINE)
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
