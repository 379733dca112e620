// See the header.
#include "data/apply_name_map.h"

#include <optional>
#include <utility>

#include "base/text.h"

namespace tarn {
namespace {

class Applier {
 public:
  Applier(const NameMap& names, ParquetFooter& footer) : names_(names), footer_(footer) {}

  void Apply() {
    for (ColumnStats& stats : footer_.stats) stats.field = FieldId();
    ApplyTo(footer_.fields, std::nullopt, /*by_name=*/true);
  }

 private:
  void ApplyTo(std::vector<ParquetField>& fields, std::optional<int64_t> parent, bool by_name) {
    std::vector<ParquetField> known;
    for (size_t i = 0; i < fields.size(); ++i) {
      const NameMapEntry* entry = by_name ? Named(parent, fields[i].source_name) : Nth(parent, i);
      if (entry == nullptr) continue;
      ParquetField& field = known.emplace_back(std::move(fields[i]));
      field.field_id = entry->target.value;
      if (field.leaf) footer_.stats.at(*field.leaf).field = entry->target;
      // What elements of lists and maps are called differs from writer to writer.
      ApplyTo(field.children, entry->id, field.type == "struct");
    }
    fields = std::move(known);
  }

  const NameMapEntry* Named(std::optional<int64_t> parent, const std::string& name) const {
    for (const NameMapEntry& entry : names_.entries) {
      if (entry.parent == parent && !entry.is_partition &&
          EqualsIgnoreCase(entry.source_name, name))
        return &entry;
    }
    return nullptr;
  }

  const NameMapEntry* Nth(std::optional<int64_t> parent, size_t position) const {
    for (const NameMapEntry& entry : names_.entries) {
      if (entry.parent == parent && position-- == 0) return &entry;
    }
    return nullptr;
  }

  const NameMap& names_;
  ParquetFooter& footer_;
};

}  // namespace

void ApplyNameMap(const NameMap& names, ParquetFooter& footer) { Applier(names, footer).Apply(); }

}  // namespace tarn
