// Reads the catalog in one transaction, so that what is compared belongs together, and lets go of
// it before the files are looked at.
#include "catalog/check.h"

#include <algorithm>

#include "catalog/catalog_sql.h"
#include "tarn/data_folder.h"
#include "tarn/footer.h"

namespace tarn {
namespace {

constexpr int64_t kRowIdField = 2147483540;

/// Opens a file's footer to see whether its rows carry their ids. What cannot be read (encrypted,
/// missing) may: nothing is then said.
class RowIdProbe {
 public:
  RowIdProbe(const check::FilePlaces& places, FileSystem& file_system)
      : places_(places), file_system_(file_system) {}

  bool operator()(const check::FileRow& row) {
    auto [found, is_new] = known_.emplace(row.file.id.value, true);
    if (is_new) found->second = Read(row);
    return found->second;
  }

 private:
  bool Read(const check::FileRow& row) {
    std::optional<std::string> path = places_.Of(row);
    if (!path || row.file.encryption_key) return true;
    try {
      ParquetFooter footer = ReadParquetFooter(file_system_, *path);
      return std::any_of(footer.fields.begin(), footer.fields.end(),
                         [](const ParquetField& field) { return field.field_id == kRowIdField; });
    } catch (const Error&) {
      return true;
    }
  }

  const check::FilePlaces& places_;
  FileSystem& file_system_;
  std::map<int64_t, bool> known_;
};

/// Live rows at the head, by the catalog's counts; less than the truth where files or deletes are
/// partial.
int64_t CountLiveRows(const check::Model& model, const std::map<int64_t, int64_t>& inlined_deletes,
                      int64_t inlined_rows) {
  std::map<int64_t, int64_t> deleted = inlined_deletes;
  for (const check::DeleteRow& row : model.deletes) {
    if (row.life.IsAliveAt(model.head)) deleted[row.file.data_file.value] += row.file.delete_count;
  }
  int64_t rows = inlined_rows;
  for (const check::FileRow& row : model.files) {
    if (!row.life.IsAliveAt(model.head)) continue;
    auto gone = deleted.find(row.file.id.value);
    rows +=
        std::max<int64_t>(0, row.file.record_count - (gone == deleted.end() ? 0 : gone->second));
  }
  return rows;
}

void FillCounts(const check::Model& model, CheckReport& report) {
  report.snapshots = static_cast<int64_t>(model.snapshots.size());
  for (const check::ObjectRow& row : model.objects) {
    report.tables += row.kind == check::ObjectKind::kTable && row.life.IsAliveAt(model.head);
  }
  for (const check::FileRow& row : model.files) report.data_files += row.life.IsAliveAt(model.head);
  for (const check::DeleteRow& row : model.deletes)
    report.delete_files += row.life.IsAliveAt(model.head);
}

}  // namespace

bool CheckReport::clean() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const CheckFinding& finding) { return finding.is_error; });
}

CheckReport CheckCatalog(StoreConnection& connection, std::string_view data_path,
                         FileSystem& file_system, const CheckOptions& options) {
  check::Model model;
  return CheckCatalog(connection, data_path, file_system, options, model);
}

CheckReport CheckCatalog(StoreConnection& connection, std::string_view data_path,
                         FileSystem& file_system, const CheckOptions& options,
                         check::Model& model) {
  CheckReport report;
  check::Findings findings(report);
  {
    ReadScope scope(connection);
    model = check::Model::Load(connection);
    if (model.head_snapshot() == nullptr) {
      findings.Error("The lake has no snapshot.",
                     std::string("Restore the catalog from a backup."));
      return report;
    }
    std::map<int64_t, int64_t> inlined_deletes =
        check::CheckInlinedRows(connection, model, findings);
    check::CheckDeleteCounts(model, inlined_deletes, findings);
    report.rows = CountLiveRows(model, inlined_deletes, check::CountInlinedRows(connection, model));
  }
  FillCounts(model, report);
  check::CheckSnapshots(model, findings);
  check::CheckOptionRows(model, findings);
  check::CheckObjects(model, findings);
  check::CheckColumns(model, findings);
  check::CheckSpecs(model, findings);
  check::CheckTags(model, findings);
  check::CheckFileStats(model, findings);
  check::CheckUnseen(model, findings);
  check::CheckTableStats(model, findings);

  check::FilePlaces places(model, data_path);
  RowIdProbe embeds_row_ids(places, file_system);
  check::CheckFiles(model, std::ref(embeds_row_ids), findings);
  check::CheckStorage(model, places, data_path, file_system, options, findings);
  return report;
}

CheckReport CheckLake(Lake& lake, const CheckOptions& options) {
  std::unique_ptr<StoreConnection> connection = lake.store().Connect();
  CheckReport report = CheckCatalog(*connection, lake.data_path(), lake.file_system(), options);
  // Explains the lost files that follow.
  if (std::optional<std::string> lost = DescribeLostFolder(lake))
    report.findings.insert(report.findings.begin(), {.what = *lost});
  return report;
}

}  // namespace tarn
