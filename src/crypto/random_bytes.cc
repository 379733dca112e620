// See random_bytes.h.
#include "crypto/random_bytes.h"

#include <openssl/rand.h>

#include "crypto/library.h"

namespace tarn {

void FillRandomBytes(std::span<uint8_t> bytes) {
  if (RAND_priv_bytes_ex(CryptoLibrary(), bytes.data(), bytes.size(), 0) != 1) {
    ThrowCryptoError("No random bytes could be had");
  }
}

std::string NewFileKey() {
  std::string key(16, '\0');
  FillRandomBytes({reinterpret_cast<uint8_t*>(key.data()), key.size()});
  return key;
}

}  // namespace tarn
