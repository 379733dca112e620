// Deletion vectors as bytes (format page, section 6); what reads them into a mask is in
// delete_mask.h. Which bytes, deletion_vector.cc shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tarn {

inline constexpr std::string_view kDeletionVectorMagic("\xD1\xD3\x39\x64", 4);
inline constexpr uint32_t kCookieWithoutRuns = 12346;
inline constexpr uint32_t kCookieWithRuns = 12347;
inline constexpr uint32_t kMaxListedPositions = 4096;  ///< containers of more are bitmaps
inline constexpr size_t kBitmapBytes = 8192;

/// A whole file of these positions: sorted, each once, none negative.
std::string SerializeDeletionVector(std::span<const int64_t> positions);

}  // namespace tarn
