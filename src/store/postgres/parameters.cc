// See the header.
#include "store/postgres/parameters.h"

#include <bit>
#include <cstring>

#include "base/assert.h"

namespace tarn::postgres {
namespace {

/// PostgreSQL counts microseconds from 2000-01-01.
constexpr int64_t kEpochShift = 946'684'800'000'000;

template <class Integer>
void AppendBigEndian(std::string& bytes, Integer value) {
  for (int shift = static_cast<int>(sizeof(Integer)) * 8 - 8; shift >= 0; shift -= 8)
    bytes += static_cast<char>((static_cast<uint64_t>(value) >> shift) & 0xff);
}

Oid TypeOf(const Value& value) {
  constexpr Oid kTypes[] = {0,        kBoolOid,  kInt8Oid,       kFloat8Oid,
                            kTextOid, kByteaOid, kTimestampTzOid};
  return kTypes[value.index()];
}

const std::string& CheckedText(const std::string& text) {
  if (text.find('\0') != std::string::npos) {
    throw Error(ErrorCode::kInvalid,
                "A text with a zero byte cannot be stored in PostgreSQL: leave the byte out.");
  }
  return text;
}

/// Empty for NULL.
std::optional<std::string> BinaryOf(const Value& value) {
  return std::visit(
      [](const auto& content) -> std::optional<std::string> {
        using T = std::decay_t<decltype(content)>;
        std::string bytes;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return std::nullopt;
        } else if constexpr (std::is_same_v<T, bool>) {
          bytes += content ? '\1' : '\0';
        } else if constexpr (std::is_same_v<T, int64_t>) {
          AppendBigEndian(bytes, content);
        } else if constexpr (std::is_same_v<T, double>) {
          AppendBigEndian(bytes, std::bit_cast<uint64_t>(content));
        } else if constexpr (std::is_same_v<T, std::string>) {
          bytes = CheckedText(content);
        } else if constexpr (std::is_same_v<T, Blob>) {
          bytes = content.bytes;
        } else {
          AppendBigEndian(bytes, content.time_since_epoch().count() - kEpochShift);
        }
        return bytes;
      },
      value);
}

}  // namespace

void Parameters::Push(Oid type, std::optional<std::string> bytes, int format) {
  if (bytes) size_bytes_ += bytes->size();
  types_.push_back(type);
  bytes_.push_back(std::move(bytes));
  formats_.push_back(format);
}

void Parameters::Add(const Value& value) {
  const Oid type = TypeOf(value);
  // The type of a text, and of a NULL, is what its place in the statement wants.
  if (type == kTextOid || type == 0) return Push(0, BinaryOf(value), 0);
  Push(type, BinaryOf(value), 1);
}

void Parameters::AddArray(Oid type, std::span<const std::vector<Value>> rows, size_t column) {
  std::string bytes;
  AppendBigEndian(bytes, int32_t{1});  // dimensions
  AppendBigEndian(bytes, int32_t{1});  // there may be NULLs
  AppendBigEndian(bytes, type);
  AppendBigEndian(bytes, static_cast<int32_t>(rows.size()));
  AppendBigEndian(bytes, int32_t{1});  // the first index
  for (const std::vector<Value>& row : rows) {
    const std::optional<std::string> element = BinaryOf(row[column]);
    AppendBigEndian(bytes, element ? static_cast<int32_t>(element->size()) : int32_t{-1});
    if (element) bytes += *element;
  }
  Oid array = 1009;  // text[]
  if (type == kInt8Oid) array = 1016;
  if (type == kBoolOid) array = 1000;
  if (type == kFloat8Oid) array = 1022;
  if (type == kByteaOid) array = 1001;
  if (type == kTimestampTzOid) array = 1185;
  Push(array, std::move(bytes), 1);
}

Parameters::Pointers Parameters::PointToBytes() const {
  Pointers pointers;
  for (const auto& bytes : bytes_) {
    pointers.values.push_back(bytes ? bytes->c_str() : nullptr);
    pointers.lengths.push_back(bytes ? static_cast<int>(bytes->size()) : 0);
  }
  return pointers;
}

int Parameters::Prepare(PGconn* connection, const std::string& name, const std::string& sql) const {
  return PQsendPrepare(connection, name.c_str(), sql.c_str(), count(), types_.data());
}

int Parameters::SendPrepared(PGconn* connection, const std::string& name) const {
  const auto [values, lengths] = PointToBytes();
  return PQsendQueryPrepared(connection, name.c_str(), count(), values.data(), lengths.data(),
                             formats_.data(), 0);
}

int Parameters::Send(PGconn* connection, const std::string& sql) const {
  const auto [values, lengths] = PointToBytes();
  return PQsendQueryParams(connection, sql.c_str(), count(), types_.data(), values.data(),
                           lengths.data(), formats_.data(), 0);
}

Oid ElementType(std::span<const std::vector<Value>> rows, size_t column) {
  Oid found = 0;
  for (const std::vector<Value>& row : rows) {
    const Oid type = TypeOf(row[column]);
    TARN_ASSERT(type == 0 || found == 0 || type == found);
    if (type != 0) found = type;
  }
  return found == 0 ? Oid{kTextOid} : found;
}

const char* ArrayTypeName(Oid element) {
  switch (element) {
    case kInt8Oid:
      return "bigint[]";
    case kBoolOid:
      return "boolean[]";
    case kFloat8Oid:
      return "double precision[]";
    case kByteaOid:
      return "bytea[]";
    case kTimestampTzOid:
      return "timestamptz[]";
    default:
      return "text[]";
  }
}

}  // namespace tarn::postgres
