# tarn_folder(FOLDER DEPENDS targets... [PRIVATE targets...] [EXCEPT subfolders...] [HEADERS_ONLY])
#
# Makes the library of src/FOLDER and of the folders below it: src/store/sqlite becomes tarn_store_sqlite.
# EXCEPT names subfolders that are libraries of their own. A folder without sources becomes an
# interface library, so that those above it need not care.

# The sources of a folder: tarn_sources(VARIABLE folder [EXCEPT names...])
function(tarn_sources variable folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "EXCEPT")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cc")
  foreach(name IN LISTS arg_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/${folder}/${name}(/|$)")
  endforeach()
  set(${variable} "${sources}" PARENT_SCOPE)
endfunction()

function(tarn_folder folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;PRIVATE;EXCEPT")
  string(REPLACE "/" "_" name "tarn_${folder}")
  tarn_sources(sources "src/${folder}" EXCEPT ${arg_EXCEPT})
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC ${arg_DEPENDS}
                          PRIVATE $<BUILD_INTERFACE:tarn_options> ${arg_PRIVATE})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${arg_DEPENDS})
  endif()
  string(REPLACE "tarn_" "" export_name ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${export_name})
  add_library(Tarn::${export_name} ALIAS ${name})
  set_property(GLOBAL APPEND PROPERTY TARN_LIBRARIES ${name})
endfunction()
