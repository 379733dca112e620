// Thrift's compact protocol as Parquet footers use it, for bytes that nobody vouches for: every
// length is checked against what is left, nesting is limited, and nothing is allocated for a size
// that is only claimed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tarn {

/// What the reader throws; whoever knows the file's name turns it into an Error.
struct ThriftFailure {
  std::string why;
};

class ThriftReader {
 public:
  enum class Type : uint8_t {
    kStop = 0,
    kTrue = 1,
    kFalse = 2,
    kByte = 3,
    kI16 = 4,
    kI32 = 5,
    kI64 = 6,
    kDouble = 7,
    kBinary = 8,
    kList = 9,
    kSet = 10,
    kMap = 11,
    kStruct = 12,
    kUuid = 13,
  };
  struct Field {
    int32_t id = 0;
    Type type = Type::kStop;
  };

  explicit ThriftReader(std::string_view bytes) : bytes_(bytes) {}

  /// Calls `visit(field)` for each field of a struct; it must read or Skip the field's value.
  template <class Visit>
  void Struct(Visit visit) {
    Nesting nesting(*this);
    int32_t last_id = 0;
    for (;;) {
      Field field = NextField(last_id);
      if (field.type == Type::kStop) return;
      last_id = field.id;
      visit(field);
    }
  }
  /// Calls `visit()` for each element, which must be of type `element`.
  template <class Visit>
  void List(const Field& field, Type element, Visit visit) {
    Nesting nesting(*this);
    for (uint32_t left = BeginList(field, element); left > 0; --left) visit();
  }

  bool Bool(const Field& field) const;
  int8_t Byte(const Field& field);
  int32_t I32(const Field& field);
  int64_t I64(const Field& field);
  double Double(const Field& field);
  int32_t I32Element();
  std::string_view Binary(const Field& field);
  /// The same as an element of a list.
  std::string_view BinaryElement();

  void Skip(const Field& field);

  [[noreturn]] static void Fail(std::string why) { throw ThriftFailure{std::move(why)}; }

 private:
  static constexpr int kMaxNesting = 64;
  class Nesting {
   public:
    explicit Nesting(ThriftReader& reader) : reader_(reader) {
      if (++reader_.nesting_ > kMaxNesting) Fail("it is nested too deeply");
    }
    ~Nesting() { --reader_.nesting_; }

   private:
    ThriftReader& reader_;
  };

  Field NextField(int32_t last_id);
  uint32_t BeginList(const Field& field, Type element);
  void SkipValue(Type type, bool in_collection);
  void Expect(const Field& field, Type type) const;
  uint8_t TakeByte();
  std::string_view Take(uint64_t length);
  uint64_t Varint();
  int64_t ZigZag();

  std::string_view bytes_;
  int nesting_ = 0;
};

}  // namespace tarn
