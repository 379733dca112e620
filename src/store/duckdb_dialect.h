// DuckDB's SQL as a catalog database's: the same for the driver on its own and for the engine's
// host instance.
#pragma once

#include <string>
#include <string_view>

#include "tarn/catalog_store.h"

namespace tarn {

/// What new catalog files are made as: other clients make the same. Older ones stay what they are,
/// so that whoever opens them goes on doing so.
inline constexpr const char* kDuckDbStorageVersion = "v1.5.0";

/// Whether a file of this storage version, as duckdb_databases() tells it ("v1.0.0+"), may have
/// tables with VARIANT columns.
bool StoresVariant(std::string_view storage_version);

class DuckDbDialect : public Dialect {
 public:
  /// Tables are always named in full, whatever other databases are attached and whichever is the
  /// default.
  DuckDbDialect(std::string_view database, std::string_view schema, bool has_variant);

  std::string_view name() const override { return "duckdb"; }
  std::string Quote(std::string_view identifier) const override;
  std::string QuoteTable(std::string_view table) const override;
  std::string TypeName(StoreType type) const override;
  std::string Placeholder(int n) const override;
  /// Whether tables may have columns of type VARIANT.
  bool has_variant() const { return has_variant_; }

 private:
  const std::string prefix_;
  const bool has_variant_;
};

}  // namespace tarn
