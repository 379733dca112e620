// See inlined_rows.h; format page, section 7.
#include "engine/operators/inlined_rows.h"

#include <algorithm>
#include <utility>

#include "catalog/inlined_tables.h"
#include "catalog/lake_impl.h"
#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "engine/bridge/literals.h"
#include "engine/store/host_duckdb_store.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalTypeId;

// Text and bytes are what they are; integers of our own columns come as such; all else is text for
// DuckDB to cast.
enum class Form { kInteger, kBytes, kCast };

Form FormOf(const duckdb::LogicalType& type, size_t wanted) {
  if (RowSource::IsOwn(wanted)) {
    return Form::kInteger;
  }
  const bool is_bytes = type.id() == LogicalTypeId::VARCHAR || type.id() == LogicalTypeId::BLOB;
  return is_bytes ? Form::kBytes : Form::kCast;
}

// A text that begins with a space is a plain cast, see collected_rows.cc.
std::optional<duckdb::Value> ParseStruct(const std::string& text, const duckdb::LogicalType& type) {
  return text.starts_with(' ') ? std::nullopt : ParseLiteral(text, type);
}

void AppendAlive(StatementBuilder& sql, SnapshotId snapshot) {
  sql.Name("begin_snapshot").Text(" <= ").Bind(snapshot);
  sql.Text(" AND (").Name("end_snapshot").Text(" IS NULL OR ");
  sql.Name("end_snapshot").Text(" > ").Bind(snapshot).Text(")");
}

StatementBuilder SelectColumns(const Dialect& dialect, const InlinedScan& scan,
                               const std::vector<size_t>& wanted) {
  const bool ended = scan.feed && scan.feed->side == FeedPart::Side::kDeleted;
  StatementBuilder sql(dialect);
  sql.Text("SELECT ");
  for (const auto column : wanted) {
    if (column == RowSource::kSnapshot) {
      sql.Name(ended ? "end_snapshot" : "begin_snapshot");
    } else if (column == RowSource::kEnd) {
      sql.Name("end_snapshot");
    } else if (RowSource::IsOwn(column)) {
      sql.Name("row_id");
    } else {
      sql.Name(scan.columns[column].name);
    }
    sql.Text(", ");
  }
  // Last, for telling which rows the transaction has removed.
  sql.Name("row_id").Text(" FROM ").Table(scan.table_name);
  return sql;
}

Statement SelectRows(const Dialect& dialect, const InlinedScan& scan,
                     const std::vector<size_t>& wanted) {
  StatementBuilder sql = SelectColumns(dialect, scan, wanted);
  sql.Text(" WHERE ");
  if (scan.feed) {
    AppendChanged(sql, scan.feed->side, scan.feed->range);
  } else if (scan.with_dead) {
    sql.Name("begin_snapshot").Text(" <= ").Bind(scan.snapshot);
  } else {
    AppendAlive(sql, scan.snapshot);
  }
  // Plain rows come as they lie, which is how they were inserted; sorting them would take as long
  // as reading them.
  if (scan.feed || scan.with_dead)
    sql.Text(" ORDER BY ").Name("row_id").Text(", ").Name("begin_snapshot");
  return sql.Build();
}

}  // namespace

Error RowsMoved(const std::string& table_name) {
  return Error(ErrorCode::kConflict,
               "Rows of table \"" + table_name +
                   "\" were moved from the catalog into a file while they were being read. "
                   "Run the query again.");
}

InlinedRowSource::InlinedRowSource(Lake& lake, const InlinedScan& scan, std::vector<size_t> wanted)
    : scan_(scan),
      wanted_(std::move(wanted)),
      lease_(static_cast<LakeImpl&>(lake).pool().Acquire()) {
  StoreConnection& connection = **lease_;
  connection.Begin(TransactionMode::kRead);
  try {
    Start(connection, SelectRows(connection.dialect(), scan_, wanted_));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw UnreadableInlinedTable(error);
    // A flush drops the table that it has emptied when the lake's table has another shape by now.
    if (error.code() != ErrorCode::kNotFound) throw;
    at_end_ = true;
  }
}

InlinedRowSource::InlinedRowSource(StoreConnection& connection, const InlinedScan& scan,
                                   std::vector<size_t> wanted)
    : scan_(scan), wanted_(std::move(wanted)) {
  Start(connection, SelectColumns(connection.dialect(), scan_, wanted_).Build());
}

void InlinedRowSource::Start(StoreConnection& connection, const Statement& select) {
  if (auto* host = dynamic_cast<HostDuckDbConnection*>(&connection)) {
    chunks_ = host->QueryChunks(select);
  } else {
    rows_ = connection.Stream(select);
  }
}

InlinedRowSource::~InlinedRowSource() {
  chunks_.reset();
  rows_.reset();
}

void InlinedRowSource::Read(duckdb::DataChunk& chunk) {
  if (at_end_) {
    chunk.SetCardinality(0);
  } else if (chunks_) {
    ReadChunk(chunk);
  } else {
    ReadTexts(chunk);
  }
  rows_read_ += static_cast<int64_t>(chunk.size());
}

void InlinedRowSource::Cast(duckdb::Vector& from, duckdb::Vector& to, duckdb::idx_t count,
                            size_t column) const {
  std::string message;
  if (!duckdb::VectorOperations::DefaultTryCast(from, to, count, &message)) {
    throw Error(ErrorCode::kCorrupt, "A value of column \"" + scan_.columns[wanted_[column]].name +
                                         "\" in \"" + scan_.table_name +
                                         "\" cannot be read: " + message);
  }
}

// Other clients write a struct as an SQL literal, whose quotes the plain cast would not read.
void InlinedRowSource::ReadStructs(duckdb::Vector& from, duckdb::Vector& to, duckdb::idx_t count,
                                   size_t column) const {
  for (duckdb::idx_t row = 0; row < count; ++row) {
    const auto text = from.GetValue(row);
    if (text.IsNull()) {
      to.SetValue(row, duckdb::Value(to.GetType()));
    } else if (const auto value = ParseStruct(text.ToString(), to.GetType())) {
      to.SetValue(row, *value);
    } else {
      duckdb::Vector one_text(text);
      duckdb::Vector one(to.GetType());
      Cast(one_text, one, 1, column);
      to.SetValue(row, one.GetValue(0));
    }
  }
}

bool InlinedRowSource::IsRemoved(int64_t row_id) const {
  return std::binary_search(scan_.removed_row_ids.begin(), scan_.removed_row_ids.end(), row_id);
}

void InlinedRowSource::DropRemoved(duckdb::DataChunk& chunk) const {
  if (scan_.removed_row_ids.empty()) {
    return;
  }
  duckdb::UnifiedVectorFormat row_ids;
  chunk.data.back().ToUnifiedFormat(chunk.size(), row_ids);
  duckdb::SelectionVector alive(chunk.size());
  duckdb::idx_t count = 0;
  for (duckdb::idx_t row = 0; row < chunk.size(); ++row) {
    if (!IsRemoved(
            duckdb::UnifiedVectorFormat::GetData<int64_t>(row_ids)[row_ids.sel->get_index(row)])) {
      alive.set_index(count++, row);
    }
  }
  chunk.Slice(alive, count);
}

void InlinedRowSource::RequireRowIds(duckdb::DataChunk& chunk) const {
  duckdb::UnifiedVectorFormat ids;
  chunk.data.back().ToUnifiedFormat(chunk.size(), ids);
  if (ids.validity.AllValid()) return;
  for (duckdb::idx_t row = 0; row < chunk.size(); ++row) {
    if (ids.validity.RowIsValid(ids.sel->get_index(row))) continue;
    throw Error(ErrorCode::kCorrupt, "A row in \"" + scan_.table_name +
                                         "\" has no row id: somebody has changed the table by "
                                         "hand, and `tarn check` says how.");
  }
}

void InlinedRowSource::ReadChunk(duckdb::DataChunk& chunk) {
  do {
    from_chunk_ = chunks_->Next();
    if (!from_chunk_) {
      at_end_ = true;
      chunk.SetCardinality(0);
      return;
    }
    RequireRowIds(*from_chunk_);
    DropRemoved(*from_chunk_);
  } while (from_chunk_->size() == 0);
  for (size_t i = 0; i < wanted_.size(); ++i) {
    auto& from = from_chunk_->data[i];
    auto& to = chunk.data[i];
    if (from.GetType() == to.GetType()) {
      to.Reference(from);
    } else {
      Cast(from, to, from_chunk_->size(), i);
    }
  }
  chunk.SetCardinality(from_chunk_->size());
}

void InlinedRowSource::ReadTexts(duckdb::DataChunk& chunk) {
  if (texts_.ColumnCount() == 0 && !wanted_.empty()) {
    texts_.Initialize(
        duckdb::Allocator::DefaultAllocator(),
        duckdb::vector<duckdb::LogicalType>(wanted_.size(), duckdb::LogicalType::VARCHAR));
  }
  texts_.Reset();
  Fill(chunk, texts_);
  for (size_t i = 0; i < wanted_.size(); ++i) {
    auto& result = chunk.data[i];
    if (FormOf(result.GetType(), wanted_[i]) == Form::kCast) {
      if (result.GetType().id() == LogicalTypeId::STRUCT) {
        ReadStructs(texts_.data[i], result, chunk.size(), i);
      } else {
        Cast(texts_.data[i], result, chunk.size(), i);
      }
    }
  }
}

bool InlinedRowSource::Next() {
  try {
    return rows_->Next();
  } catch (const Error& error) {
    // SQLite looks for the table with the first row.
    if (error.code() != ErrorCode::kNotFound || rows_read_ > 0) throw;
    return false;
  }
}

void InlinedRowSource::Fill(duckdb::DataChunk& chunk, duckdb::DataChunk& texts) {
  std::vector<Form> forms;
  for (size_t i = 0; i < wanted_.size(); ++i) {
    forms.push_back(FormOf(chunk.data[i].GetType(), wanted_[i]));
  }
  duckdb::idx_t count = 0;
  while (count < STANDARD_VECTOR_SIZE && !at_end_) {
    if (!Next()) {
      at_end_ = true;
      break;
    }
    if (IsRemoved(rows_->Int64(static_cast<int>(wanted_.size())))) {
      continue;
    }
    for (size_t i = 0; i < wanted_.size(); ++i) {
      const auto column = static_cast<int>(i);
      auto& target = forms[i] == Form::kCast ? texts.data[i] : chunk.data[i];
      if (rows_->IsNull(column)) {
        duckdb::FlatVector::SetNull(target, count, true);
      } else if (forms[i] == Form::kInteger) {
        duckdb::FlatVector::GetData<int64_t>(target)[count] = rows_->Int64(column);
      } else {
        const auto text = rows_->Text(column);
        duckdb::FlatVector::GetData<duckdb::string_t>(target)[count] =
            duckdb::StringVector::AddStringOrBlob(target, text.data(), text.size());
      }
    }
    ++count;
  }
  chunk.SetCardinality(count);
  texts.SetCardinality(count);
}

}  // namespace tarn::engine
