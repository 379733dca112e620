// UUIDs as lower-case text: version 4 for schemas and tables, version 7 for file names, so that
// names sort by time. Randomness comes in.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tarn/snapshot.h"

namespace tarn {

using RandomSource = std::function<uint64_t()>;

std::string UuidV4(const RandomSource& random);
std::string UuidV7(Timestamp now, const RandomSource& random);

/// 16 bytes, most significant first, from text with or without dashes and braces in any case;
/// nullopt for anything else.
std::optional<std::array<uint8_t, 16>> ParseUuid(std::string_view text);
/// Lower case with dashes.
std::string FormatUuid(const std::array<uint8_t, 16>& bytes);

}  // namespace tarn
