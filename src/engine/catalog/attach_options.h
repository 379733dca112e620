// What ATTACH was told: its path, its options, and what a secret adds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/parser/parsed_data/attach_info.hpp"
#include "tarn/snapshot.h"

namespace tarn::engine {

struct LakeAttachOptions {
  std::string lake_name;    ///< what the lake is attached as
  std::string attach_path;  ///< as ATTACH was given it, without "ducklake:"
  std::unordered_map<std::string, duckdb::Value> attach_values;  ///< all options as given
  std::string shown_path;        ///< what listings show: the path, also when a secret named it
  std::string scheme;            ///< of the catalog database: "duckdb", "sqlite"
  std::string metadata_path;     ///< without the scheme
  std::string metadata_schema;   ///< empty: the database's usual one
  std::string metadata_catalog;  ///< name of the catalog's own attachment
  bool metadata_catalog_given = false;  ///< the user named it, so it is listed
  std::vector<std::pair<std::string, std::string>>
      metadata_parameters;  ///< META_ options, lower-case keys
  std::string data_path;    ///< empty: the stored or the default one
  bool override_data_path = false;
  bool create_if_absent = true;
  bool read_only = false;
  bool replace = false;  ///< ATTACH OR REPLACE
  bool automatic_migration = false;
  std::optional<bool> encrypted;
  std::optional<uint64_t> data_inlining_row_limit;
  std::optional<bool> write_deletion_vectors;
  std::optional<int64_t> busy_timeout_ms;
  SnapshotSelector snapshot;  ///< pins the whole lake
};

/// Reads path, options and secret of an ATTACH. Takes from `options` what it understands and sets
/// its access mode. Throws DuckDB's exceptions for what it does not.
LakeAttachOptions ReadAttachOptions(duckdb::ClientContext& context, const std::string& name,
                                    duckdb::AttachInfo& info, duckdb::AttachOptions& options);

}  // namespace tarn::engine
