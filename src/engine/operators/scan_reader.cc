// See scan_reader.h.
#include "engine/operators/scan_reader.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "duckdb/common/hive_partitioning.hpp"
#include "duckdb/function/function_binder.hpp"
#include "duckdb/planner/expression/bound_constant_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "duckdb/planner/filter/conjunction_filter.hpp"
#include "duckdb/planner/filter/constant_filter.hpp"
#include "engine/bridge/errors.h"
#include "engine/bridge/types.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/delete_filter.h"
#include "engine/operators/file_errors.h"
#include "engine/operators/inlined_reader.h"
#include "engine/operators/scan_columns.h"
#include "engine/operators/scan_file_list.h"
#include "engine/operators/vanished_structs.h"

namespace tarn::engine {
namespace {

using duckdb::Value;

constexpr const char* kReadFailed = "Failed to read file ";

const NameMap* NameMapOf(const ScanFileInfo& info) {
  if (info.file == nullptr) {
    return nullptr;
  }
  if (info.file->file.names) {
    return info.file->file.names.get();
  }
  if (!info.file->file.mapping_id) {
    return nullptr;
  }
  const auto found = info.plan->name_maps.find(*info.file->file.mapping_id);
  if (found == info.plan->name_maps.end()) {
    throw Error(ErrorCode::kCorrupt, "The file \"" + info.file->path + "\" has name mapping " +
                                         std::to_string(info.file->file.mapping_id->value) +
                                         ", which the catalog does not have.");
  }
  return found->second.get();
}

// Values that a registered file has in its folder names only.
void AddHiveConstants(const NameMap& map, const ScanFile& file,
                      const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
                      const duckdb::vector<duckdb::ColumnIndex>& column_ids,
                      duckdb::ClientContext& context, duckdb::MultiFileReaderData& reader_data) {
  const auto is_partition = [](const NameMapEntry& entry) { return entry.is_partition; };
  if (std::none_of(map.entries.begin(), map.entries.end(), is_partition)) {
    return;
  }
  const auto folders = duckdb::HivePartitioning::Parse(file.path);
  for (duckdb::idx_t i = 0; i < column_ids.size(); ++i) {
    const auto column_id = column_ids[i].GetPrimaryIndex();
    if (column_id >= columns.size()) {
      continue;
    }
    const auto& column = columns[column_id];
    for (const auto& entry : map.entries) {
      if (!entry.is_partition ||
          column.identifier != Value::INTEGER(static_cast<int32_t>(entry.target.value))) {
        continue;
      }
      const auto folder =
          std::find_if(folders.begin(), folders.end(), [&entry](const auto& key_value) {
            return EqualsIgnoreCase(key_value.first, entry.source_name);
          });
      if (folder == folders.end()) {
        throw Error(ErrorCode::kCorrupt,
                    "Column \"" + column.name + "\" of the file \"" + file.path +
                        "\" comes from its folders, but no folder is called \"" +
                        entry.source_name + "=…\".");
      }
      reader_data.constant_map.Add(
          duckdb::MultiFileGlobalIndex(i),
          duckdb::HivePartitioning::GetValue(context, folder->first, folder->second, column.type));
    }
  }
}

duckdb::unique_ptr<duckdb::Expression> Constant(Value value) {
  return duckdb::make_uniq<duckdb::BoundConstantExpression>(std::move(value));
}

}  // namespace

ScanReader::ScanReader(std::shared_ptr<ScanSource> source, ScanTypes types)
    : source_(std::move(source)),
      types_(types),
      sql_types_(types == ScanTypes::kSql ? SqlTypes(*source_->table()) : SqlTypes()),
      row_id_column_(EmbeddedColumn(kRowIdName, kRowIdField)),
      snapshot_column_(EmbeddedColumn(kSnapshotIdName, kSnapshotIdField)) {}

duckdb::shared_ptr<duckdb::MultiFileList> ScanReader::CreateFileList(
    duckdb::ClientContext&, const duckdb::vector<std::string>&, const duckdb::FileGlobInput&) {
  return duckdb::make_shared_ptr<ScanFileList>(source_, Predicate::True());
}

bool ScanReader::Bind(duckdb::MultiFileOptions&, duckdb::MultiFileList&,
                      duckdb::vector<duckdb::LogicalType>& types,
                      duckdb::vector<std::string>& names,
                      duckdb::MultiFileReaderBindData& bind_data) {
  Guard([&] {
    for (const auto& column : source_->table()->columns) {
      auto definition = ToDefinition(column);
      types.push_back(types_ == ScanTypes::kSql ? ToSqlType(column) : definition.type);
      names.push_back(definition.name);
      bind_data.schema.push_back(std::move(definition));
    }
  });
  bind_data.mapping = duckdb::MultiFileColumnMappingMode::BY_FIELD_ID;
  return true;
}

duckdb::shared_ptr<duckdb::BaseFileReader> ScanReader::CreateReader(
    duckdb::ClientContext& context, duckdb::GlobalTableFunctionState& state,
    const duckdb::OpenFileInfo& file, duckdb::idx_t file_index,
    const duckdb::MultiFileBindData& bind_data) {
  try {
    const auto& info = InfoOf(file);
    if (info.file == nullptr) {
      return duckdb::make_shared_ptr<InlinedReader>(file);
    }
    return MultiFileReader::CreateReader(context, state, file, file_index, bind_data);
  } catch (...) {
    RethrowFileError(*source_, file.path, HasKey(file));
  }
}

duckdb::ReaderInitializeType ScanReader::InitializeReader(
    duckdb::MultiFileReaderData& reader_data, const duckdb::MultiFileBindData& bind_data,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
    const duckdb::vector<duckdb::ColumnIndex>& column_ids,
    duckdb::optional_ptr<duckdb::TableFilterSet> filters, duckdb::ClientContext& context,
    duckdb::MultiFileGlobalState& state) {
  auto& reader = *reader_data.reader;
  const auto& info = InfoOf(reader.file);
  try {
    // Rows are found again by this number (late materialisation), so it must not be the place in a
    // list that filters shorten.
    reader.file_list_idx = static_cast<duckdb::idx_t>(info.ordinal);
    FinalizeBind(reader_data, bind_data.file_options, bind_data.reader_bind, columns, column_ids,
                 context, state.multi_file_reader_state.get());
    if (const auto* map = NameMapOf(info)) {
      ApplyNameMap(*map, reader.columns);
      AddHiveConstants(*map, *info.file, columns, column_ids, context, reader_data);
    }
    RefuseVanishedStructs(columns, column_ids, reader.columns);
    PrepareRows(context, info, reader);
    duckdb::unique_ptr<duckdb::TableFilterSet> stored;
    duckdb::unique_ptr<duckdb::TableFilterSet> adapted;
    if (filters && !sql_types_.empty()) {
      stored = sql_types_.ToStored(*filters, columns, column_ids);
      if (stored) filters = stored.get();
    }
    if (filters) {
      adapted = AdaptFilters(*filters, columns, column_ids, reader.columns);
    }
    const auto result = CreateMapping(context, reader_data, columns, column_ids,
                                      adapted ? adapted.get() : filters.get(), state.file_list,
                                      bind_data.reader_bind, bind_data.virtual_columns);
    if (result != duckdb::ReaderInitializeType::SKIP_READING_FILE) {
      sql_types_.Convert(columns, column_ids, reader_data.expressions);
      LimitRows(context, info, reader);
    }
    return result;
  } catch (...) {
    RethrowFileError(*source_, reader.GetFileName(), HasKey(reader.file));
  }
}

// Without DuckDB's words around errors: ours name the value already.
void ScanReader::FinalizeChunk(duckdb::ClientContext& context,
                               const duckdb::MultiFileBindData& bind_data,
                               duckdb::BaseFileReader& reader,
                               const duckdb::MultiFileReaderData& reader_data,
                               duckdb::DataChunk& rows, duckdb::DataChunk& result,
                               duckdb::ExpressionExecutor& executor,
                               duckdb::optional_ptr<duckdb::MultiFileReaderGlobalState> state) {
  if (sql_types_.empty()) {
    MultiFileReader::FinalizeChunk(context, bind_data, reader, reader_data, rows, result, executor,
                                   state);
    return;
  }
  executor.SetChunk(rows);
  for (duckdb::idx_t i = 0; i < executor.expressions.size(); ++i) {
    executor.ExecuteExpression(i, result.data[i]);
  }
  result.SetCardinality(rows.size());
}

void ScanReader::PrepareRows(duckdb::ClientContext&, const ScanFileInfo&, duckdb::BaseFileReader&) {
}

void ScanReader::LimitRows(duckdb::ClientContext& context, const ScanFileInfo& info,
                           duckdb::BaseFileReader& reader) {
  if (info.file == nullptr) {
    return;
  }
  if (info.file->row_snapshot_limit) {
    FilterSnapshots(CompareSnapshot(duckdb::ExpressionType::COMPARE_LESSTHANOREQUALTO,
                                    *info.file->row_snapshot_limit),
                    info.file->path, reader);
  }
  reader.deletion_filter =
      MakeDeleteFilter(context, source_->entry().lake_catalog().lake().file_system(), *info.file);
}

duckdb::unique_ptr<duckdb::Expression> ScanReader::GetVirtualColumnExpression(
    duckdb::ClientContext& context, duckdb::MultiFileReaderData& reader_data,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& file_columns, duckdb::idx_t& column_id,
    const duckdb::LogicalType& type, duckdb::MultiFileLocalIndex local_index,
    duckdb::optional_ptr<duckdb::MultiFileColumnDefinition>& embedded) {
  const auto& info = InfoOf(reader_data.reader->file);
  if (column_id == duckdb::COLUMN_IDENTIFIER_ROW_ID) {
    if (FindField(file_columns, kRowIdField)) {
      embedded = row_id_column_;
      return nullptr;
    }
    if (info.file == nullptr || !info.file->file.row_id_start) {
      return Constant(Value(duckdb::LogicalType::BIGINT));
    }
    column_id = COLUMN_IDENTIFIER_FILE_ROW_NUMBER;
    duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> children;
    children.push_back(Constant(Value::BIGINT(*info.file->file.row_id_start)));
    children.push_back(duckdb::make_uniq<duckdb::BoundReferenceExpression>(
        duckdb::LogicalType::BIGINT, local_index.GetIndex()));
    duckdb::ErrorData error;
    auto sum = duckdb::FunctionBinder(context).BindScalarFunction(DEFAULT_SCHEMA, "+",
                                                                  std::move(children), error, true);
    if (error.HasError()) {
      error.Throw();
    }
    return sum;
  }
  if (column_id == kSnapshotIdColumn) {
    // A file that has come back in a restore still has the column, but is of one snapshot now.
    const bool is_of_many = info.file == nullptr || info.file->file.partial_max.has_value();
    if (is_of_many && FindField(file_columns, kSnapshotIdField)) {
      embedded = snapshot_column_;
      return nullptr;
    }
    const bool is_committed = info.file != nullptr && info.file->file.begin_snapshot.valid();
    return Constant(is_committed ? Value::BIGINT(info.file->file.begin_snapshot.value)
                                 : Value(duckdb::LogicalType::BIGINT));
  }
  return MultiFileReader::GetVirtualColumnExpression(context, reader_data, file_columns, column_id,
                                                     type, local_index, embedded);
}

duckdb::unique_ptr<duckdb::MultiFileReader> ScanReader::Copy() const {
  return duckdb::make_uniq<ScanReader>(source_, types_);
}

duckdb::unique_ptr<duckdb::TableFilter> CompareSnapshot(duckdb::ExpressionType comparison,
                                                        SnapshotId snapshot) {
  return duckdb::make_uniq<duckdb::ConstantFilter>(comparison, Value::BIGINT(snapshot.value));
}

// What the query asked for comes before the column that is added here.
void FilterSnapshots(duckdb::unique_ptr<duckdb::TableFilter> filter, const std::string& path,
                     duckdb::BaseFileReader& reader) {
  const auto found = FindField(reader.columns, kSnapshotIdField);
  if (!found) {
    throw Error(ErrorCode::kCorrupt,
                "The file \"" + path +
                    "\" holds rows of several snapshots, but has no column that tells which row "
                    "is of which.");
  }
  const auto local_id = static_cast<duckdb::idx_t>(*found);
  // A column can be read once only: the query may have asked for it too.
  duckdb::idx_t position = 0;
  while (position < reader.column_ids.size() &&
         reader.column_ids[duckdb::MultiFileLocalIndex(position)].GetId() != local_id) {
    ++position;
  }
  if (position == reader.column_ids.size()) {
    reader.column_ids.push_back(duckdb::MultiFileLocalColumnId(local_id));
    reader.column_indexes.emplace_back(local_id);
  }
  if (!reader.filters) {
    reader.filters = duckdb::make_uniq<duckdb::TableFilterSet>();
  }
  auto& present = reader.filters->filters[position];
  auto both = duckdb::make_uniq<duckdb::ConjunctionAndFilter>();
  both->child_filters.push_back(std::move(filter));
  if (present) {
    both->child_filters.push_back(std::move(present));
  }
  present = std::move(both);
}

void RethrowFileError(const ScanSource& source, const std::string& path, bool has_key) {
  try {
    throw;
  } catch (const std::exception& error) {
    const auto reason = ReasonInFile(error, has_key);
    // An error that has passed here already says it all, and may be about another file than the one
    // read last.
    if (reason && !reason->starts_with(kReadFailed)) {
      throw duckdb::IOException("%s\"%s\" of table \"%s\": %s", kReadFailed, path,
                                source.table_name(), *reason);
    }
    if (const auto* own = dynamic_cast<const Error*>(&error)) {
      ThrowAsDuckDb(*own);
    }
    throw;
  }
}

}  // namespace tarn::engine
