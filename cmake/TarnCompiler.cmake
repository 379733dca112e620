# How everything is compiled: C++20, position independent, symbols hidden unless exported on purpose.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build: Release or Dev" FORCE)
endif()

# Dev keeps assertions (no NDEBUG) and stays quick enough for whole test runs. DEBUG is never defined:
# it would change the layout of DuckDB's classes.
set(CMAKE_CXX_FLAGS_DEV "-O1 -g1 -fno-omit-frame-pointer")
set(CMAKE_C_FLAGS_DEV "-O1 -g1 -fno-omit-frame-pointer")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

# Programs find the libduckdb.so beside them, in the build tree and installed.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN")

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TARN_CCACHE ccache)
  mark_as_advanced(TARN_CCACHE)
  if(TARN_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${TARN_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${TARN_CCACHE})
  endif()
endif()

find_program(TARN_MOLD mold)
mark_as_advanced(TARN_MOLD)
if(TARN_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# What each of Tarn's own targets is compiled with. Not exported: users choose their own warnings.
add_library(tarn_options INTERFACE)
target_compile_options(tarn_options INTERFACE -Wall -Wextra -fpch-preprocess)
if(TARN_WARNINGS_AS_ERRORS)
  target_compile_options(tarn_options INTERFACE -Werror)
endif()
if(TARN_SANITIZE)
  target_compile_options(tarn_options INTERFACE -fsanitize=${TARN_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TARN_SANITIZE})
  if(TARN_SANITIZE MATCHES "undefined")
    # libduckdb is not instrumented and does not export the type information that vptr compares.
    target_compile_options(tarn_options INTERFACE -fno-sanitize=vptr)
  endif()
endif()
