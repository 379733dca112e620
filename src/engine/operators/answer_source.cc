// See answer_source.h.
#include "engine/operators/answer_source.h"

#include <utility>

#include "duckdb/function/table_function.hpp"
#include "duckdb/storage/statistics/node_statistics.hpp"

namespace tarn::engine {
namespace {

constexpr const char* kName = "tarn_catalog_answer";

struct AnswerData : duckdb::TableFunctionData {
  explicit AnswerData(std::shared_ptr<const CatalogAnswer> answer) : answer(std::move(answer)) {}
  duckdb::unique_ptr<duckdb::FunctionData> Copy() const override {
    return duckdb::make_uniq<AnswerData>(answer);
  }
  bool Equals(const duckdb::FunctionData& other) const override {
    return other.Cast<AnswerData>().answer == answer;
  }

  std::shared_ptr<const CatalogAnswer> answer;
};

struct AnswerState : duckdb::GlobalTableFunctionState {
  size_t next = 0;
};

const CatalogAnswer& AnswerOf(duckdb::optional_ptr<const duckdb::FunctionData> bind_data) {
  return *bind_data->Cast<AnswerData>().answer;
}

duckdb::unique_ptr<duckdb::GlobalTableFunctionState> Begin(duckdb::ClientContext&,
                                                           duckdb::TableFunctionInitInput&) {
  return duckdb::make_uniq<AnswerState>();
}

void Emit(duckdb::ClientContext&, duckdb::TableFunctionInput& input, duckdb::DataChunk& output) {
  const auto& rows = AnswerOf(input.bind_data).rows;
  auto& next = input.global_state->Cast<AnswerState>().next;
  duckdb::idx_t count = 0;
  for (; next < rows.size() && count < STANDARD_VECTOR_SIZE; ++next, ++count) {
    for (size_t column = 0; column < rows[next].size(); ++column) {
      output.SetValue(column, count, rows[next][column]);
    }
  }
  output.SetCardinality(count);
}

duckdb::unique_ptr<duckdb::NodeStatistics> Cardinality(duckdb::ClientContext&,
                                                       const duckdb::FunctionData* bind_data) {
  const auto rows = AnswerOf(bind_data).rows.size();
  return duckdb::make_uniq<duckdb::NodeStatistics>(rows, rows);
}

duckdb::InsertionOrderPreservingMap<std::string> Describe(
    duckdb::TableFunctionToStringInput& input) {
  const auto& answer = AnswerOf(input.bind_data);
  duckdb::InsertionOrderPreservingMap<std::string> result;
  result["Table"] = answer.table;
  if (!answer.snapshot.empty()) {
    result["Snapshot"] = answer.snapshot;
  }
  result["Answered From"] = "catalog";
  result["Files"] =
      std::to_string(answer.settled_files) + " of " + std::to_string(answer.total_files);
  return result;
}

}  // namespace

duckdb::unique_ptr<duckdb::LogicalGet> MakeAnswerSource(duckdb::idx_t table_index,
                                                        CatalogAnswer answer) {
  duckdb::TableFunction function(kName, {}, Emit, nullptr, Begin);
  function.cardinality = Cardinality;
  function.to_string = Describe;
  // Nothing outside of this plan can make it again.
  function.verify_serialization = false;
  auto types = answer.types;
  auto names = answer.names;
  auto source = duckdb::make_uniq<duckdb::LogicalGet>(
      table_index, std::move(function),
      duckdb::make_uniq<AnswerData>(std::make_shared<const CatalogAnswer>(std::move(answer))),
      std::move(types), std::move(names));
  for (duckdb::column_t column = 0; column < source->returned_types.size(); ++column) {
    source->AddColumnId(column);
  }
  return source;
}

}  // namespace tarn::engine
