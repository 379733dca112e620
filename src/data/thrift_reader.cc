// See the header. A value of the wrong type for a field that we want is a failure, not something to
// skip: no writer makes it.
#include "data/thrift_reader.h"

#include <bit>
#include <limits>

namespace tarn {

uint8_t ThriftReader::TakeByte() { return static_cast<uint8_t>(Take(1)[0]); }

std::string_view ThriftReader::Take(uint64_t length) {
  if (length > bytes_.size()) Fail("it ends too early");
  std::string_view taken = bytes_.substr(0, length);
  bytes_.remove_prefix(length);
  return taken;
}

uint64_t ThriftReader::Varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    uint8_t byte = TakeByte();
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (!(byte & 0x80)) return value;
  }
  Fail("a number in it is too long");
}

int64_t ThriftReader::ZigZag() {
  uint64_t value = Varint();
  return static_cast<int64_t>(value >> 1 ^ (~(value & 1) + 1));
}

ThriftReader::Field ThriftReader::NextField(int32_t last_id) {
  uint8_t head = TakeByte();
  Field field;
  uint8_t type = head & 0x0F;
  if (type > static_cast<uint8_t>(Type::kUuid)) Fail("it has a field of an unknown type");
  field.type = static_cast<Type>(type);
  if (field.type == Type::kStop) return field;
  int32_t delta = head >> 4;
  int64_t id = delta != 0 ? int64_t{last_id} + delta : ZigZag();
  if (id < 0 || id > std::numeric_limits<int16_t>::max())
    Fail("it has a field number out of range");
  field.id = static_cast<int32_t>(id);
  return field;
}

void ThriftReader::Expect(const Field& field, Type type) const {
  if (field.type != type) Fail("a field in it has the wrong type");
}

bool ThriftReader::Bool(const Field& field) const {
  if (field.type != Type::kTrue && field.type != Type::kFalse)
    Fail("a field in it has the wrong type");
  return field.type == Type::kTrue;
}

int8_t ThriftReader::Byte(const Field& field) {
  Expect(field, Type::kByte);
  return static_cast<int8_t>(TakeByte());
}

int32_t ThriftReader::I32(const Field& field) {
  Expect(field, Type::kI32);
  return I32Element();
}

int32_t ThriftReader::I32Element() {
  int64_t value = ZigZag();
  if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
    Fail("a number in it is out of range");
  }
  return static_cast<int32_t>(value);
}

int64_t ThriftReader::I64(const Field& field) {
  Expect(field, Type::kI64);
  return ZigZag();
}

double ThriftReader::Double(const Field& field) {
  Expect(field, Type::kDouble);
  const auto bytes = Take(8);
  uint64_t bits = 0;
  for (size_t i = 8; i-- > 0;) bits = bits << 8 | static_cast<uint8_t>(bytes[i]);
  return std::bit_cast<double>(bits);
}

std::string_view ThriftReader::Binary(const Field& field) {
  Expect(field, Type::kBinary);
  return BinaryElement();
}

std::string_view ThriftReader::BinaryElement() { return Take(Varint()); }

uint32_t ThriftReader::BeginList(const Field& field, Type element) {
  Expect(field, Type::kList);
  uint8_t head = TakeByte();
  uint64_t size = head >> 4;
  if (size == 15) size = Varint();
  // Each element takes at least a byte.
  if (size > bytes_.size()) Fail("it ends too early");
  if (size > 0 && static_cast<Type>(head & 0x0F) != element)
    Fail("a list in it has elements of the wrong type");
  return static_cast<uint32_t>(size);
}

void ThriftReader::Skip(const Field& field) { SkipValue(field.type, false); }

void ThriftReader::SkipValue(Type type, bool in_collection) {
  Nesting nesting(*this);
  switch (type) {
    case Type::kTrue:
    case Type::kFalse:
      if (in_collection) TakeByte();  // a field's head holds the value, a collection's does not
      return;
    case Type::kByte:
      TakeByte();
      return;
    case Type::kI16:
    case Type::kI32:
    case Type::kI64:
      Varint();
      return;
    case Type::kDouble:
      Take(8);
      return;
    case Type::kUuid:
      Take(16);
      return;
    case Type::kBinary:
      Take(Varint());
      return;
    case Type::kList:
    case Type::kSet: {
      uint8_t head = TakeByte();
      uint64_t size = head >> 4;
      if (size == 15) size = Varint();
      if (size > bytes_.size()) Fail("it ends too early");
      for (; size > 0; --size) SkipValue(static_cast<Type>(head & 0x0F), true);
      return;
    }
    case Type::kMap: {
      uint64_t size = Varint();
      if (size > bytes_.size()) Fail("it ends too early");
      if (size == 0) return;
      uint8_t types = TakeByte();
      for (; size > 0; --size) {
        SkipValue(static_cast<Type>(types >> 4), true);
        SkipValue(static_cast<Type>(types & 0x0F), true);
      }
      return;
    }
    case Type::kStruct:
      Struct([this](const Field& field) { Skip(field); });
      return;
    case Type::kStop:
      break;
  }
  Fail("it has a value of an unknown type");
}

}  // namespace tarn
