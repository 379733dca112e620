// Results of DuckDB as text, JSON and boxes. See session_result.h.
#include "engine/session_result.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "duckdb/common/box_renderer.hpp"
#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "duckdb/main/materialized_query_result.hpp"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::Value;

/// JSON as a user wrote it, on one line: line breaks stand between its tokens only.
void AppendJsonAsIs(std::string_view json, std::string& out) {
  for (const char c : json) out += c == '\n' || c == '\r' ? ' ' : c;
}

bool IsNested(const LogicalType& type) {
  switch (type.id()) {
    case LogicalTypeId::STRUCT:
    case LogicalTypeId::LIST:
    case LogicalTypeId::ARRAY:
    case LogicalTypeId::MAP:
    case LogicalTypeId::UNION:
      return true;
    default:
      return false;
  }
}

/// A value that is neither NULL nor nested, from its text.
void AppendJsonScalar(const LogicalType& type, std::string_view text, std::string& out) {
  switch (type.id()) {
    case LogicalTypeId::FLOAT:
    case LogicalTypeId::DOUBLE:
      // JSON has no words for these; the ones that other formats on top of JSON chose.
      if (text == "nan" || text == "-nan") {
        out += "\"NaN\"";
      } else if (text == "inf") {
        out += "\"Infinity\"";
      } else if (text == "-inf") {
        out += "\"-Infinity\"";
      } else {
        out += text;
      }
      return;
    default:
      if (type.IsJSONType()) return AppendJsonAsIs(text, out);
      // Integers of any width stand with all their digits: JSON sets no limit.
      if (type.IsNumeric() || type.id() == LogicalTypeId::BOOLEAN ||
          type.id() == LogicalTypeId::BIGNUM) {
        out += text;
        return;
      }
      AppendJsonString(text, out);
  }
}

/// Prints what the renderer draws, piece by piece.
class BoxPrinter : public duckdb::BaseResultRenderer {
 public:
  explicit BoxPrinter(const std::function<void(BoxPart, std::string_view)>& print)
      : print_(print) {}
  void RenderLayout(const duckdb::string& text) override { print_(BoxPart::kLayout, text); }
  void RenderColumnName(const duckdb::string& text) override { print_(BoxPart::kColumnName, text); }
  void RenderType(const duckdb::string& text) override { print_(BoxPart::kType, text); }
  void RenderValue(const duckdb::string& text, const LogicalType&) override {
    print_(BoxPart::kValue, text);
  }
  void RenderNull(const duckdb::string& text, const LogicalType&) override {
    print_(BoxPart::kNull, text);
  }
  void RenderFooter(const duckdb::string& text) override { print_(BoxPart::kFooter, text); }

 private:
  const std::function<void(BoxPart, std::string_view)>& print_;
};

}  // namespace

void AppendJsonString(std::string_view text, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out += kHex[c >> 4];
          out += kHex[c & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void ThrowSessionError(const duckdb::ErrorData& error) {
  if (error.Type() == duckdb::ExceptionType::INTERRUPT) {
    throw Error(ErrorCode::kInterrupted, "Cancelled.");
  }
  const bool is_absent = error.Type() == duckdb::ExceptionType::CATALOG;
  throw Error(is_absent ? ErrorCode::kNotFound : ErrorCode::kInvalid, error.Message());
}

void AppendJsonValue(duckdb::ClientContext& context, const Value& value, std::string& out) {
  if (value.IsNull()) {
    out += "null";
    return;
  }
  const auto& type = value.type();
  const char* separator = "";
  switch (type.id()) {
    case LogicalTypeId::STRUCT: {
      const auto& fields = duckdb::StructValue::GetChildren(value);
      const bool is_named = !duckdb::StructType::IsUnnamed(type);
      out += is_named ? '{' : '[';
      for (duckdb::idx_t i = 0; i < fields.size(); ++i) {
        out += separator;
        separator = ",";
        if (is_named) {
          AppendJsonString(duckdb::StructType::GetChildName(type, i), out);
          out += ':';
        }
        AppendJsonValue(context, fields[i], out);
      }
      out += is_named ? '}' : ']';
      return;
    }
    case LogicalTypeId::LIST:
    case LogicalTypeId::ARRAY: {
      out += '[';
      for (const auto& element : type.id() == LogicalTypeId::LIST
                                     ? duckdb::ListValue::GetChildren(value)
                                     : duckdb::ArrayValue::GetChildren(value)) {
        out += separator;
        separator = ",";
        AppendJsonValue(context, element, out);
      }
      out += ']';
      return;
    }
    case LogicalTypeId::MAP: {
      out += '{';
      for (const auto& entry : duckdb::MapValue::GetChildren(value)) {
        const auto& pair = duckdb::StructValue::GetChildren(entry);
        out += separator;
        separator = ",";
        AppendJsonString(duckdb::StringValue::Get(pair[0].CastAs(context, LogicalType::VARCHAR)),
                         out);
        out += ':';
        AppendJsonValue(context, pair[1], out);
      }
      out += '}';
      return;
    }
    case LogicalTypeId::UNION:
      return AppendJsonValue(context, duckdb::UnionValue::GetValue(value), out);
    default:
      AppendJsonScalar(type, duckdb::StringValue::Get(value.CastAs(context, LogicalType::VARCHAR)),
                       out);
  }
}

DuckDbResult::DuckDbResult(duckdb::ClientContext& context, duckdb::QueryResult& result)
    : context_(context), result_(result) {
  for (duckdb::idx_t i = 0; i < result.types.size(); ++i) {
    columns_.push_back({result.names[i], result.types[i].ToString(), result.types[i].IsNumeric()});
  }
}

SessionResult::Kind DuckDbResult::kind() const {
  switch (result_.properties.return_type) {
    case duckdb::StatementReturnType::CHANGED_ROWS:
      return Kind::kChanged;
    case duckdb::StatementReturnType::NOTHING:
      return Kind::kNothing;
    default:
      break;
  }
  if (result_.statement_type == duckdb::StatementType::EXPLAIN_STATEMENT && columns_.size() == 2) {
    return Kind::kPlan;
  }
  // What a procedure returns that has nothing to say.
  const bool is_success = result_.statement_type == duckdb::StatementType::CALL_STATEMENT &&
                          columns_.size() == 1 && columns_[0].name == "Success";
  return is_success ? Kind::kNothing : Kind::kRows;
}

bool DuckDbResult::FetchChunk() {
  texts_.clear();
  duckdb::ErrorData error;
  if (!result_.TryFetch(chunk_, error)) {
    ThrowSessionError(error.HasError() ? error : result_.GetErrorObject());
  }
  if (!chunk_ || chunk_->size() == 0) return false;
  texts_.resize(chunk_->ColumnCount());
  return true;
}

bool DuckDbResult::Next() {
  if (chunk_ && ++row_ < chunk_->size()) return true;
  row_ = 0;
  return FetchChunk();
}

duckdb::Vector& DuckDbResult::Texts(size_t column) {
  auto& source = chunk_->data[column];
  if (source.GetType().id() == LogicalTypeId::VARCHAR) return source;
  if (!texts_[column]) {
    texts_[column] = duckdb::make_uniq<duckdb::Vector>(LogicalType::VARCHAR, chunk_->size());
    duckdb::VectorOperations::Cast(context_, source, *texts_[column], chunk_->size());
    texts_[column]->Flatten(chunk_->size());
  }
  return *texts_[column];
}

std::optional<std::string_view> DuckDbResult::Text(size_t column) {
  auto& texts = Texts(column);
  if (!duckdb::FlatVector::Validity(texts).RowIsValid(row_)) return std::nullopt;
  const auto& text = duckdb::FlatVector::GetData<duckdb::string_t>(texts)[row_];
  return std::string_view(text.GetData(), text.GetSize());
}

void DuckDbResult::AppendJson(size_t column, std::string& out) {
  const auto& type = result_.types[column];
  if (IsNested(type)) return AppendJsonValue(context_, chunk_->GetValue(column, row_), out);
  const auto text = Text(column);
  if (!text) {
    out += "null";
  } else {
    AppendJsonScalar(type, *text, out);
  }
}

void DuckDbResult::DrawBox(const BoxOptions& options) {
  duckdb::BoxRendererConfig config;
  // The renderer adds to these, so they stay clear of the end of their type.
  constexpr duckdb::idx_t kUnlimited = std::numeric_limits<int32_t>::max();
  config.max_width = options.max_width == 0 ? kUnlimited : options.max_width;
  config.max_rows = options.max_rows == 0 ? kUnlimited : options.max_rows;
  if (options.max_width == 0) config.max_col_width = kUnlimited;
  BoxPrinter printer(options.print);
  auto& materialized = result_.Cast<duckdb::MaterializedQueryResult>();
  duckdb::BoxRenderer(config).Render(context_, result_.names, materialized.Collection(), printer);
}

}  // namespace tarn::engine
