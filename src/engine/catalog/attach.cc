// Opens the lake that an ATTACH names. See attach.h.
#include "engine/catalog/attach.h"

#include "duckdb/common/file_system.hpp"
#include "engine/bridge/file_system.h"
#include "engine/store/lake_store.h"
#include "store/connection_string.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

/// Where the files of a lake in a DuckDB file go if nobody says: beside it, wherever the process
/// runs later.
std::string DefaultDataPath(const std::string& metadata_path) {
  const auto folder = metadata_path + ".files/";
  const bool is_plain =
      metadata_path == ":memory:" || duckdb::FileSystem::IsRemoteFile(metadata_path);
  if (is_plain || folder.front() == '/') return folder;
  return duckdb::FileSystem::GetWorkingDirectory() + "/" + folder;
}

}  // namespace

std::shared_ptr<Lake> OpenLake(duckdb::ClientContext& context, const LakeAttachOptions& options) {
  LakeOptions lake;
  try {
    lake.store = OpenLakeStore(context, options);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInterrupted) throw;
    if (error.code() == ErrorCode::kNotFound && (options.read_only || !options.create_if_absent)) {
      throw Error(ErrorCode::kNotFound,
                  "Existing DuckLake at metadata catalog \"" + options.shown_path +
                      "\" does not exist - and creating a new DuckLake is explicitly disabled");
    }
    throw Error(error.code(), "Failed to attach DuckLake MetaData \"" + options.metadata_catalog +
                                  "\" at path \"" + WithoutPasswords(options.metadata_path) +
                                  "\": " + error.message());
  }
  lake.file_system = MakeFileSystem(duckdb::DatabaseInstance::GetDatabase(context));
  lake.data_path = options.data_path;
  lake.override_data_path = options.override_data_path;
  lake.create_if_absent = options.create_if_absent && !options.read_only;
  lake.read_only = options.read_only;
  lake.encrypted = options.encrypted;
  lake.automatic_migration = options.automatic_migration;

  if (options.scheme == "duckdb" && options.data_path.empty() && lake.create_if_absent) {
    // The default holds for a new lake only: one that exists knows its own path, also after its
    // file was moved.
    auto existing = lake;
    existing.create_if_absent = false;
    try {
      return Lake::Open(existing);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kNotFound) throw;
    }
    lake.data_path = DefaultDataPath(options.metadata_path);
  }
  return Lake::Open(lake);
}

}  // namespace tarn::engine
