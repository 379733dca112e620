// See encryption.h.
#include "engine/bridge/encryption.h"

#include <mutex>
#include <span>
#include <utility>

#include "crypto/aes.h"
#include "crypto/random_bytes.h"
#include "duckdb/common/encryption_functions.hpp"
#include "duckdb/common/encryption_state.hpp"
#include "engine/bridge/errors.h"

namespace tarn::engine {
namespace {

AesMode ModeOf(const duckdb::EncryptionStateMetadata& metadata) {
  switch (metadata.GetCipher()) {
    case duckdb::EncryptionTypes::GCM:
      return AesMode::kGcm;
    case duckdb::EncryptionTypes::CTR:
      return AesMode::kCtr;
    default:
      throw duckdb::NotImplementedException("Tarn's ciphers are AES in GCM and CTR mode");
  }
}

class Encryption : public duckdb::EncryptionState {
 public:
  explicit Encryption(duckdb::unique_ptr<duckdb::EncryptionStateMetadata> about)
      : EncryptionState(std::move(about)),
        mode_(ModeOf(*metadata)),
        cipher_(mode_, metadata->GetKeyLen()) {}

  void InitializeEncryption(duckdb::EncryptionNonce& nonce, duckdb::const_data_ptr_t key,
                            duckdb::const_data_ptr_t aad, duckdb::idx_t aad_len) override {
    encrypts_ = true;
    Guard([&] { cipher_.StartEncryption(KeyAt(key), BytesOf(nonce), {aad, aad_len}); });
  }

  void InitializeDecryption(duckdb::EncryptionNonce& nonce, duckdb::const_data_ptr_t key,
                            duckdb::const_data_ptr_t aad, duckdb::idx_t aad_len) override {
    encrypts_ = false;
    Guard([&] { cipher_.StartDecryption(KeyAt(key), BytesOf(nonce), {aad, aad_len}); });
  }

  size_t Process(duckdb::const_data_ptr_t in, duckdb::idx_t in_len, duckdb::data_ptr_t out,
                 duckdb::idx_t out_len) override {
    Guard([&] { cipher_.Update({in, in_len}, {out, out_len}); });
    return in_len;
  }

  // Neither mode keeps bytes back, so there is nothing to put out.
  size_t Finalize(duckdb::data_ptr_t, duckdb::idx_t, duckdb::data_ptr_t tag,
                  duckdb::idx_t tag_len) override {
    if (mode_ != AesMode::kGcm) return 0;
    Guard([&] {
      if (encrypts_) {
        cipher_.Finish({tag, tag_len});
      } else if (!cipher_.Check({tag, tag_len})) {
        throw duckdb::InvalidInputException(
            "Computed AES tag differs from read AES tag, are you using the right key?");
      }
    });
    return 0;
  }

  void GenerateRandomData(duckdb::data_ptr_t data, duckdb::idx_t len) override {
    Guard([&] { FillRandomBytes({data, len}); });
  }

 private:
  [[nodiscard]] AesCipher::Bytes KeyAt(duckdb::const_data_ptr_t key) const {
    return {key, metadata->GetKeyLen()};
  }

  static AesCipher::Bytes BytesOf(duckdb::EncryptionNonce& nonce) {
    return {nonce.data(), nonce.total_size()};
  }

  AesMode mode_;
  AesCipher cipher_;
  bool encrypts_ = false;
};

class EncryptionOfTarn : public duckdb::EncryptionUtil {
 public:
  duckdb::shared_ptr<duckdb::EncryptionState> CreateEncryptionState(
      duckdb::unique_ptr<duckdb::EncryptionStateMetadata> metadata) const override {
    return Guard([&] { return duckdb::make_shared_ptr<Encryption>(std::move(metadata)); });
  }

  void OverrideEncryptionUtil() override {}
};

}  // namespace

void LendEncryption(duckdb::DatabaseInstance& db) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  auto& lent = duckdb::DBConfig::GetConfig(db).encryption_util;
  if (!lent) lent = duckdb::make_shared_ptr<EncryptionOfTarn>();
}

}  // namespace tarn::engine
