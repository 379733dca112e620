// The part of OpenSSL that is ours: settings of the machine (openssl.cnf) and of other users of the
// library do not reach it.
#pragma once

#include <string_view>

struct ossl_lib_ctx_st;

namespace tarn {

/// Made at the first call, never freed: threads may use it until the process ends.
ossl_lib_ctx_st* CryptoLibrary();

/// Throws kInternal with what OpenSSL says of its last failure, and empties its queue of errors.
[[noreturn]] void ThrowCryptoError(std::string_view what);

}  // namespace tarn
