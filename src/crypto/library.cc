// See library.h.
#include "crypto/library.h"

#include <openssl/crypto.h>
#include <openssl/err.h>

#include <array>
#include <string>

#include "tarn/error.h"

namespace tarn {

ossl_lib_ctx_st* CryptoLibrary() {
  static OSSL_LIB_CTX* const library = OSSL_LIB_CTX_new();
  if (library == nullptr) ThrowCryptoError("OpenSSL could not be set up");
  return library;
}

void ThrowCryptoError(std::string_view what) {
  std::string sentence(what);
  if (const auto code = ERR_get_error(); code != 0) {
    std::array<char, 256> text{};
    ERR_error_string_n(code, text.data(), text.size());
    sentence.append(": ").append(text.data());
  }
  ERR_clear_error();
  throw Error(ErrorCode::kInternal, sentence);
}

}  // namespace tarn
