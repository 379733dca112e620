// Characters as UTF-8.
#pragma once

#include <cstdint>
#include <string>

namespace tarn {

/// `code_point`: up to 0x10FFFF, and no surrogate.
void AppendUtf8(std::string& out, uint32_t code_point);

}  // namespace tarn
