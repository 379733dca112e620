// Secrets of TYPE ducklake. See secrets.h.
#include "engine/catalog/secrets.h"

#include <algorithm>

#include "duckdb/catalog/catalog_transaction.hpp"
#include "duckdb/common/string_util.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "duckdb/main/secret/secret_manager.hpp"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;

constexpr const char* kTypes[] = {"ducklake", "tarn"};

duckdb::unique_ptr<duckdb::BaseSecret> Create(duckdb::ClientContext&,
                                              duckdb::CreateSecretInput& input) {
  auto secret = duckdb::make_uniq<duckdb::KeyValueSecret>(input.scope, input.type, input.provider,
                                                          input.name);
  for (const auto& [key, value] : input.options)
    secret->secret_map[duckdb::StringUtil::Lower(key)] = value;
  return secret;
}

}  // namespace

void RegisterSecrets(duckdb::ExtensionLoader& loader) {
  for (const char* name : kTypes) {
    duckdb::SecretType type;
    type.name = name;
    type.deserializer = duckdb::KeyValueSecret::Deserialize<duckdb::KeyValueSecret>;
    type.default_provider = "config";
    type.extension = "tarn";
    loader.RegisterSecretType(type);

    duckdb::CreateSecretFunction function;
    function.secret_type = name;
    function.provider = "config";
    function.function = Create;
    for (const char* text :
         {"metadata_path", "data_path", "metadata_schema", "metadata_catalog", "snapshot_time"}) {
      function.named_parameters[text] = LogicalType::VARCHAR;
    }
    for (const char* flag : {"encrypted", "create_if_not_exists", "override_data_path",
                             "automatic_migration", "write_deletion_vectors"}) {
      function.named_parameters[flag] = LogicalType::BOOLEAN;
    }
    for (const char* number : {"data_inlining_row_limit", "snapshot_version", "busy_timeout"}) {
      function.named_parameters[number] = LogicalType::UBIGINT;
    }
    function.named_parameters["metadata_parameters"] =
        LogicalType::MAP(LogicalType::VARCHAR, LogicalType::VARCHAR);
    loader.RegisterFunction(function);
  }
}

bool IsSecretName(const std::string& path) {
  return std::all_of(path.begin(), path.end(), [](char c) {
    return duckdb::StringUtil::CharacterIsAlphaNumeric(c) || c == '_';
  });
}

duckdb::unique_ptr<duckdb::SecretEntry> FindLakeSecret(duckdb::ClientContext& context,
                                                       const std::string& name) {
  auto& manager = duckdb::SecretManager::Get(context);
  const auto transaction = duckdb::CatalogTransaction::GetSystemCatalogTransaction(context);
  if (name.empty()) {
    for (const char* type : kTypes) {
      auto entry = manager.GetSecretByName(transaction, std::string("__default_") + type);
      if (entry) return entry;
    }
    return nullptr;
  }
  auto entry = manager.GetSecretByName(transaction, name);
  if (!entry) return nullptr;
  const auto& type = entry->secret->GetType();
  const bool fits = std::any_of(std::begin(kTypes), std::end(kTypes), [&](const char* own) {
    return duckdb::StringUtil::CIEquals(type, own);
  });
  if (!fits) {
    throw duckdb::InvalidInputException(
        "Secret \"%s\" is of type %s: ATTACH needs one of type ducklake. If this was meant to be a "
        "path to a DuckDB "
        "file, use duckdb:%s instead.",
        name, type, name);
  }
  return entry;
}

void ReadPostgresSecret(duckdb::ClientContext& context,
                        std::vector<std::pair<std::string, std::string>>& parameters) {
  const auto named = std::find_if(parameters.begin(), parameters.end(), [](const auto& parameter) {
    return parameter.first == "secret";
  });
  std::string name = "__default_postgres";
  const bool is_named = named != parameters.end();
  if (is_named) {
    name = named->second;
    parameters.erase(named);
  }
  auto& manager = duckdb::SecretManager::Get(context);
  const auto transaction = duckdb::CatalogTransaction::GetSystemCatalogTransaction(context);
  const auto entry = manager.GetSecretByName(transaction, name);
  if (!entry) {
    if (!is_named) return;
    throw duckdb::InvalidInputException(
        "Secret \"%s\" was not found: META_SECRET names a secret of type postgres, which CREATE "
        "SECRET makes while the extension postgres is loaded.",
        name);
  }
  if (!duckdb::StringUtil::CIEquals(entry->secret->GetType(), "postgres")) {
    throw duckdb::InvalidInputException(
        "Secret \"%s\" is of type %s: META_SECRET needs one of type postgres.", name,
        entry->secret->GetType());
  }
  const auto& secret = dynamic_cast<const duckdb::KeyValueSecret&>(*entry->secret);
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& [key, value] : secret.secret_map) {
    const auto keyword = duckdb::StringUtil::Lower(key);
    if (!value.IsNull())
      found.emplace_back(keyword == "database" ? "dbname" : keyword, value.ToString());
  }
  parameters.insert(parameters.begin(), found.begin(), found.end());
}

}  // namespace tarn::engine
