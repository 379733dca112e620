// The scan is one cursor, read in order by one thread, in constant memory: catalog tables are
// small, or asked for few columns.
#include "engine/metadata/metadata_table.h"

#include "duckdb/common/types/uuid.hpp"
#include "duckdb/common/types/vector.hpp"
#include "duckdb/function/table_function.hpp"
#include "duckdb/parser/constraints/not_null_constraint.hpp"
#include "duckdb/parser/constraints/unique_constraint.hpp"
#include "duckdb/storage/statistics/base_statistics.hpp"
#include "duckdb/storage/table_storage_info.hpp"
#include "engine/bridge/errors.h"
#include "store/statement.h"
#include "utf8proc_wrapper.hpp"

namespace tarn::engine {
namespace {

struct ScanBind : duckdb::FunctionData {
  ScanBind(MetadataTableEntry& entry, MetadataCatalog& catalog) : entry(entry), catalog(catalog) {}

  duckdb::unique_ptr<duckdb::FunctionData> Copy() const override {
    return duckdb::make_uniq<ScanBind>(entry, catalog);
  }
  bool Equals(const duckdb::FunctionData& other) const override {
    return &other.Cast<ScanBind>().entry == &entry;
  }

  MetadataTableEntry& entry;
  MetadataCatalog& catalog;
};

struct ScanState : duckdb::GlobalTableFunctionState {
  duckdb::idx_t MaxThreads() const override { return 1; }

  std::unique_ptr<StoreConnection> connection;
  std::unique_ptr<Rows> rows;
  /// Position in the cursor of each output column; -1 for those that nobody reads.
  std::vector<int> positions;
};

duckdb::unique_ptr<duckdb::GlobalTableFunctionState> StartScan(
    duckdb::ClientContext& context, duckdb::TableFunctionInitInput& input) {
  return Guard([&]() -> duckdb::unique_ptr<duckdb::GlobalTableFunctionState> {
    const auto& bind = input.bind_data->Cast<ScanBind>();
    auto state = duckdb::make_uniq<ScanState>();
    state->connection = bind.catalog.Connect(context);
    StatementBuilder sql(state->connection->dialect(), "SELECT ");
    int count = 0;
    for (const auto column : input.column_ids) {
      if (column >= bind.entry.GetColumns().LogicalColumnCount()) {
        state->positions.push_back(-1);  // COUNT(*) wants rows and no column
        continue;
      }
      if (count > 0) sql.Text(", ");
      sql.Name(bind.entry.GetColumn(duckdb::LogicalIndex(column)).Name());
      state->positions.push_back(count++);
    }
    if (count == 0) sql.Text("1");
    state->rows = state->connection->Query(sql.Text(" FROM ").Table(bind.entry.name).Build());
    return state;
  });
}

duckdb::string_t CheckedText(duckdb::Vector& vector, std::string_view text,
                             const std::string& column) {
  if (!duckdb::Utf8Proc::IsValid(text.data(), text.size())) {
    throw Error(ErrorCode::kCorrupt,
                "A text in column \"" + column + "\" of the catalog database is no valid UTF-8.");
  }
  return duckdb::StringVector::AddString(vector, text.data(), text.size());
}

void WriteValue(Rows& rows, int position, duckdb::Vector& vector, duckdb::idx_t row) {
  if (rows.IsNull(position)) {
    duckdb::FlatVector::SetNull(vector, row, true);
    return;
  }
  switch (vector.GetType().id()) {
    case duckdb::LogicalTypeId::BIGINT:
      duckdb::FlatVector::GetData<int64_t>(vector)[row] = rows.Int64(position);
      return;
    case duckdb::LogicalTypeId::DOUBLE:
      duckdb::FlatVector::GetData<double>(vector)[row] = rows.Double(position);
      return;
    case duckdb::LogicalTypeId::BOOLEAN:
      duckdb::FlatVector::GetData<bool>(vector)[row] = rows.Bool(position);
      return;
    case duckdb::LogicalTypeId::TIMESTAMP_TZ:
      duckdb::FlatVector::GetData<int64_t>(vector)[row] =
          rows.Time(position).time_since_epoch().count();
      return;
    case duckdb::LogicalTypeId::UUID: {
      const std::string text(rows.Text(position));
      duckdb::FlatVector::GetData<duckdb::hugeint_t>(vector)[row] = duckdb::UUID::FromString(text);
      return;
    }
    case duckdb::LogicalTypeId::BLOB: {
      const std::string_view bytes = rows.Text(position);
      duckdb::FlatVector::GetData<duckdb::string_t>(vector)[row] =
          duckdb::StringVector::AddStringOrBlob(vector, bytes.data(), bytes.size());
      return;
    }
    default:
      duckdb::FlatVector::GetData<duckdb::string_t>(vector)[row] =
          CheckedText(vector, rows.Text(position), rows.column_name(position));
  }
}

void ScanChunk(duckdb::ClientContext&, duckdb::TableFunctionInput& input,
               duckdb::DataChunk& output) {
  Guard([&] {
    auto& state = input.global_state->Cast<ScanState>();
    duckdb::idx_t count = 0;
    while (state.rows && count < STANDARD_VECTOR_SIZE) {
      if (!state.rows->Next()) {
        state.rows.reset();  // lets go of the database before the query ends
        state.connection.reset();
        break;
      }
      for (size_t column = 0; column < state.positions.size(); ++column) {
        if (state.positions[column] >= 0) {
          WriteValue(*state.rows, state.positions[column], output.data[column], count);
        } else {
          duckdb::FlatVector::SetNull(output.data[column], count, true);
        }
      }
      ++count;
    }
    output.SetCardinality(count);
  });
}

duckdb::BindInfo DescribeScan(const duckdb::optional_ptr<duckdb::FunctionData> bind_data) {
  return duckdb::BindInfo(bind_data->Cast<ScanBind>().entry);
}

duckdb::InsertionOrderPreservingMap<duckdb::string> ScanToString(
    duckdb::TableFunctionToStringInput& input) {
  duckdb::InsertionOrderPreservingMap<duckdb::string> result;
  result["Table"] = input.bind_data->Cast<ScanBind>().entry.name;
  return result;
}

}  // namespace

MetadataTableEntry::MetadataTableEntry(MetadataSchemaEntry& schema, duckdb::CreateTableInfo& info)
    : TableCatalogEntry(schema.metadata_catalog(), schema, info),
      metadata_catalog_(schema.metadata_catalog()) {}

duckdb::unique_ptr<MetadataTableEntry> MetadataTableEntry::Make(MetadataSchemaEntry& schema,
                                                                const MetadataTable& table) {
  duckdb::CreateTableInfo info(schema, table.name);
  for (duckdb::idx_t i = 0; i < table.columns.size(); ++i) {
    const MetadataColumn& column = table.columns[i];
    info.columns.AddColumn(duckdb::ColumnDefinition(column.name, column.type));
    if (column.not_null)
      info.constraints.push_back(
          duckdb::make_uniq<duckdb::NotNullConstraint>(duckdb::LogicalIndex(i)));
    if (column.primary_key) {
      info.constraints.push_back(
          duckdb::make_uniq<duckdb::UniqueConstraint>(duckdb::LogicalIndex(i), column.name, true));
    }
  }
  return duckdb::make_uniq<MetadataTableEntry>(schema, info);
}

duckdb::unique_ptr<duckdb::BaseStatistics> MetadataTableEntry::GetStatistics(duckdb::ClientContext&,
                                                                             duckdb::column_t) {
  return nullptr;
}

duckdb::TableFunction MetadataTableEntry::GetScanFunction(
    duckdb::ClientContext&, duckdb::unique_ptr<duckdb::FunctionData>& bind_data) {
  bind_data = duckdb::make_uniq<ScanBind>(*this, metadata_catalog_);
  duckdb::TableFunction function("tarn_metadata_scan", {}, ScanChunk, nullptr, StartScan);
  function.projection_pushdown = true;
  function.get_bind_info = DescribeScan;
  function.to_string = ScanToString;
  return function;
}

duckdb::TableStorageInfo MetadataTableEntry::GetStorageInfo(duckdb::ClientContext&) { return {}; }

// Rows of a catalog table have no number that its database and DuckDB agree on.
duckdb::virtual_column_map_t MetadataTableEntry::GetVirtualColumns() const {
  duckdb::virtual_column_map_t columns;
  columns.emplace(duckdb::COLUMN_IDENTIFIER_EMPTY,
                  duckdb::TableColumn("", duckdb::LogicalType::BOOLEAN));
  return columns;
}

duckdb::vector<duckdb::column_t> MetadataTableEntry::GetRowIdColumns() const { return {}; }

}  // namespace tarn::engine
