// Results of DuckDB behind the plain face of session.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "engine/session.h"

namespace tarn::engine {

/// Throws tarn::Error with the database's own words.
[[noreturn]] void ThrowSessionError(const duckdb::ErrorData& error);

/// Appends one line of JSON: numbers stay exact, what JSON has no word for becomes text.
void AppendJsonValue(duckdb::ClientContext& context, const duckdb::Value& value, std::string& out);

class DuckDbResult : public SessionResult {
 public:
  /// `result` must not have failed.
  DuckDbResult(duckdb::ClientContext& context, duckdb::QueryResult& result);

  Kind kind() const override;
  const std::vector<ResultColumn>& columns() const override { return columns_; }
  bool Next() override;
  std::optional<std::string_view> Text(size_t column) override;
  void AppendJson(size_t column, std::string& out) override;
  void DrawBox(const BoxOptions& options) override;

 private:
  bool FetchChunk();
  /// The column of this chunk as text, made when it is asked for.
  duckdb::Vector& Texts(size_t column);

  duckdb::ClientContext& context_;
  duckdb::QueryResult& result_;
  std::vector<ResultColumn> columns_;
  duckdb::unique_ptr<duckdb::DataChunk> chunk_;
  duckdb::idx_t row_ = 0;
  std::vector<duckdb::unique_ptr<duckdb::Vector>> texts_;
};

}  // namespace tarn::engine
