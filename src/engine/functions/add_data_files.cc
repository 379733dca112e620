// ducklake_add_data_files(lake, table, files): files that are there already become files of a
// table, where they lie. Only their footers are read.
#include <algorithm>
#include <atomic>
#include <map>
#include <set>

#include "duckdb/common/file_system.hpp"
#include "duckdb/common/hive_partitioning.hpp"
#include "duckdb/parallel/task_executor.hpp"
#include "duckdb/parallel/task_scheduler.hpp"
#include "engine/bridge/errors.h"
#include "engine/bridge/types.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"
#include "format/name_map_key.h"
#include "format/paths.h"
#include "tarn/error.h"
#include "tarn/registered_file.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::Value;

struct Request {
  TableRef table;
  std::vector<std::string> patterns;
  bool reads_folders = true;
  bool allow_missing = false;
  bool ignore_extra_columns = false;
};

std::vector<std::string> PatternsOf(const Value& files) {
  if (files.IsNull()) throw Error(ErrorCode::kInvalid, "File list cannot be NULL.");
  const auto take = [](const Value& file) {
    if (file.IsNull()) throw Error(ErrorCode::kInvalid, "A file's name cannot be NULL.");
    if (file.type().id() != LogicalTypeId::VARCHAR) {
      throw Error(ErrorCode::kInvalid,
                  "Files are given as a name, a pattern or a list of them, not as " +
                      file.type().ToString() + ".");
    }
    auto name = file.ToString();
    if (name.empty()) throw Error(ErrorCode::kInvalid, "A file's name cannot be empty.");
    return name;
  };
  if (files.type().id() != LogicalTypeId::LIST) return {take(files)};
  std::vector<std::string> patterns;
  for (const auto& file : duckdb::ListValue::GetChildren(files)) patterns.push_back(take(file));
  return patterns;
}

/// An absolute path without detours, so that every reader finds it, wherever it runs.
std::string StoredPath(FileSystem& file_system, const std::string& path) {
  auto absolute =
      IsAbsolutePath(path) ? path : duckdb::FileSystem::GetWorkingDirectory() + "/" + path;
  const bool climbs = ("/" + absolute + "/").find("/../") != std::string::npos;
  // `..` behind a link is not the folder before the link.
  return climbs ? file_system.RealPath(absolute) : NormalPath(absolute);
}

struct Candidate {
  std::string path;    ///< absolute
  std::string stored;  ///< the same, or relative to the table's folder
  bool is_relative = false;
  FileToRegister file;
  std::string real_path;
  RegisteredFile described;
};

class Registrar {
 public:
  Registrar(duckdb::ClientContext& context, TarnTransaction& transaction, const Request& request)
      : context_(context),
        file_system_(transaction.catalog().lake().file_system()),
        pending_files_(transaction.pending_files()),
        request_(request),
        table_(transaction.kernel().view()->FindTable(request.table)) {
    if (!table_) throw Error(ErrorCode::kNotFound, "The table to add files to does not exist.");
    auto& lake = transaction.catalog().lake();
    const auto folder = lake.TablePath(*transaction.kernel().view(), *table_);
    folder_ = StoredPath(file_system_, folder);
  }

  std::vector<DataFile> Run() {
    for (const auto& pattern : request_.patterns) Find(pattern);
    for (const auto& candidate : candidates_) pending_files_.Borrow(candidate.path);
    DescribeAll();
    return Take();
  }

 private:
  void Find(const std::string& pattern) {
    auto& files = duckdb::FileSystem::GetFileSystem(context_);
    const duckdb::FileGlobInput input(duckdb::FileGlobOptions::FALLBACK_GLOB, "parquet");
    auto found = files.GlobFiles(pattern, input);
    // In an order that another run has, too.
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.path < b.path; });
    for (const auto& file : found) {
      Candidate candidate;
      candidate.path = StoredPath(file_system_, file.path);
      if (!named_.insert(candidate.path).second) continue;
      const auto relative = RelativeTo(folder_, candidate.path);
      candidate.is_relative = relative.has_value();
      candidate.stored = relative.value_or(candidate.path);
      candidate.file.path = candidate.path;
      candidate.file.allow_missing = request_.allow_missing;
      candidate.file.ignore_extra_columns = request_.ignore_extra_columns;
      if (request_.reads_folders) AddFolders(candidate);
      candidates_.push_back(std::move(candidate));
    }
  }

  void AddFolders(Candidate& candidate) {
    // Of a file in the table's own folder only what lies below it: the lake's folder may be called
    // `a=b`, which says nothing of the rows.
    for (const auto& [key, text] : duckdb::HivePartitioning::Parse(candidate.stored)) {
      FolderValue folder;
      folder.key = key;
      const bool is_null =
          text == "__HIVE_DEFAULT_PARTITION__" || duckdb::StringUtil::CIEquals(text, "NULL");
      if (!is_null) folder.text = duckdb::HivePartitioning::Unescape(text);
      if (const auto* column = ColumnOfFolder(*table_, key)) {
        folder.value = CastFolder(*column, key, text, candidate.path);
      }
      candidate.file.folders.push_back(std::move(folder));
    }
  }

  /// As the scan will read it.
  std::optional<std::string> CastFolder(const Column& column, const std::string& key,
                                        const std::string& text, const std::string& path) {
    auto& cached = casts_[{column.id, text}];
    if (cached) return *cached;
    const auto type = ToSqlType(column);
    try {
      const auto value = duckdb::HivePartitioning::GetValue(context_, key, text, type);
      cached = value.IsNull() ? std::nullopt : std::optional(value.ToString());
    } catch (const duckdb::InvalidInputException&) {
      throw Error(ErrorCode::kInvalid, "The folder \"" + key + "=" + text + "\" of file \"" + path +
                                           "\" is no value of column \"" + column.name +
                                           "\" of table \"" + table_->name +
                                           "\", which is of type " + type.ToString() + ".");
    }
    return *cached;
  }

  void DescribeAll();

  void Describe(Candidate& candidate) const {
    candidate.real_path = file_system_.RealPath(candidate.path);
    candidate.described = DescribeRegisteredFile(file_system_, candidate.file, *table_);
  }

  std::vector<DataFile> Take() {
    std::map<std::string, std::shared_ptr<const NameMap>> shared_names;
    std::set<std::string> real_paths;
    std::vector<DataFile> files;
    for (auto& candidate : candidates_) {
      if (!real_paths.insert(candidate.real_path).second) continue;
      auto& file = candidate.described.file;
      if (file.record_count == 0) continue;  // nothing to read
      auto& names = shared_names[NameMapKey(candidate.described.names)];
      if (!names) names = std::make_shared<NameMap>(std::move(candidate.described.names));
      file.path = candidate.stored;
      file.path_is_relative = candidate.is_relative;
      file.names = names;
      file.registration = std::make_shared<Registration>(Registration{candidate.real_path});
      files.push_back(std::move(file));
    }
    return files;
  }

  class Task;

  duckdb::ClientContext& context_;
  FileSystem& file_system_;
  PendingFiles& pending_files_;
  const Request& request_;
  const std::shared_ptr<const Table> table_;
  std::string folder_;  ///< the table's, absolute
  std::vector<Candidate> candidates_;
  std::set<std::string> named_;
  std::map<std::pair<FieldId, std::string>, std::optional<std::optional<std::string>>> casts_;
  std::atomic<size_t> next_ = 0;
};

/// Takes one file after the other until there are no more.
class Registrar::Task : public duckdb::BaseExecutorTask {
 public:
  Task(duckdb::TaskExecutor& executor, Registrar& registrar)
      : BaseExecutorTask(executor), registrar_(registrar) {}

  void ExecuteTask() override {
    Guard([&] {
      while (!executor.HasError()) {
        const auto i = registrar_.next_++;
        if (i >= registrar_.candidates_.size()) return;
        if (registrar_.context_.interrupted) throw duckdb::InterruptException();
        registrar_.Describe(registrar_.candidates_[i]);
      }
    });
  }

 private:
  Registrar& registrar_;
};

void Registrar::DescribeAll() {
  constexpr size_t kFilesPerTask = 16;
  const auto threads =
      static_cast<size_t>(duckdb::TaskScheduler::GetScheduler(context_).NumberOfThreads());
  duckdb::TaskExecutor executor(context_);
  const auto tasks = std::min(threads, candidates_.size() / kFilesPerTask + 1);
  for (size_t i = 0; i < tasks; ++i) {
    executor.ScheduleTask(duckdb::make_uniq<Task>(executor, *this));
  }
  executor.WorkOnTasks();
}

BoundLakeFunction Bind(const LakeCall& call) {
  Request request;
  const auto* schema = call.Named("schema");
  request.table =
      call.FindTable(schema ? schema->ToString() : DEFAULT_SCHEMA, call.Text(0, "table name"))
          .shared_table()
          ->ref;
  request.patterns = PatternsOf(call.arguments.at(1));
  const auto flag = [&](const char* name, bool otherwise) {
    const auto* value = call.Named(name);
    return value ? value->GetValue<bool>() : otherwise;
  };
  request.reads_folders = flag("hive_partitioning", true);
  request.allow_missing = flag("allow_missing", false);
  request.ignore_extra_columns = flag("ignore_extra_columns", false);
  if (call.lake.lake().encrypted()) {
    throw Error(ErrorCode::kInvalid,
                "Files cannot be added to the lake \"" + call.lake.GetName() +
                    "\": it is encrypted, and they are not. INSERT INTO … SELECT … FROM "
                    "read_parquet(…) writes their rows encrypted.");
  }

  BoundLakeFunction bound;
  bound.names = {"filename"};
  bound.types = {LogicalType::VARCHAR};
  bound.run = [request](duckdb::ClientContext& context, TarnTransaction& transaction, ResultRows&) {
    transaction.kernel().AddDataFiles(request.table,
                                      Registrar(context, transaction, request).Run());
  };
  return bound;
}

}  // namespace

LakeFunction AddDataFilesFunction() {
  return {.name = "add_data_files",
          .writes = true,
          .arguments = {LogicalType::VARCHAR, LogicalType::ANY},
          .named = {{"schema", LogicalType::VARCHAR},
                    {"hive_partitioning", LogicalType::BOOLEAN},
                    {"ignore_extra_columns", LogicalType::BOOLEAN},
                    {"allow_missing", LogicalType::BOOLEAN}},
          .bind = Bind};
}

}  // namespace tarn::engine
