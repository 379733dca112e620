// Murmur3, 32 bits (x86 variant): what the `bucket` partition transform hashes with.
#pragma once

#include <cstdint>
#include <string_view>

namespace tarn {

uint32_t Murmur3_32(std::string_view bytes, uint32_t seed = 0);

}  // namespace tarn
