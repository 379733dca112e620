// Prints what the kernel, without an engine, makes of a lake: lines of JSON, for tests that compare
// it with what another client says.
//
//   tarn_lake_dump SCHEME PATH     ("sqlite" or "duckdb", a catalog file)
//
// Exit code 3: this build has no driver of that scheme.
#include <iostream>

#include <nlohmann/json.hpp>

#include "tarn/tarn.h"

namespace {

using Json = nlohmann::json;

bool HasDriver(const std::string& scheme) {
#ifdef TARN_STORE_SQLITE
  tarn::RegisterSqliteDriver();
  if (scheme == "sqlite") return true;
#endif
#ifdef TARN_STORE_DUCKDB
  tarn::RegisterDuckDbDriver();
  if (scheme == "duckdb") return true;
#endif
  return false;
}

void PrintCheck(tarn::Lake& lake) {
  tarn::CheckOptions options;
  options.deep = true;
  tarn::CheckReport report = tarn::CheckLake(lake, options);
  for (const tarn::CheckFinding& finding : report.findings) {
    std::cout << Json{{"kind", finding.is_error ? "error" : "note"}, {"what", finding.what}}.dump()
              << "\n";
  }
  std::cout << Json{{"kind", "report"},
                    {"clean", report.clean()},
                    {"rows", report.rows},
                    {"tables", report.tables}}
                   .dump()
            << "\n";
}

/// Each table at each snapshot: how many rows the plan says there are, and where.
void PrintPlans(tarn::Lake& lake) {
  for (const tarn::SnapshotInfo& info : lake.ListSnapshots()) {
    std::unique_ptr<tarn::Transaction> transaction = lake.Begin({info.snapshot.id, {}});
    for (const auto& [schema_name, schema] : transaction->view()->schemas()) {
      for (const auto& [table_name, table] : schema->tables) {
        tarn::TableScan scan;
        scan.table = table;
        tarn::ScanPlan plan = transaction->PlanScan(scan);
        Json line = {{"kind", "plan"},
                     {"snapshot", info.snapshot.id.value},
                     {"schema", schema_name},
                     {"table", table_name},
                     {"most", plan.max_row_count},
                     {"files", plan.files.size()}};
        if (plan.row_count) line["rows"] = *plan.row_count;
        std::cout << line.dump() << "\n";
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    if (!HasDriver(argv[1])) return 3;
    tarn::StoreOptions store;
    store.location = argv[2];
    store.read_only = true;
    tarn::LakeOptions options;
    options.store = tarn::OpenCatalogStore(argv[1], store);
    options.create_if_absent = false;
    options.read_only = true;
    std::shared_ptr<tarn::Lake> lake = tarn::Lake::Open(options);
    PrintCheck(*lake);
    PrintPlans(*lake);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
