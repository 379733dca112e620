// Bounding boxes and kinds of geometries, as the catalog keeps them in `extra_stats`.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tarn {

struct GeometryStats {
  /// xmin, xmax, ymin, ymax, zmin, zmax, mmin, mmax: in the order of Parquet's fields 1 to 8.
  std::array<std::optional<double>, 8> box;
  std::vector<std::string> types;  ///< "point", "linestring_z", …

  /// `{"bbox": {"xmin": 0.000000, …}, "types": ["point"]}`, to the letter as other clients write
  /// it.
  std::string Json() const;
};

/// The statistics of a column chunk after the other; what one of them does not know, the file does
/// not.
class GeometryStatsMerger {
 public:
  /// `types`: codes of well-known binary. Boxes that wrap around the world are not boxes here.
  void Add(const std::optional<std::array<std::optional<double>, 8>>& box,
           const std::vector<int32_t>& types);
  /// A chunk with values of which nothing is known.
  void AddUnknown() { is_known_ = false; }
  /// Nullopt when something is not known, or nothing was added.
  std::optional<GeometryStats> Finish() const;

 private:
  bool is_known_ = true;
  bool is_empty_ = true;
  std::array<std::optional<double>, 8> box_;
  std::array<bool, 4> has_axis_ = {true, true, true, true};
  std::set<int32_t> types_;
};

}  // namespace tarn
