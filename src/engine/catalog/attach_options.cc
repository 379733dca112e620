// What ATTACH was told. See attach_options.h.
#include "engine/catalog/attach_options.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "duckdb/common/string_util.hpp"
#include "duckdb/main/secret/secret_manager.hpp"
#include "engine/catalog/secrets.h"
#include "engine/catalog/snapshot_selector.h"
#include "store/catalog_file.h"
#include "store/connection_string.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;

/// Reads options one by one into a LakeAttachOptions; a later one wins over an earlier.
class OptionReader {
 public:
  OptionReader(duckdb::ClientContext& context, LakeAttachOptions& result)
      : context_(context), result_(result) {}

  /// `key` in lower case.
  void Read(const std::string& key, const Value& value) {
    if (key == "data_path") {
      result_.data_path = value.ToString();
    } else if (key == "metadata_path") {
      result_.metadata_path = value.ToString();
    } else if (key == "metadata_schema") {
      result_.metadata_schema = value.ToString();
    } else if (key == "metadata_catalog") {
      result_.metadata_catalog = value.ToString();
      result_.metadata_catalog_given = true;
    } else if (key == "metadata_parameters") {
      ReadParameters(value);
    } else if (key == "encrypted") {
      result_.encrypted = Flag(key, value);
    } else if (key == "data_inlining_row_limit") {
      result_.data_inlining_row_limit = Count(key, value);
    } else if (key == "snapshot_version") {
      result_.snapshot.version = ToSnapshotId(context_, value);
    } else if (key == "snapshot_time") {
      result_.snapshot.time = ToTimestamp(context_, value);
    } else if (key == "create_if_not_exists") {
      result_.create_if_absent = Flag(key, value);
    } else if (key == "override_data_path") {
      result_.override_data_path = Flag(key, value);
    } else if (key == "automatic_migration") {
      result_.automatic_migration = Flag(key, value);
    } else if (key == "write_deletion_vectors") {
      result_.write_deletion_vectors = Flag(key, value);
    } else if (key == "busy_timeout") {
      result_.busy_timeout_ms = static_cast<int64_t>(Count(key, value));
    } else if (duckdb::StringUtil::StartsWith(key, "meta_")) {
      ReadParameter(key.substr(5), value.ToString());
    } else {
      throw duckdb::NotImplementedException("Unsupported option %s for DuckLake", key);
    }
  }

 private:
  Value Cast(const std::string& key, const Value& value, const LogicalType& type,
             const char* expected) {
    Value result;
    std::string error;
    if (!value.TryCastAs(context_, type, result, &error) || result.IsNull()) {
      throw duckdb::InvalidInputException("The option %s takes %s, not '%s'.", key, expected,
                                          value.ToString());
    }
    return result;
  }

  bool Flag(const std::string& key, const Value& value) {
    return Cast(key, value, LogicalType::BOOLEAN, "true or false").GetValue<bool>();
  }

  uint64_t Count(const std::string& key, const Value& value) {
    const auto count =
        Cast(key, value, LogicalType::UBIGINT, "a number from 0").GetValue<uint64_t>();
    return std::min<uint64_t>(count, INT64_MAX);
  }

  void ReadParameters(const Value& value) {
    const auto map = Cast("metadata_parameters", value,
                          LogicalType::MAP(LogicalType::VARCHAR, LogicalType::VARCHAR), "a map");
    for (const auto& entry : duckdb::MapValue::GetChildren(map)) {
      const auto& pair = duckdb::StructValue::GetChildren(entry);
      if (!pair[1].IsNull())
        ReadParameter(duckdb::StringUtil::Lower(pair[0].ToString()), pair[1].ToString());
    }
  }

  void ReadParameter(const std::string& key, const std::string& value) {
    if (key == "type") {
      result_.scheme = duckdb::StringUtil::Lower(value);
    } else if (key == "path") {
      result_.metadata_path = value;
    } else if (key == "schema") {
      result_.metadata_schema = value;
    } else if (key == "busy_timeout") {
      result_.busy_timeout_ms = static_cast<int64_t>(Count(key, Value(value)));
    } else {
      auto& parameters = result_.metadata_parameters;
      std::erase_if(parameters, [&](const auto& parameter) { return parameter.first == key; });
      parameters.emplace_back(key, value);
    }
  }

  duckdb::ClientContext& context_;
  LakeAttachOptions& result_;
};

/// Values of the secret that the path names, if it names one.
void ReadSecret(duckdb::ClientContext& context, const std::string& path, bool has_metadata_path,
                OptionReader& reader) {
  if (!IsSecretName(path)) return;
  const auto entry = FindLakeSecret(context, path);
  if (!entry) {
    if (!path.empty()) {
      throw duckdb::InvalidInputException(
          "Secret \"%s\" was not found - if this was meant to be a path to a DuckDB file, use "
          "duckdb:%s instead",
          path, path);
    }
    if (has_metadata_path) return;
    throw duckdb::InvalidInputException(
        "Default secret was not found - either specify a path to attach to directly, or create the "
        "secret");
  }
  const auto& secret = dynamic_cast<const duckdb::KeyValueSecret&>(*entry->secret);
  for (const auto& [key, value] : secret.secret_map) {
    if (!value.IsNull()) reader.Read(duckdb::StringUtil::Lower(key), value);
  }
}

/// Goes through the store's own detection: opening and closing the file here would drop the locks
/// that this process holds on it.
bool IsSqliteFile(const std::string& path) { return DetectCatalogScheme(path) == "sqlite"; }

/// What could be the name of a database, and is no drive's letter.
bool IsWord(const std::string& text) {
  return text.size() > 1 && text != "file" && std::all_of(text.begin(), text.end(), [](char c) {
           return duckdb::StringUtil::CharacterIsAlphaNumeric(c) || c == '_';
         });
}

/// Splits "sqlite:file" into scheme and path; a path without scheme is a file that is known by its
/// content.
void ReadScheme(LakeAttachOptions& result) {
  static constexpr std::string_view kSchemes[] = {"duckdb", "sqlite", "postgres", "postgresql",
                                                  "mysql"};
  const auto colon = result.metadata_path.find(':');
  if (colon != std::string::npos) {
    const auto prefix = duckdb::StringUtil::Lower(result.metadata_path.substr(0, colon));
    // An address carries its scheme itself: postgres://host/database.
    const bool is_address = result.metadata_path.compare(colon, 3, "://") == 0;
    if (std::find(std::begin(kSchemes), std::end(kSchemes), prefix) != std::end(kSchemes)) {
      result.scheme = prefix;
      if (!is_address) result.metadata_path = result.metadata_path.substr(colon + 1);
    } else if (!is_address && IsWord(prefix) && !std::filesystem::exists(result.metadata_path)) {
      result.scheme = prefix;  // mistyped: no file is made of that name
    }
  }
  if (result.scheme.empty()) {
    const bool is_memory = result.metadata_path == ":memory:";
    result.scheme = !is_memory && IsSqliteFile(result.metadata_path) ? "sqlite" : "duckdb";
  }
  if (result.scheme == "postgresql") result.scheme = "postgres";
  if (result.scheme != "duckdb" && result.scheme != "sqlite" && result.scheme != "postgres") {
    throw duckdb::NotImplementedException(
        "This version of Tarn cannot keep a catalog in \"%s\": attach one in a SQLite file "
        "('ducklake:sqlite:lake.db'), in a DuckDB file ('ducklake:lake.ducklake', or "
        "'ducklake:duckdb:…' where its name has a colon) or in PostgreSQL "
        "('ducklake:postgres:dbname=lake').",
        result.scheme);
  }
}

}  // namespace

LakeAttachOptions ReadAttachOptions(duckdb::ClientContext& context, const std::string& name,
                                    duckdb::AttachInfo& info, duckdb::AttachOptions& options) {
  LakeAttachOptions result;
  result.attach_path = info.path;
  result.attach_values = options.options;
  OptionReader reader(context, result);
  const bool has_metadata_path = options.options.count("metadata_path") > 0;
  ReadSecret(context, info.path, has_metadata_path, reader);
  if (!IsSecretName(info.path)) result.metadata_path = info.path;
  for (const auto& [key, value] : options.options)
    reader.Read(duckdb::StringUtil::Lower(key), value);
  if (result.metadata_path.empty()) {
    throw duckdb::InvalidInputException(
        "Secret \"%s\" has no METADATA_PATH: say in it, or in ATTACH, where the catalog is.",
        info.path);
  }
  result.shown_path = result.metadata_path;
  ReadScheme(result);
  if (result.scheme == "postgres") {
    result.shown_path = WithoutPasswords(result.shown_path);
    ReadPostgresSecret(context, result.metadata_parameters);
  }
  result.replace = info.on_conflict == duckdb::OnCreateConflict::REPLACE_ON_CONFLICT;
  result.lake_name = name;
  if (!result.metadata_catalog_given) result.metadata_catalog = "__ducklake_metadata_" + name;

  if (result.snapshot.version && result.snapshot.time) {
    throw duckdb::InvalidInputException("Cannot specify both VERSION and TIMESTAMP");
  }
  if (result.snapshot.version || result.snapshot.time) {
    if (options.access_mode == duckdb::AccessMode::READ_WRITE) {
      throw duckdb::InvalidInputException(
          "SNAPSHOT_VERSION / SNAPSHOT_TIME can only be used in read-only mode");
    }
    options.access_mode = duckdb::AccessMode::READ_ONLY;
  }
  result.read_only = options.access_mode == duckdb::AccessMode::READ_ONLY;
  return result;
}

}  // namespace tarn::engine
