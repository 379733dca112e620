// Bytes that nobody can guess, for keys and nonces.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tarn {

/// From OpenSSL's generator, which is seeded by the operating system and again in each child of a
/// fork. Thread safe.
void FillRandomBytes(std::span<uint8_t> bytes);

/// A key for one file: 16 random bytes.
std::string NewFileKey();

}  // namespace tarn
