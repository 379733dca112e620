# The DuckDB adapter (tarn_engine) and what is made of it: the `tarn` command and the extension.

tarn_sources(engine_sources src/engine EXCEPT module.cc stub)
add_library(tarn_engine STATIC ${engine_sources})
target_link_libraries(tarn_engine PUBLIC tarn_catalog tarn_data tarn_duckdb_cpp PRIVATE tarn_options)
if(TARN_STORE_SQLITE)
  target_link_libraries(tarn_engine PUBLIC tarn_store_sqlite)
endif()
target_compile_definitions(tarn_engine PRIVATE TARN_VERSION="${PROJECT_VERSION}")
# duckdb.hpp costs seconds per file: it is compiled once.
target_precompile_headers(tarn_engine PRIVATE <duckdb.hpp> <map> <memory> <optional> <string>
                          <string_view> <unordered_map> <utility> <vector>)

# The `tarn` command.
tarn_sources(shell_sources src/shell EXCEPT main.cc)
if(shell_sources)
  find_path(TARN_CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
  find_path(TARN_EDIT_INCLUDE histedit.h REQUIRED)
  find_library(TARN_EDIT_LIBRARY edit REQUIRED)
  mark_as_advanced(TARN_CLI11_INCLUDE TARN_EDIT_INCLUDE TARN_EDIT_LIBRARY)
  add_library(tarn_shell STATIC ${shell_sources})
  target_link_libraries(tarn_shell PUBLIC tarn_engine ${TARN_EDIT_LIBRARY} PRIVATE tarn_options)
  if(TARN_STORE_DUCKDB)
    target_link_libraries(tarn_shell PUBLIC tarn_store_duckdb)
  endif()
  target_compile_definitions(tarn_shell PRIVATE TARN_VERSION="${PROJECT_VERSION}")
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/src/shell/main.cc")
  add_executable(tarn src/shell/main.cc)
  target_link_libraries(tarn PRIVATE tarn_engine $<TARGET_NAME_IF_EXISTS:tarn_shell> tarn_options)
endif()
