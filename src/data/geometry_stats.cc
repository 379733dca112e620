// See geometry_stats.h.
#include "data/geometry_stats.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tarn {
namespace {

constexpr std::array<const char*, 8> kBounds = {"xmin", "xmax", "ymin", "ymax",
                                                "zmin", "zmax", "mmin", "mmax"};
constexpr std::array<const char*, 8> kTypes = {
    "unknown",    "point",           "linestring",   "polygon",
    "multipoint", "multilinestring", "multipolygon", "geometrycollection"};
constexpr std::array<const char*, 4> kDimensions = {"", "_z", "_m", "_zm"};

std::string TypeName(int32_t code) {
  const auto dimension = code / 1000, type = code % 1000;
  if (code < 0 || dimension > 3 || type > 7) return kTypes[0];
  return std::string(kTypes[static_cast<size_t>(type)]) +
         kDimensions[static_cast<size_t>(dimension)];
}

}  // namespace

std::string GeometryStats::Json() const {
  std::string json = "{\"bbox\": {";
  for (size_t i = 0; i < kBounds.size(); ++i) {
    json += fmt::format("{}\"{}\": ", i == 0 ? "" : ", ", kBounds[i]);
    json += box[i] ? std::to_string(*box[i]) : "null";
  }
  json += "}, \"types\": [";
  for (const auto& type : types)
    json += fmt::format("{}\"{}\"", &type == &types[0] ? "" : ", ", type);
  return json + "]}";
}

void GeometryStatsMerger::Add(const std::optional<std::array<std::optional<double>, 8>>& box,
                              const std::vector<int32_t>& types) {
  // Without a box or without kinds, a reader would take the absent half for an empty one.
  if (!box || types.empty()) return AddUnknown();
  for (size_t axis = 0; axis < has_axis_.size(); ++axis) {
    const auto &low = (*box)[2 * axis], &high = (*box)[2 * axis + 1];
    const bool is_sound =
        low && high && std::isfinite(*low) && std::isfinite(*high) && *low <= *high;
    if (axis < 2 && !is_sound) return AddUnknown();
    if (!is_sound) {
      has_axis_[axis] = false;
      continue;
    }
    auto &min = box_[2 * axis], &max = box_[2 * axis + 1];
    min = std::min(min.value_or(*low), *low);
    max = std::max(max.value_or(*high), *high);
  }
  types_.insert(types.begin(), types.end());
  is_empty_ = false;
}

std::optional<GeometryStats> GeometryStatsMerger::Finish() const {
  if (!is_known_ || is_empty_) return std::nullopt;
  GeometryStats stats;
  for (size_t i = 0; i < box_.size(); ++i) {
    if (has_axis_[i / 2]) stats.box[i] = box_[i];
  }
  for (const auto code : types_) stats.types.push_back(TypeName(code));
  return stats;
}

}  // namespace tarn
