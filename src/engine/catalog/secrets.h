// CREATE SECRET (TYPE ducklake, …): what an ATTACH by the secret's name uses.
#pragma once

#include <string>

#include "duckdb.hpp"
#include "duckdb/main/secret/secret_manager.hpp"

namespace duckdb {
class ExtensionLoader;
}

namespace tarn::engine {

/// Registers secrets of TYPE ducklake and of TYPE tarn.
void RegisterSecrets(duckdb::ExtensionLoader& loader);

/// True for a path that can only be a secret's name: empty (the unnamed one), or just ASCII
/// letters, digits and '_'.
bool IsSecretName(const std::string& path);

/// The secret of that name, or the unnamed one. Null when there is none. Throws when it is of
/// another type.
duckdb::unique_ptr<duckdb::SecretEntry> FindLakeSecret(duckdb::ClientContext& context,
                                                       const std::string& name);

/// Puts what a secret of postgres_scanner says before the connection parameters: the one that
/// parameter `secret` names, else the unnamed one, if there is one. Such secrets exist only while
/// that extension is loaded.
void ReadPostgresSecret(duckdb::ClientContext& context,
                        std::vector<std::pair<std::string, std::string>>& parameters);

}  // namespace tarn::engine
