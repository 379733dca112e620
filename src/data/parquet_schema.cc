// Types by the rules of parquet-format's LogicalTypes.md: the logical type where there is one, else
// the older converted type, else the physical one. Lists and maps lose their middle group, so that
// a list has the child `element` and a map `key` and `value`, as in the format.
#include "data/parquet_schema.h"

#include <array>

#include "format/type_names.h"

namespace tarn {
namespace {

using Field = ThriftReader::Field;

// Deeper than any real schema; keeps the recursion below from using up the stack.
constexpr int kMaxDepth = 512;

enum class Repetition { kRequired = 0, kOptional = 1, kRepeated = 2 };

// Numbers of LogicalType's union in parquet.thrift.
enum class Logical {
  kNone = 0,
  kString = 1,
  kMap = 2,
  kList = 3,
  kEnum = 4,
  kDecimal = 5,
  kDate = 6,
  kTime = 7,
  kTimestamp = 8,
  kInteger = 10,
  kUnknown = 11,
  kJson = 12,
  kBson = 13,
  kUuid = 14,
  kFloat16 = 15,
  kVariant = 16,
  kGeometry = 17,
  kGeography = 18,
};

struct Element {
  std::string name;
  std::optional<PhysicalType> physical;
  int32_t type_length = 0;
  Repetition repetition = Repetition::kRequired;
  int32_t child_count = 0;
  std::optional<int32_t> converted;
  int32_t scale = 0;
  int32_t precision = 0;
  std::optional<int64_t> field_id;
  Logical logical = Logical::kNone;
  bool is_utc = false;
  int64_t units_per_second = 0;
  int bit_width = 0;
  bool is_signed = true;
};

int64_t ReadTimeUnit(ThriftReader& reader) {
  int64_t units = 0;
  reader.Struct([&](const Field& field) {
    static constexpr std::array<int64_t, 4> kUnits = {0, 1'000, 1'000'000, 1'000'000'000};
    if (field.id >= 1 && field.id <= 3) units = kUnits[static_cast<size_t>(field.id)];
    reader.Skip(field);
  });
  return units;
}

void ReadLogicalType(ThriftReader& reader, Element& element) {
  reader.Struct([&](const Field& kind) {
    element.logical = static_cast<Logical>(kind.id);
    if (kind.type != ThriftReader::Type::kStruct) return reader.Skip(kind);
    reader.Struct([&](const Field& field) {
      switch (element.logical) {
        case Logical::kDecimal:
          if (field.id == 1) {
            element.scale = reader.I32(field);
          } else if (field.id == 2) {
            element.precision = reader.I32(field);
          } else {
            reader.Skip(field);
          }
          return;
        case Logical::kTime:
        case Logical::kTimestamp:
          if (field.id == 1) {
            element.is_utc = reader.Bool(field);
          } else if (field.id == 2 && field.type == ThriftReader::Type::kStruct) {
            element.units_per_second = ReadTimeUnit(reader);
          } else {
            reader.Skip(field);
          }
          return;
        case Logical::kInteger:
          if (field.id == 1) {
            element.bit_width = reader.Byte(field);
          } else if (field.id == 2) {
            element.is_signed = reader.Bool(field);
          } else {
            reader.Skip(field);
          }
          return;
        default:
          reader.Skip(field);
      }
    });
  });
}

Element ReadElement(ThriftReader& reader) {
  Element element;
  bool has_name = false;
  reader.Struct([&](const Field& field) {
    switch (field.id) {
      case 1: {
        int32_t type = reader.I32(field);
        if (type < 0 || type > static_cast<int32_t>(PhysicalType::kFixedLenByteArray)) {
          ThriftReader::Fail("a column in it has an unknown physical type");
        }
        element.physical = static_cast<PhysicalType>(type);
        return;
      }
      case 2:
        element.type_length = reader.I32(field);
        return;
      case 3: {
        int32_t repetition = reader.I32(field);
        if (repetition < 0 || repetition > 2)
          ThriftReader::Fail("a column in it has an unknown repetition");
        element.repetition = static_cast<Repetition>(repetition);
        return;
      }
      case 4:
        element.name = reader.Binary(field);
        has_name = true;
        return;
      case 5:
        element.child_count = reader.I32(field);
        return;
      case 6:
        element.converted = reader.I32(field);
        return;
      case 7:
        element.scale = reader.I32(field);
        return;
      case 8:
        element.precision = reader.I32(field);
        return;
      case 9:
        element.field_id = reader.I32(field);
        return;
      case 10:
        if (field.type != ThriftReader::Type::kStruct) return reader.Skip(field);
        return ReadLogicalType(reader, element);
      default:
        reader.Skip(field);
    }
  });
  if (!has_name) ThriftReader::Fail("a column in it has no name");
  return element;
}

// Numbers of ConvertedType in parquet.thrift, for files of writers that know no logical types.
Element WithLogicalOfConverted(Element element) {
  if (element.logical != Logical::kNone || !element.converted) return element;
  auto integer = [&](int width, bool is_signed) {
    element.logical = Logical::kInteger;
    element.bit_width = width;
    element.is_signed = is_signed;
  };
  auto time = [&](Logical logical, int64_t units) {
    element.logical = logical;
    element.units_per_second = units;
  };
  switch (*element.converted) {
    case 0:
      element.logical = Logical::kString;
      break;
    case 1:
    case 2:
      element.logical = Logical::kMap;
      break;
    case 3:
      element.logical = Logical::kList;
      break;
    case 4:
      element.logical = Logical::kEnum;
      break;
    case 5:
      element.logical = Logical::kDecimal;
      break;
    case 6:
      element.logical = Logical::kDate;
      break;
    case 7:
      time(Logical::kTime, 1'000);
      break;
    case 8:
      time(Logical::kTime, 1'000'000);
      break;
    case 9:
      time(Logical::kTimestamp, 1'000);
      break;
    case 10:
      time(Logical::kTimestamp, 1'000'000);
      break;
    case 11:
      integer(8, false);
      break;
    case 12:
      integer(16, false);
      break;
    case 13:
      integer(32, false);
      break;
    case 14:
      integer(64, false);
      break;
    case 15:
      integer(8, true);
      break;
    case 16:
      integer(16, true);
      break;
    case 17:
      integer(32, true);
      break;
    case 18:
      integer(64, true);
      break;
    case 19:
      element.logical = Logical::kJson;
      break;
    case 20:
      element.logical = Logical::kBson;
      break;
    default:
      break;  // 21, INTERVAL, has no logical type
  }
  return element;
}

TypeKind IntegerKind(int bit_width, bool is_signed) {
  switch (bit_width) {
    case 8:
      return is_signed ? TypeKind::kInt8 : TypeKind::kUint8;
    case 16:
      return is_signed ? TypeKind::kInt16 : TypeKind::kUint16;
    case 32:
      return is_signed ? TypeKind::kInt32 : TypeKind::kUint32;
    default:
      return is_signed ? TypeKind::kInt64 : TypeKind::kUint64;
  }
}

bool IsDecimal(const Element& element) {
  return element.logical == Logical::kDecimal && element.precision >= 1 &&
         element.precision <= 38 && element.scale >= 0 && element.scale <= element.precision;
}

TypeKind TimestampKind(const Element& element) {
  if (element.is_utc) return TypeKind::kTimestampTz;
  switch (element.units_per_second) {
    case 1'000:
      return TypeKind::kTimestampMs;
    case 1'000'000'000:
      return TypeKind::kTimestampNs;
    default:
      return TypeKind::kTimestamp;
  }
}

TypeKind TimeKind(const Element& element) {
  if (element.is_utc) return TypeKind::kTimeTz;
  return element.units_per_second == 1'000'000'000 ? TypeKind::kTimeNs : TypeKind::kTime;
}

ParquetLeaf MakeLeaf(const Element& element) {
  ParquetLeaf leaf;
  leaf.physical = *element.physical;
  leaf.field_id = element.field_id;
  leaf.type_length = element.type_length;
  leaf.units_per_second = element.units_per_second;
  auto& type = leaf.type;
  if (IsDecimal(element) && leaf.physical != PhysicalType::kBoolean &&
      leaf.physical != PhysicalType::kFloat && leaf.physical != PhysicalType::kDouble &&
      leaf.physical != PhysicalType::kInt96) {
    type = {TypeKind::kDecimal, static_cast<uint8_t>(element.precision),
            static_cast<uint8_t>(element.scale)};
    return leaf;
  }
  switch (leaf.physical) {
    case PhysicalType::kBoolean:
      type.kind = TypeKind::kBoolean;
      break;
    case PhysicalType::kInt32:
      type.kind = TypeKind::kInt32;
      if (element.logical == Logical::kInteger)
        type.kind = IntegerKind(element.bit_width, element.is_signed);
      if (element.logical == Logical::kDate) type.kind = TypeKind::kDate;
      if (element.logical == Logical::kTime) type.kind = TimeKind(element);
      break;
    case PhysicalType::kInt64:
      type.kind = TypeKind::kInt64;
      if (element.logical == Logical::kInteger)
        type.kind = IntegerKind(element.bit_width, element.is_signed);
      if (element.logical == Logical::kTime) type.kind = TimeKind(element);
      if (element.logical == Logical::kTimestamp) type.kind = TimestampKind(element);
      break;
    case PhysicalType::kInt96:
      type.kind = TypeKind::kTimestamp;
      leaf.has_statistics = false;  // their order was never defined
      break;
    case PhysicalType::kFloat:
      type.kind = TypeKind::kFloat32;
      break;
    case PhysicalType::kDouble:
      type.kind = TypeKind::kFloat64;
      break;
    case PhysicalType::kByteArray:
      type.kind = TypeKind::kBlob;
      if (element.logical == Logical::kString || element.logical == Logical::kEnum)
        type.kind = TypeKind::kVarchar;
      if (element.logical == Logical::kJson) type.kind = TypeKind::kJson;
      if (element.logical == Logical::kGeometry || element.logical == Logical::kGeography) {
        type.kind = TypeKind::kGeometry;
      }
      break;
    case PhysicalType::kFixedLenByteArray:
      type.kind = TypeKind::kBlob;
      if (element.logical == Logical::kUuid && element.type_length == 16)
        type.kind = TypeKind::kUuid;
      if (element.logical == Logical::kNone && element.converted == 21)
        type.kind = TypeKind::kInterval;
      if (element.logical == Logical::kFloat16) {
        type.kind = TypeKind::kFloat32;
        leaf.has_statistics = false;
      }
      break;
  }
  if (!HasFileBounds(type.kind)) leaf.has_statistics = false;
  return leaf;
}

const char* PhysicalName(PhysicalType type) {
  static constexpr const char* kNames[] = {
      "BOOLEAN", "INT32",  "INT64",      "INT96",
      "FLOAT",   "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
  return kNames[static_cast<size_t>(type)];
}

class TreeBuilder {
 public:
  explicit TreeBuilder(std::vector<Element> elements) : elements_(std::move(elements)) {}

  ParquetSchema Build() {
    if (elements_.empty() || elements_[0].physical) ThriftReader::Fail("its schema has no root");
    int32_t count = elements_[0].child_count;
    next_ = 1;
    for (int32_t i = 0; i < count; ++i) schema_.fields.push_back(Node(1));
    if (next_ != elements_.size()) ThriftReader::Fail("its schema is not one tree");
    return std::move(schema_);
  }

 private:
  ParquetField Node(int depth) {
    if (depth > kMaxDepth) ThriftReader::Fail("its schema is nested too deeply");
    if (next_ >= elements_.size()) ThriftReader::Fail("its schema ends too early");
    const Element& element = elements_[next_++];
    ParquetField field;
    field.name = field.source_name = element.name;
    field.field_id = element.field_id;
    field.optional = element.repetition != Repetition::kRequired;
    const bool is_repeated = element.repetition == Repetition::kRepeated;
    if (is_repeated) ++repeated_groups_;
    if (element.physical) {
      if (element.child_count != 0)
        ThriftReader::Fail("a column in its schema has both values and children");
      ParquetLeaf leaf = MakeLeaf(element);
      leaf.is_repeated = repeated_groups_ > 0;
      field.physical_type = PhysicalName(leaf.physical);
      field.type = TypeName(leaf.type);
      field.leaf = schema_.leaves.size();
      schema_.leaves.push_back(leaf);
    } else {
      if (element.child_count < 0)
        ThriftReader::Fail("a column in its schema has a negative number of children");
      field.type = "struct";
      for (int32_t i = 0; i < element.child_count; ++i) field.children.push_back(Node(depth + 1));
      if (element.logical == Logical::kList) MakeList(field);
      if (element.logical == Logical::kMap) MakeMap(field);
      if (element.logical == Logical::kVariant) field.type = "variant";
    }
    if (is_repeated) --repeated_groups_;
    // A repeated field outside a list or map group is an old writer's list without one. Its
    // one-child groups below lists and maps are unwrapped by their parents, which see the mark.
    if (is_repeated) {
      ParquetField list;
      list.name = list.source_name = field.name;
      list.field_id = field.field_id;
      list.type = "list";
      list.optional = false;
      field.name = "element";
      list.children.push_back(std::move(field));
      return list;
    }
    return field;
  }

  // group (LIST) { repeated group list { element } }, or older: group (LIST) { repeated element }.
  static void MakeList(ParquetField& field) {
    if (field.children.size() != 1 || field.children[0].type != "list" ||
        field.children[0].children.size() != 1)
      return;
    ParquetField repeated = std::move(field.children[0]);
    ParquetField inner = std::move(repeated.children[0]);
    field.type = "list";
    field.children.clear();
    bool is_wrapper = inner.type == "struct" && inner.children.size() == 1 &&
                      repeated.name != "array" && repeated.name != field.name + "_tuple";
    if (is_wrapper) {
      ParquetField element = std::move(inner.children[0]);
      inner = std::move(element);
    }
    inner.name = "element";
    inner.source_name = repeated.name;
    field.children.push_back(std::move(inner));
  }

  // group (MAP) { repeated group key_value { key, value } }.
  static void MakeMap(ParquetField& field) {
    if (field.children.size() != 1 || field.children[0].type != "list" ||
        field.children[0].children.size() != 1)
      return;
    ParquetField pair = std::move(field.children[0].children[0]);
    if (pair.type != "struct" || pair.children.size() != 2) {
      field.children[0].children[0] = std::move(pair);
      return;
    }
    field.type = "map";
    field.children = std::move(pair.children);
    field.children[0].name = "key";
    field.children[1].name = "value";
  }

  std::vector<Element> elements_;
  size_t next_ = 0;
  int repeated_groups_ = 0;  ///< around the node that is being made
  ParquetSchema schema_;
};

}  // namespace

ParquetSchema ReadParquetSchema(ThriftReader& reader, const ThriftReader::Field& field) {
  std::vector<Element> elements;
  reader.List(field, ThriftReader::Type::kStruct,
              [&] { elements.push_back(WithLogicalOfConverted(ReadElement(reader))); });
  return TreeBuilder(std::move(elements)).Build();
}

}  // namespace tarn
