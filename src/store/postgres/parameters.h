// Values as libpq's statement parameters: numbers, booleans, times and bytes in binary form, so
// that their types are known without a cast; texts as texts whose type the server infers from the
// place.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tarn/catalog_store.h"

namespace tarn::postgres {

/// PostgreSQL's own numbers for its types.
enum TypeOid : Oid {
  kBoolOid = 16,
  kByteaOid = 17,
  kInt8Oid = 20,
  kTextOid = 25,
  kFloat8Oid = 701,
  kTimestampTzOid = 1184,
  kIntervalOid = 1186,
};

/// The parameters of one statement. Owns their bytes.
class Parameters {
 public:
  Parameters() = default;

  /// Throws kInvalid for a text with a zero byte, which PostgreSQL's texts cannot hold.
  void Add(const Value& value);
  /// One array of a column's values; `type` is that of its elements.
  void AddArray(Oid type, std::span<const std::vector<Value>> rows, size_t column);

  int count() const { return static_cast<int>(types_.size()); }
  std::span<const Oid> types() const { return types_; }
  size_t size_bytes() const { return size_bytes_; }
  /// Zero when the server has taken the statement for its own.
  int Send(PGconn* connection, const std::string& sql) const;
  /// The same in two steps.
  int Prepare(PGconn* connection, const std::string& name, const std::string& sql) const;
  int SendPrepared(PGconn* connection, const std::string& name) const;

 private:
  struct Pointers {
    std::vector<const char*> values;
    std::vector<int> lengths;
  };
  Pointers PointToBytes() const;
  void Push(Oid type, std::optional<std::string> bytes, int format);

  std::vector<Oid> types_;
  std::vector<std::optional<std::string>> bytes_;
  std::vector<int> formats_;
  size_t size_bytes_ = 0;
};

/// The array type that holds all of a column's values: kInt8Oid, …; kTextOid for texts and for
/// nothing but NULLs.
Oid ElementType(std::span<const std::vector<Value>> rows, size_t column);
/// `bigint[]`: the array's name in SQL.
const char* ArrayTypeName(Oid element);

}  // namespace tarn::postgres
