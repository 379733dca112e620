// The parts of `check`. Each looks at one kind of rows and adds what it finds; none changes
// anything.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/check_model.h"
#include "tarn/catalog_store.h"
#include "tarn/check.h"
#include "tarn/file_system.h"

namespace tarn {

/// CheckLake without a Lake around it: reads all of a catalog in one read transaction, then looks
/// at the files.
CheckReport CheckCatalog(StoreConnection& connection, std::string_view data_path,
                         FileSystem& file_system, const CheckOptions& options = {});
/// The same, and what was read of the catalog.
CheckReport CheckCatalog(StoreConnection& connection, std::string_view data_path,
                         FileSystem& file_system, const CheckOptions& options, check::Model& model);

namespace check {

/// With its first letter raised.
inline std::string Capitalized(std::string sentence) {
  if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z')
    sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  return sentence;
}

/// Collects findings. A sentence may start with a name in lower case: its first letter is raised.
class Findings {
 public:
  explicit Findings(CheckReport& report) : report_(report) {}
  void Error(std::string what, RepairTarget repair = {}) {
    Add({true, std::move(what), std::move(repair), {}});
  }
  void Note(std::string what, RepairTarget repair = {}) {
    Add({false, std::move(what), std::move(repair), {}});
  }
  /// What people can do where no repair will.
  void Error(std::string what, std::string advice) {
    Add({true, std::move(what), {}, std::move(advice)});
  }
  void Note(std::string what, std::string advice) {
    Add({false, std::move(what), {}, std::move(advice)});
  }
  void Add(CheckFinding finding) {
    finding.what = Capitalized(std::move(finding.what));
    report_.findings.push_back(std::move(finding));
  }

 private:
  CheckReport& report_;
};

/// A life must begin at a snapshot that was, and end after it.
void CheckLife(const Model& model, const std::string& name, const Life& life, Findings& findings);

void CheckSnapshots(const Model& model, Findings& findings);
void CheckOptionRows(const Model& model, Findings& findings);
void CheckObjects(const Model& model, Findings& findings);
void CheckColumns(const Model& model, Findings& findings);
void CheckSpecs(const Model& model, Findings& findings);
void CheckTags(const Model& model, Findings& findings);

/// Rows of files that contradict others. Where only a file can tell whether it is an error (row ids
/// that overlap are fine when one file carries its own), `may_embed_row_ids` is asked.
using EmbedsRowIds = std::function<bool(const FileRow&)>;
void CheckFiles(const Model& model, const EmbedsRowIds& may_embed_row_ids, Findings& findings);
void CheckFileStats(const Model& model, Findings& findings);
/// Rows of files that no snapshot sees: they should have gone with the last one that did.
void CheckUnseen(const Model& model, Findings& findings);
void CheckTableStats(const Model& model, Findings& findings);

/// Rows in the catalog database; needs the connection. Returns positions removed from each data
/// file by inlined deletes, counted.
std::map<int64_t, int64_t> CheckInlinedRows(StoreConnection& connection, const Model& model,
                                            Findings& findings);
/// Inlined rows alive at the newest snapshot.
int64_t CountInlinedRows(StoreConnection& connection, const Model& model);
/// A file cannot lose more rows than it has, over all forms of deletes.
void CheckDeleteCounts(const Model& model, const std::map<int64_t, int64_t>& inlined_deletes,
                       Findings& findings);

/// Where each file lies. A file whose table or schema is missing has no place.
class FilePlaces {
 public:
  FilePlaces(const Model& model, std::string_view data_path);
  std::optional<std::string> Of(const FileRow& row) const {
    return Resolve(row.table, row.file.path, row.file.path_is_relative);
  }
  /// Ends in a slash.
  std::optional<std::string> FolderOf(int64_t table) const {
    auto found = table_paths_.find(table);
    return found == table_paths_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::string> Of(const DeleteRow& row) const {
    return Resolve(row.table, row.file.path, row.file.path_is_relative);
  }

 private:
  std::optional<std::string> Resolve(int64_t table, const std::string& path,
                                     bool is_relative) const;
  std::map<int64_t, std::string> table_paths_;
};

void CheckStorage(const Model& model, const FilePlaces& places, std::string_view data_path,
                  FileSystem& file_system, const CheckOptions& options, Findings& findings);

}  // namespace check
}  // namespace tarn
