// A DuckDB instance of its own with Tarn in it. See session.h.
#include "engine/session.h"

#include "duckdb.hpp"
#include "duckdb/common/progress_bar/progress_bar_display.hpp"
#include "duckdb/main/client_config.hpp"
#include "duckdb/main/materialized_query_result.hpp"
#include "duckdb/parser/statement/attach_statement.hpp"
#include "engine/bridge/file_system.h"
#include "engine/catalog/attach_options.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/copy_inlined.h"
#include "engine/extension.h"
#include "engine/inspect_contents.h"
#include "engine/inspect_inlined.h"
#include "engine/operators/delete_writer.h"
#include "engine/progress.h"
#include "engine/session_result.h"
#include "engine/store/lake_store.h"
#include "store/catalog_file.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;

Value ToDuckDb(const SessionValue& value) {
  struct Visitor {
    Value operator()(std::monostate) const { return Value(); }
    Value operator()(bool b) const { return Value::BOOLEAN(b); }
    Value operator()(int64_t number) const { return Value::BIGINT(number); }
    Value operator()(const std::string& text) const { return Value(text); }
    Value operator()(Timestamp time) const {
      return Value::TIMESTAMPTZ(duckdb::timestamp_tz_t(time.time_since_epoch().count()));
    }
  };
  return std::visit(Visitor(), value);
}

/// Runs `call`; whatever DuckDB throws becomes a tarn::Error.
template <class Call>
auto Translate(Call&& call) -> decltype(call()) {
  try {
    return std::forward<Call>(call)();
  } catch (const Error&) {
    throw;
  } catch (const duckdb::Exception& error) {
    ThrowSessionError(duckdb::ErrorData(error));
  } catch (const std::bad_alloc& error) {
    ThrowSessionError(duckdb::ErrorData(error));
  }
}

class ProgressDisplay : public duckdb::ProgressBarDisplay {
 public:
  ProgressDisplay(std::function<void(double)> update, std::function<void()> finish)
      : update_(std::move(update)), finish_(std::move(finish)) {}
  ~ProgressDisplay() override { Close(); }  // a cancelled statement never finishes
  void Update(double percentage) override {
    is_drawn_ = true;
    update_(percentage / 100);
  }
  void Finish() override { Close(); }

 private:
  void Close() {
    if (is_drawn_) finish_();
    is_drawn_ = false;
  }

  std::function<void(double)> update_;
  std::function<void()> finish_;
  bool is_drawn_ = false;
};

/// A DeleteWriter with what a transaction would keep for it; DuckDB's errors become ours.
class MergingWriter : public DeleteFileWriter {
 public:
  MergingWriter(duckdb::DatabaseInstance& db, TarnCatalog& catalog)
      : options_(catalog.lake().Begin()->options()),
        files_(catalog.lake().file_system()),
        writer_(db, catalog, options_, files_, /*prefers_deletion_vectors=*/false) {}
  DeleteFile Write(const PendingDelete& pending, SnapshotId snapshot) override {
    return Translate([&] { return writer_.Write(pending, snapshot); });
  }
  void Discard(const PendingDelete& pending, const DeleteFile& file) noexcept override {
    writer_.Discard(pending, file);
  }
  std::vector<int64_t> ReadPositions(const PendingDelete& pending) override {
    return Translate([&] { return writer_.ReadPositions(pending); });
  }

 private:
  const OptionSet options_;
  PendingFiles files_;
  DeleteWriter writer_;
};

class DuckDbSession : public Session {
 public:
  explicit DuckDbSession(duckdb::DBConfig& config) : db_(nullptr, &config), connection_(db_) {
    LoadTarn(*db_.instance);
  }

  void Attach(const LakeRequest& request, bool make_default) override {
    // Built rather than written: no name or path is ever pasted into SQL.
    auto statement = duckdb::make_uniq<duckdb::AttachStatement>();
    statement->info = duckdb::make_uniq<duckdb::AttachInfo>();
    statement->info->name = request.name;
    statement->info->path = request.path;
    for (const auto& [key, value] : request.options)
      statement->info->options[key] = ToDuckDb(value);
    if (request.read_only) statement->info->options["read_only"] = Value::BOOLEAN(true);
    Translate([&] { Check(*context().Query(std::move(statement), duckdb::QueryParameters())); });
    if (make_default)
      Run("USE " + duckdb::KeywordHelper::WriteOptionallyQuoted(request.name), false,
          [](SessionResult&) {});
  }

  std::shared_ptr<Lake> FindLake(const std::string& name) override {
    return Translate([&] {
      std::shared_ptr<Lake> lake;
      context().RunFunctionInTransaction([&] {
        lake = duckdb::Catalog::GetCatalog(context(), name).Cast<TarnCatalog>().shared_lake();
      });
      return lake;
    });
  }

  std::shared_ptr<CatalogStore> OpenStore(const LakeRequest& request,
                                          const CatalogStore& other) override {
    return Translate([&] {
      std::shared_ptr<CatalogStore> store;
      context().RunFunctionInTransaction([&] {
        duckdb::AttachInfo info;
        info.name = request.name;
        info.path = request.path.substr(request.path.find(':') + 1);  // without "ducklake:"
        for (const auto& [key, value] : request.options) info.options[key] = ToDuckDb(value);
        duckdb::AttachOptions options(info.options, duckdb::AccessMode::READ_WRITE);
        const auto read = ReadAttachOptions(context(), request.name, info, options);
        if (read.scheme == other.dialect().name() && read.scheme != "postgres" &&
            CanonicalPath(read.metadata_path) == CanonicalPath(other.location())) {
          throw Error(ErrorCode::kInvalid, "The lake at \"" + other.location() +
                                               "\" cannot be copied to itself: name another "
                                               "catalog.");
        }
        store = OpenLakeStore(context(), read);
        ConfirmLakeStore(*store);
      });
      return store;
    });
  }

  tarn::CopyInlinedRows inlined_rows() const override { return TransferInlinedRows; }

  std::vector<CheckFinding> InspectFile(const std::string& path, const DataFile& file,
                                        const Table& table) override {
    return Translate([&] {
      if (file.encryption_key) {
        std::vector<CheckFinding> found;
        context().RunFunctionInTransaction(
            [&] { found = InspectEncrypted(context(), path, file, table); });
        return found;
      }
      return InspectContents(connection_, *MakeFileSystem(*db_.instance), path, file, table);
    });
  }

  std::vector<CheckFinding> InspectFile(const std::string& path, const DeleteFile& file,
                                        int64_t row_count) override {
    return Translate([&] {
      std::vector<CheckFinding> found;
      context().RunFunctionInTransaction(
          [&] { found = InspectDeletePositions(context(), path, file, row_count); });
      return found;
    });
  }

  std::unique_ptr<DeleteFileWriter> MakeDeleteWriter(const std::string& lake) override {
    return Translate([&]() -> std::unique_ptr<DeleteFileWriter> {
      duckdb::optional_ptr<TarnCatalog> catalog;
      context().RunFunctionInTransaction(
          [&] { catalog = duckdb::Catalog::GetCatalog(context(), lake).Cast<TarnCatalog>(); });
      return std::make_unique<MergingWriter>(*db_.instance, *catalog);
    });
  }

  std::vector<CheckFinding> InspectInlinedRows(Lake& lake) override {
    return Translate([&] {
      std::vector<CheckFinding> found;
      context().RunFunctionInTransaction(
          [&] { found = engine::InspectInlinedRows(context(), lake); });
      return found;
    });
  }

  void Run(const std::string& sql, bool stream, const Show& show) override {
    Translate([&] {
      for (auto& statement : connection_.ExtractStatements(sql)) {
        duckdb::QueryParameters parameters(stream);
        // A big result that is drawn as a box goes to disk rather than beyond the memory limit.
        parameters.memory_type = duckdb::QueryResultMemoryType::BUFFER_MANAGED;
        ShowResult(context().Query(std::move(statement), parameters), show);
      }
    });
  }

  void Run(const std::string& sql, const std::vector<SessionValue>& parameters,
           const Show& show) override {
    Translate([&] {
      auto prepared = connection_.Prepare(sql);
      if (prepared->HasError()) ThrowSessionError(prepared->error);
      duckdb::vector<Value> values;
      for (const auto& parameter : parameters) values.push_back(ToDuckDb(parameter));
      ShowResult(prepared->Execute(values, /*allow_stream_result=*/false), show);
    });
  }

  void ShowRows(const std::vector<std::string>& columns,
                const std::vector<std::vector<SessionValue>>& rows, const Show& show) override {
    duckdb::vector<LogicalType> types(columns.size(), LogicalType::VARCHAR);
    for (size_t i = 0; i < columns.size(); ++i) {
      for (const auto& row : rows) {
        if (std::holds_alternative<std::monostate>(row[i])) continue;
        types[i] = ToDuckDb(row[i]).type();
        break;
      }
    }
    auto collection = duckdb::make_uniq<duckdb::ColumnDataCollection>(context(), types);
    duckdb::ColumnDataAppendState state;
    collection->InitializeAppend(state);
    duckdb::DataChunk chunk;
    chunk.Initialize(context(), types);
    for (const auto& row : rows) {
      for (size_t i = 0; i < columns.size(); ++i) chunk.SetValue(i, chunk.size(), ToDuckDb(row[i]));
      chunk.SetCardinality(chunk.size() + 1);
      if (chunk.size() < STANDARD_VECTOR_SIZE && &row != &rows.back()) continue;
      collection->Append(state, chunk);
      chunk.Reset();
    }
    duckdb::vector<duckdb::string> names(columns.begin(), columns.end());
    Translate([&] {
      ShowResult(duckdb::make_uniq<duckdb::MaterializedQueryResult>(
                     duckdb::StatementType::SELECT_STATEMENT, duckdb::StatementProperties(),
                     std::move(names), std::move(collection), context().GetClientProperties()),
                 show);
    });
  }

  void Interrupt() noexcept override { context().Interrupt(); }

  void WatchProgress(std::chrono::milliseconds after, std::function<void(double)> update,
                     std::function<void()> finish) override {
    auto& config = duckdb::ClientConfig::GetConfig(context());
    config.enable_progress_bar = true;
    config.print_progress_bar = true;
    config.wait_time = static_cast<int>(after.count());
    config.display_create_func = [update,
                                  finish]() -> duckdb::unique_ptr<duckdb::ProgressBarDisplay> {
      return duckdb::make_uniq<ProgressDisplay>(update, finish);
    };
    WatchStatements(context(), duckdb::make_shared_ptr<StatementProgress>(after, update, finish));
  }

  bool in_transaction() const override { return !context().transaction.IsAutoCommit(); }

 private:
  duckdb::ClientContext& context() const { return *connection_.context; }

  static void Check(duckdb::QueryResult& result) {
    if (result.HasError()) ThrowSessionError(result.GetErrorObject());
  }

  void ShowResult(duckdb::unique_ptr<duckdb::QueryResult> result, const Show& show) {
    Check(*result);
    DuckDbResult shown(context(), *result);
    show(shown);
  }

  duckdb::DuckDB db_;
  duckdb::Connection connection_;
};

}  // namespace

std::unique_ptr<Session> Session::Open(const SessionOptions& options) {
  return Translate([&]() -> std::unique_ptr<Session> {
    duckdb::DBConfig config;
    for (const auto& [name, value] : options.settings) config.SetOptionByName(name, Value(value));
    return std::make_unique<DuckDbSession>(config);
  });
}

std::string DatabaseVersion() { return duckdb::DuckDB::LibraryVersion(); }

}  // namespace tarn::engine
