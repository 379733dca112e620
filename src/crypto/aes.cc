// See aes.h.
#include "crypto/aes.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/assert.h"
#include "crypto/library.h"
#include "tarn/error.h"

namespace tarn {
namespace {

constexpr size_t kBlockSize = 16;
constexpr size_t kUsualGcmNonce = 12;
// OpenSSL counts in int.
constexpr size_t kLargestPart = size_t{1} << 30;

constexpr std::array<const char*, 9> kNames = {"AES-128-GCM", "AES-192-GCM", "AES-256-GCM",
                                               "AES-128-CTR", "AES-192-CTR", "AES-256-CTR",
                                               "AES-128-CBC", "AES-192-CBC", "AES-256-CBC"};

// Looked up once: a search takes locks, and each page of a file has a cipher of its own.
const EVP_CIPHER* FindCipher(AesMode mode, size_t key_size) {
  static const auto ciphers = [] {
    std::array<const EVP_CIPHER*, kNames.size()> found{};
    for (size_t i = 0; i < kNames.size(); ++i) {
      found[i] = EVP_CIPHER_fetch(CryptoLibrary(), kNames[i], nullptr);
      if (found[i] == nullptr) ThrowCryptoError(std::string("OpenSSL lacks ") + kNames[i]);
    }
    return found;
  }();
  return ciphers[static_cast<size_t>(mode) * 3 + (key_size / 8 - 2)];
}

}  // namespace

void AesCipher::Free::operator()(evp_cipher_ctx_st* context) const { EVP_CIPHER_CTX_free(context); }

AesCipher::AesCipher(AesMode mode, size_t key_size) : mode_(mode), key_size_(key_size) {
  if (key_size != 16 && key_size != 24 && key_size != 32) {
    throw Error(ErrorCode::kInvalid,
                "An AES key has 16, 24 or 32 bytes, not " + std::to_string(key_size) + ".");
  }
  context_.reset(EVP_CIPHER_CTX_new());
  if (!context_) ThrowCryptoError("No memory for a cipher");
}

AesCipher::~AesCipher() = default;

void AesCipher::StartEncryption(Bytes key, Bytes nonce, Bytes authenticated) {
  Start(true, key, nonce, authenticated);
}

void AesCipher::StartDecryption(Bytes key, Bytes nonce, Bytes authenticated) {
  Start(false, key, nonce, authenticated);
}

void AesCipher::Start(bool encrypts, Bytes key, Bytes nonce, Bytes authenticated) {
  TARN_ASSERT(key.size() == key_size_);
  const bool is_gcm = mode_ == AesMode::kGcm;
  if (nonce.empty() || nonce.size() > kBlockSize || (!is_gcm && nonce.size() != kBlockSize)) {
    throw Error(ErrorCode::kInvalid,
                "AES cannot start with a nonce of " + std::to_string(nonce.size()) + " bytes.");
  }
  auto* context = context_.get();
  const int direction = encrypts ? 1 : 0;
  const auto* cipher = FindCipher(mode_, key_size_);
  // A length of the nonce before does not stay.
  bool is_fine = EVP_CIPHER_CTX_reset(context) == 1;
  if (is_gcm && nonce.size() != kUsualGcmNonce) {
    is_fine = is_fine &&
              EVP_CipherInit_ex2(context, cipher, nullptr, nullptr, direction, nullptr) == 1 &&
              EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(nonce.size()),
                                  nullptr) == 1;
    cipher = nullptr;  // as it is now
  }
  is_fine = is_fine &&
            EVP_CipherInit_ex2(context, cipher, key.data(), nonce.data(), direction, nullptr) == 1;
  if (is_gcm && !authenticated.empty()) {
    TARN_ASSERT(authenticated.size() <= kLargestPart);
    int size = 0;
    is_fine = is_fine && EVP_CipherUpdate(context, nullptr, &size, authenticated.data(),
                                          static_cast<int>(authenticated.size())) == 1;
  }
  if (!is_fine) ThrowCryptoError("A cipher could not be started");
}

void AesCipher::Update(Bytes in, std::span<uint8_t> out) {
  TARN_ASSERT(out.size() >= in.size());
  while (!in.empty()) {
    const auto part = in.first(std::min(in.size(), kLargestPart));
    int size = 0;
    if (EVP_CipherUpdate(context_.get(), out.data(), &size, part.data(),
                         static_cast<int>(part.size())) != 1) {
      ThrowCryptoError("A cipher failed");
    }
    TARN_ASSERT(static_cast<size_t>(size) == part.size());
    in = in.subspan(part.size());
    out = out.subspan(part.size());
  }
}

void AesCipher::Finish(std::span<uint8_t> tag) {
  TARN_ASSERT(mode_ == AesMode::kGcm);
  std::array<uint8_t, kBlockSize> none{};
  int size = 0;
  if (EVP_CipherFinal_ex(context_.get(), none.data(), &size) != 1 ||
      EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_GET_TAG, static_cast<int>(tag.size()),
                          tag.data()) != 1) {
    ThrowCryptoError("A cipher gave no tag");
  }
}

bool AesCipher::Check(Bytes tag) {
  TARN_ASSERT(mode_ == AesMode::kGcm);
  // OpenSSL only reads it.
  auto* bytes = const_cast<uint8_t*>(tag.data());
  std::array<uint8_t, kBlockSize> none{};
  int size = 0;
  return EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_SET_TAG, static_cast<int>(tag.size()),
                             bytes) == 1 &&
         EVP_CipherFinal_ex(context_.get(), none.data(), &size) == 1;
}

}  // namespace tarn
