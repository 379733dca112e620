// AES as Parquet's encryption and DuckDB's own files use it (FIPS 197; modes of NIST SP 800-38A and
// 800-38D).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

struct evp_cipher_ctx_st;

namespace tarn {

enum class AesMode { kGcm, kCtr };

/// Encrypts or decrypts one message after another; each starts anew. Not for several threads at a
/// time. The key is not kept, and what was derived of it is wiped.
class AesCipher {
 public:
  using Bytes = std::span<const uint8_t>;

  /// Keys have 16, 24 or 32 bytes. Throws kInvalid for another size.
  AesCipher(AesMode mode, size_t key_size);
  ~AesCipher();
  AesCipher(const AesCipher&) = delete;
  AesCipher& operator=(const AesCipher&) = delete;

  /// `nonce`: up to 16 bytes in GCM, else 16. `authenticated` is covered by the tag (GCM only).
  void StartEncryption(Bytes key, Bytes nonce, Bytes authenticated = {});
  void StartDecryption(Bytes key, Bytes nonce, Bytes authenticated = {});

  /// Fills as much of `out` as `in` has; it may be `in` itself, but may not overlap it otherwise.
  void Update(Bytes in, std::span<uint8_t> out);

  /// The end of an encryption in GCM: gives the tag.
  void Finish(std::span<uint8_t> tag);

  /// The end of a decryption in GCM: false if key, nonce, message and tag do not belong together.
  /// Then nothing of what was decrypted may be used.
  [[nodiscard]] bool Check(Bytes tag);

 private:
  void Start(bool encrypts, Bytes key, Bytes nonce, Bytes authenticated);

  struct Free {
    void operator()(evp_cipher_ctx_st* context) const;
  };

  AesMode mode_;
  size_t key_size_;
  std::unique_ptr<evp_cipher_ctx_st, Free> context_;
};

}  // namespace tarn
