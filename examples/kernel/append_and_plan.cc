// Tarn's kernel without any engine: appends a Parquet file that somebody else wrote to a table,
// lists the tables, plans a scan, and checks the lake.
//
//   append_and_plan LAKE FILE
//
// LAKE is a SQLite file; it is created with its data folder beside it when it is absent. FILE has
// the columns of the table `readings`: field id 1 (int64), 2 (varchar) and 3 (float64).
#include <exception>
#include <filesystem>
#include <iostream>

#include "tarn/tarn.h"

namespace {

tarn::Column MakeColumn(std::string name, std::string type) {
  tarn::Column column;
  column.name = std::move(name);
  column.type = std::move(type);
  return column;
}

std::shared_ptr<tarn::Lake> OpenOrCreate(const std::string& path) {
  tarn::RegisterSqliteDriver();
  tarn::StoreOptions store;
  store.location = path;
  tarn::LakeOptions options;
  options.store = tarn::OpenCatalogStore("sqlite", store);
  options.data_path = path + ".files/";
  return tarn::Lake::Open(options);
}

/// One transaction: the table, if it is missing, and the file become visible together or not at
/// all.
void Append(tarn::Lake& lake, const std::string& file_path) {
  std::unique_ptr<tarn::Transaction> transaction = lake.Begin();
  std::shared_ptr<const tarn::Table> table = transaction->view()->FindTable("main", "readings");
  if (table == nullptr) {
    table = transaction->CreateTable({"main",
                                      "readings",
                                      {MakeColumn("id", "int64"), MakeColumn("city", "varchar"),
                                       MakeColumn("degrees", "float64")}});
  }
  // The lake gets a copy of its own, so that what it deletes is never somebody else's. Files that
  // no commit mentions are just left over.
  std::string folder = lake.TablePath(*transaction->view(), *table);
  std::string name = "readings-" + std::to_string(transaction->base().id.value + 1) + ".parquet";
  lake.file_system().CreateDirectories(folder);
  std::filesystem::copy_file(file_path, folder + name);

  // Reads the file's footer: rows, sizes, statistics. A file whose columns do not fit the table is
  // refused here.
  tarn::DataFile file = tarn::DescribeDataFile(lake.file_system(), folder + name, *table);
  file.path = name;
  file.path_is_relative = true;
  transaction->AddDataFiles(table->ref, {file});
  transaction->SetCommitMessage({"example", "appended " + file_path, {}});
  std::optional<tarn::SnapshotId> snapshot = transaction->Commit();
  std::cout << "Appended " << file.record_count << " rows as snapshot " << snapshot->value << "\n";
}

void ListTables(tarn::Transaction& transaction) {
  std::map<tarn::TableRef, int64_t> rows = transaction.RowCounts();
  for (const tarn::TableInfo& info : transaction.ListTableInfo()) {
    std::cout << "Table " << info.table->name << " has " << rows[info.table->ref] << " rows in "
              << info.file_count << " files, " << info.file_size_bytes << " bytes\n";
  }
}

/// Which files may hold readings above 20 degrees? An engine would now open these and apply what
/// the plan says of deletes.
void PlanScan(tarn::Transaction& transaction) {
  tarn::TableScan scan;
  scan.table = transaction.view()->FindTable("main", "readings");
  scan.predicate.kind = tarn::Predicate::Kind::kCompare;
  scan.predicate.compare = tarn::Predicate::Compare::kGreater;
  scan.predicate.field = scan.table->FindColumn("degrees")->id;
  scan.predicate.constants = {"20"};
  tarn::ScanPlan plan = transaction.PlanScan(scan);
  std::cout << "To find degrees > 20, read " << plan.files.size() << " of " << plan.total_files
            << (plan.total_files == 1 ? " file:\n" : " files:\n");
  for (const tarn::ScanFile& file : plan.files) std::cout << "  " << file.path << "\n";
}

/// Returns false when something is wrong with the lake.
bool Check(tarn::Lake& lake) {
  tarn::CheckOptions options;
  options.deep = true;
  tarn::CheckReport report = tarn::CheckLake(lake, options);
  for (const tarn::CheckFinding& finding : report.findings) {
    std::cout << (finding.is_error ? "Error: " : "Note: ") << finding.what << "\n";
  }
  if (report.clean()) std::cout << "The lake is whole.\n";
  return report.clean();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "Usage: append_and_plan LAKE FILE\n";
    return 2;
  }
  try {
    std::shared_ptr<tarn::Lake> lake = OpenOrCreate(argv[1]);
    Append(*lake, argv[2]);
    std::unique_ptr<tarn::Transaction> transaction = lake->Begin();
    ListTables(*transaction);
    PlanScan(*transaction);
    return Check(*lake) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
