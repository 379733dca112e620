# The DuckDB adapter (tarn_engine) and what is made of it: the `tarn` command and the extension.

# What the engine lends DuckDB to encrypt with. Not the kernel's: it reads no encrypted file.
tarn_sources(crypto_sources src/crypto)
add_library(tarn_crypto STATIC ${crypto_sources})
target_link_libraries(tarn_crypto PUBLIC tarn_base PRIVATE tarn_libcrypto tarn_options)

tarn_sources(engine_sources src/engine EXCEPT module.cc stub)
add_library(tarn_engine STATIC ${engine_sources})
target_link_libraries(tarn_engine PUBLIC tarn_catalog tarn_data tarn_crypto tarn_duckdb_cpp PRIVATE tarn_options)
if(TARN_STORE_SQLITE)
  target_link_libraries(tarn_engine PUBLIC tarn_store_sqlite)
  target_compile_definitions(tarn_engine PRIVATE TARN_STORE_SQLITE)
endif()
if(TARN_STORE_POSTGRES)
  target_link_libraries(tarn_engine PUBLIC tarn_store_postgres)
  target_compile_definitions(tarn_engine PRIVATE TARN_STORE_POSTGRES)
endif()
target_compile_definitions(tarn_engine PRIVATE TARN_VERSION="${PROJECT_VERSION}")
# duckdb.hpp costs seconds per file: it is compiled once.
target_precompile_headers(tarn_engine PRIVATE <duckdb.hpp> <map> <memory> <optional> <string>
                          <string_view> <unordered_map> <utility> <vector>)

# The extension: an entry library that needs nothing, with the engine library inside. The reasons are
# in src/engine/stub/README.md.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(engine_maps "${PROJECT_SOURCE_DIR}/src/engine/stub")
add_library(tarn_engine_module SHARED src/engine/module.cc)
target_link_libraries(tarn_engine_module PRIVATE tarn_engine tarn_options)
target_compile_definitions(tarn_engine_module PRIVATE TARN_VERSION="${PROJECT_VERSION}")
target_precompile_headers(tarn_engine_module REUSE_FROM tarn_engine)
# The run path only holds room for the path that the entry library writes in its place.
string(REPEAT "/room-for-a-path" 256 room)
set_target_properties(tarn_engine_module PROPERTIES
                      OUTPUT_NAME tarn_engine
                      LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/engine"
                      INSTALL_RPATH "${room}"
                      LINK_DEPENDS "${engine_maps}/engine.map")
target_link_options(tarn_engine_module PRIVATE "LINKER:--version-script=${engine_maps}/engine.map"
                    "LINKER:-z,defs" "LINKER:--gc-sections")

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(platform linux_arm64)
else()
  set(platform linux_amd64)
endif()
tarn_sources(stub_sources src/engine/stub)
add_library(tarn_extension MODULE ${stub_sources})
target_include_directories(tarn_extension PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(tarn_extension PRIVATE tarn_options ${CMAKE_DL_LIBS})
target_compile_definitions(tarn_extension PRIVATE
  TARN_VERSION="${PROJECT_VERSION}"
  TARN_DUCKDB_VERSION="v${TARN_DUCKDB_VERSION}"
  TARN_ENGINE_IMAGE="$<TARGET_FILE:tarn_engine_module>"
  TARN_LIBDUCKDB_FOLDERS="${PROJECT_BINARY_DIR}:${CMAKE_INSTALL_FULL_LIBDIR}/tarn")
set_source_files_properties(src/engine/stub/engine_image.cc PROPERTIES
                            OBJECT_DEPENDS "${PROJECT_BINARY_DIR}/engine/libtarn_engine.so")
add_dependencies(tarn_extension tarn_engine_module)
set_target_properties(tarn_extension PROPERTIES
                      PREFIX "" OUTPUT_NAME tarn SUFFIX .duckdb_extension
                      LINK_DEPENDS "${engine_maps}/entry.map;${PROJECT_SOURCE_DIR}/cmake/append_footer.py")
target_link_options(tarn_extension PRIVATE "LINKER:--version-script=${engine_maps}/entry.map"
                    "LINKER:-z,defs" "LINKER:-z,nodelete")
add_custom_command(TARGET tarn_extension POST_BUILD VERBATIM
  COMMAND ${Python3_EXECUTABLE} "${PROJECT_SOURCE_DIR}/cmake/append_footer.py"
          "$<TARGET_FILE:tarn_extension>" ${platform} "v${TARN_DUCKDB_VERSION}" "${PROJECT_VERSION}")

# The `tarn` command.
tarn_sources(shell_sources src/shell EXCEPT main.cc)
if(shell_sources)
  find_path(TARN_CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
  find_path(TARN_EDIT_INCLUDE histedit.h REQUIRED)
  find_library(TARN_EDIT_LIBRARY edit REQUIRED)
  mark_as_advanced(TARN_CLI11_INCLUDE TARN_EDIT_INCLUDE TARN_EDIT_LIBRARY)
  add_library(tarn_shell STATIC ${shell_sources})
  # Linked with the engine, but not compiled with it: the shell knows no DuckDB, and DuckDB's folder of
  # third-party headers has a {fmt} of another name.
  target_link_libraries(tarn_shell PUBLIC $<LINK_ONLY:tarn_engine> tarn_catalog tarn_data ${TARN_EDIT_LIBRARY}
                        PRIVATE tarn_options)
  if(TARN_STORE_DUCKDB)
    target_link_libraries(tarn_shell PUBLIC tarn_store_duckdb)
  endif()
  target_compile_definitions(tarn_shell PRIVATE TARN_VERSION="${PROJECT_VERSION}")
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/src/shell/main.cc")
  add_executable(tarn src/shell/main.cc)
  target_link_libraries(tarn PRIVATE tarn_engine $<TARGET_NAME_IF_EXISTS:tarn_shell> tarn_options)
  # libduckdb.so lies beside the command in the build tree, and in lib/tarn when installed.
  file(RELATIVE_PATH to_lib "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}/tarn")
  set_target_properties(tarn PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/${to_lib}")
endif()
