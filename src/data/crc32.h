// The CRC-32 of zlib and of deletion vectors.
#pragma once

#include <cstdint>
#include <string_view>

namespace tarn {

uint32_t Crc32(std::string_view bytes);

}  // namespace tarn
