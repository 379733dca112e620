// Removal of files that the catalog does not know. See include/tarn/maintenance.h.
//
// The order is what makes it safe: files are listed before the pending ones are asked for, and
// these before the catalog is read. A file that was listed and is committed meanwhile is then in
// one of the two.
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "catalog/catalog_sql.h"
#include "catalog/old_files.h"
#include "catalog/table_folders.h"
#include "format/paths.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/data_folder.h"
#include "tarn/lake.h"
#include "tarn/maintenance.h"

namespace tarn {
namespace {

bool IsOfLakesKind(std::string_view path) {
  return path.ends_with(".parquet") || path.ends_with(".puffin");
}

size_t HashOf(const std::string& path) { return std::hash<std::string>()(NormalPath(path)); }

void VisitScheduledFiles(StoreConnection& connection,
                         const std::function<void(const LakePath&)>& visit) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT path, path_is_relative FROM ");
  sql.Table(tables::FilesScheduledForDeletion::kTable.name);
  const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) visit({std::string(rows->Text(0)), rows->OptBool(1).value_or(true)});
}

/// Every lake has a schema `main` in a folder of that name, so another lake's data path below ours
/// shows as a folder `main` that none of our tables lies in.
class OtherLakes {
 public:
  OtherLakes(std::string data_path, const std::vector<LakePath>& folders)
      : data_path_(std::move(data_path)) {
    for (const LakePath& folder : folders)
      own_.insert(NormalPath(JoinPath(data_path_, folder.path, folder.is_relative)));
  }

  /// Of a file below the data path.
  void Look(const std::string& path) {
    const std::optional<std::string> below = RelativeTo(data_path_, path);
    if (!below) return;
    constexpr std::string_view kMain = "/main/";
    for (size_t at = below->find(kMain); at != std::string::npos; at = below->find(kMain, at + 1)) {
      const std::string folder = NormalPath(JoinPath(data_path_, below->substr(0, at), true));
      if (!IsOwn(folder + "/main")) others_.insert(folder + "/");
    }
  }

  bool Have(const std::string& path) const {
    const std::string normal = NormalPath(path);
    for (const std::string& folder : others_) {
      if (normal.starts_with(folder)) return true;
    }
    return false;
  }

 private:
  /// A folder of ours, or in one: values of partitions make folders, too.
  bool IsOwn(std::string folder) const {
    for (; !folder.empty(); folder.resize(folder.rfind('/'))) {
      if (own_.contains(folder)) return true;
      if (folder.rfind('/') == std::string::npos) return false;
    }
    return false;
  }

  const std::string data_path_;
  std::set<std::string> own_;
  std::set<std::string> others_;
};

/// What the catalog knows by the very path that a listing gives, as hashes: so little is kept of
/// each file that lakes of any size can be searched. Two files of one hash only hide an orphan.
class KnownFiles {
 public:
  KnownFiles(StoreConnection& connection, const std::string& data_path) {
    ReadScope scope(connection);
    folders_ = TableFolders::Load(connection);
    auto add = [&](const LakePath& file) {
      hashes_.insert(HashOf(JoinPath(data_path, file.path, file.is_relative)));
    };
    VisitNamedFiles(connection, folders_, add);
    VisitScheduledFiles(connection, add);
  }

  bool Have(const std::string& path) const { return hashes_.contains(HashOf(path)); }
  const TableFolders& folders() const { return folders_; }

 private:
  TableFolders folders_;
  std::unordered_set<size_t> hashes_;
};

}  // namespace

std::vector<std::string> DeleteOrphanedFiles(Lake& lake, const FileRemoval& removal) {
  RequireFolder(lake);
  const std::unique_ptr<StoreConnection> connection = lake.store().Connect();
  connection->SetInterruptCheck(removal.interrupted);

  FileSearch search(lake.data_path());
  std::vector<std::string> candidates;
  {
    const KnownFiles known(*connection, lake.data_path());
    OtherLakes others(lake.data_path(), known.folders().all());
    lake.file_system().List(lake.data_path(), [&](const FileInfo& file) {
      if (!IsOfLakesKind(file.path)) return;
      others.Look(file.path);
      const bool is_young = removal.older_than && file.modified >= *removal.older_than;
      if (!is_young && !known.Have(file.path)) candidates.push_back(file.path);
    });
    std::erase_if(candidates, [&](const std::string& path) { return others.Have(path); });
  }
  if (candidates.empty()) return candidates;

  std::set<std::string> pending;
  if (removal.pending) {
    for (const std::string& path : removal.pending()) pending.insert(PhysicalPath(path));
  }
  for (const std::string& path : candidates) search.Add({path, false});
  {
    ReadScope scope(*connection);
    search.FindNamed(*connection, TableFolders::Load(*connection));
    VisitScheduledFiles(*connection, [&](const LakePath& file) { search.Compare(file); });
  }

  std::vector<std::string> orphans;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!search.IsNamed(i) && !pending.contains(PhysicalPath(candidates[i])))
      orphans.push_back(candidates[i]);
  }
  if (removal.dry_run) return orphans;
  FileRemover remover(lake.file_system(), removal.interrupted);
  remover.Remove(orphans);
  remover.Finish();  // throws unless all are gone
  return orphans;
}

}  // namespace tarn
