// Ciphers against the vectors of NIST (SP 800-38A; the test cases of GCM's specification).
#include "crypto/aes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "crypto/random_bytes.h"
#include "tarn/error.h"

namespace tarn {
namespace {

using Buffer = std::vector<uint8_t>;

Buffer Hex(std::string_view text) {
  Buffer bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

struct GcmCase {
  std::string_view key, nonce, authenticated, plain, secret, tag;
};

constexpr std::string_view kPlain =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b5"
    "25b16aedf5aa0de657ba637b39";
constexpr std::string_view kAuthenticated = "feedfacedeadbeeffeedfacedeadbeefabaddad2";

const std::vector<GcmCase> kGcmCases = {
    {"00000000000000000000000000000000", "000000000000000000000000", "", "", "",
     "58e2fccefa7e3061367f1d57a4e7455a"},
    {"00000000000000000000000000000000", "000000000000000000000000", "",
     "00000000000000000000000000000000", "0388dace60b6a392f328c2b971b2fe78",
     "ab6e47d42cec13bdf53a67b21257bddf"},
    {"feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888", kAuthenticated, kPlain,
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84"
     "aa051ba30b396a0aac973d58e091",
     "5bc94fbc3221a5db94fae95ae7121a47"},
    // A nonce of 8 bytes.
    {"feffe9928665731c6d6a8f9467308308", "cafebabefacedbad", kAuthenticated, kPlain,
     "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c742373806900e49f24b22b097544d489"
     "6b424989b5e1ebac0f07c23f4598",
     "3612d2e79e3b0785561be14aaca2fccb"},
    {"feffe9928665731c6d6a8f9467308308feffe9928665731c", "cafebabefacedbaddecaf888", kAuthenticated,
     kPlain,
     "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00c144c525ac619d18c84a"
     "3f4718e2448b2fe324d9ccda2710",
     "2519498e80f1478f37ba55bd6d27618c"},
    {"feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
     kAuthenticated, kPlain,
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828"
     "838c5f61e6393ba7a0abcc9f662",
     "76fc6ece0f4e1768cddf8853bb2d551b"},
};

TEST(Aes, GcmGivesWhatTheStandardSays) {
  for (const auto& expected : kGcmCases) {
    const auto key = Hex(expected.key), nonce = Hex(expected.nonce);
    const auto authenticated = Hex(expected.authenticated), plain = Hex(expected.plain);
    AesCipher cipher(AesMode::kGcm, key.size());
    // Twice: a cipher starts anew for each message.
    for (int round = 0; round < 2; ++round) {
      Buffer secret(plain.size()), tag(16);
      cipher.StartEncryption(key, nonce, authenticated);
      cipher.Update(plain, secret);
      cipher.Finish(tag);
      EXPECT_EQ(secret, Hex(expected.secret));
      EXPECT_EQ(tag, Hex(expected.tag));

      cipher.StartDecryption(key, nonce, authenticated);
      cipher.Update(secret, secret);  // in place
      EXPECT_TRUE(cipher.Check(tag));
      EXPECT_EQ(secret, plain);
    }
  }
}

TEST(Aes, NoncesOfSeveralLengthsOneAfterTheOther) {
  AesCipher cipher(AesMode::kGcm, 16);
  for (const size_t number : {2U, 3U, 2U, 3U}) {
    const auto& expected = kGcmCases[number];
    Buffer secret(Hex(expected.plain).size()), tag(16);
    cipher.StartEncryption(Hex(expected.key), Hex(expected.nonce), Hex(expected.authenticated));
    cipher.Update(Hex(expected.plain), secret);
    cipher.Finish(tag);
    EXPECT_EQ(tag, Hex(expected.tag)) << number;
  }
}

TEST(Aes, GcmInPartsIsGcmAsAWhole) {
  const auto& expected = kGcmCases[2];
  const auto key = Hex(expected.key), nonce = Hex(expected.nonce), plain = Hex(expected.plain);
  for (size_t part = 1; part <= plain.size(); ++part) {
    AesCipher cipher(AesMode::kGcm, key.size());
    cipher.StartEncryption(key, nonce, Hex(expected.authenticated));
    Buffer secret(plain.size());
    for (size_t at = 0; at < plain.size(); at += part) {
      const auto size = std::min(part, plain.size() - at);
      cipher.Update({plain.data() + at, size}, {secret.data() + at, size});
    }
    EXPECT_EQ(secret, Hex(expected.secret)) << part;
  }
}

TEST(Aes, GcmNoticesEveryChange) {
  const auto& expected = kGcmCases[2];
  const auto decrypts = [](const Buffer& key, const Buffer& nonce, const Buffer& authenticated,
                           const Buffer& secret, const Buffer& tag) {
    AesCipher cipher(AesMode::kGcm, key.size());
    cipher.StartDecryption(key, nonce, authenticated);
    Buffer plain(secret.size());
    cipher.Update(secret, plain);
    return cipher.Check(tag);
  };
  const std::vector<Buffer> parts = {Hex(expected.key), Hex(expected.nonce),
                                     Hex(expected.authenticated), Hex(expected.secret),
                                     Hex(expected.tag)};
  EXPECT_TRUE(decrypts(parts[0], parts[1], parts[2], parts[3], parts[4]));
  for (size_t part = 0; part < parts.size(); ++part) {
    for (size_t byte = 0; byte < parts[part].size(); ++byte) {
      auto changed = parts;
      changed[part][byte] ^= 1;
      EXPECT_FALSE(decrypts(changed[0], changed[1], changed[2], changed[3], changed[4]))
          << "part " << part << ", byte " << byte;
    }
  }
  auto cut = parts;
  cut[3].pop_back();
  EXPECT_FALSE(decrypts(cut[0], cut[1], cut[2], cut[3], cut[4]));
}

constexpr std::string_view kBlocks =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52"
    "eff69f2445df4f9b17ad2b417be66c3710";

struct CtrCase {
  std::string_view key, secret;
};

// SP 800-38A: F.5.1, F.5.3, F.5.5.
const std::vector<CtrCase> kCtrCases = {
    {"2b7e151628aed2a6abf7158809cf4f3c",
     "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5ae4df3edbd5d35e5b4f09020db0"
     "3eab1e031dda2fbe03d1792170a0f3009cee"},
    {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
     "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e941e36b26bd1ebc670d1bd1d665620"
     "abf74f78a7f6d29809585a97daec58c6b050"},
    {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c52b0930daa23de94ce87017ba2d84"
     "988ddfc9c58db67aada613c2dd08457941a6"},
};

TEST(Aes, CtrGivesWhatTheStandardSays) {
  for (const auto& expected : kCtrCases) {
    const auto key = Hex(expected.key), plain = Hex(kBlocks);
    const auto counter = Hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    AesCipher cipher(AesMode::kCtr, key.size());
    Buffer bytes = plain;
    cipher.StartEncryption(key, counter);
    cipher.Update(bytes, bytes);
    EXPECT_EQ(bytes, Hex(expected.secret));
    cipher.StartDecryption(key, counter);
    cipher.Update(bytes, bytes);
    EXPECT_EQ(bytes, plain);
  }
}

TEST(Aes, WrongSizesAreRefused) {
  EXPECT_THROW(AesCipher(AesMode::kGcm, 15), Error);
  EXPECT_THROW(AesCipher(AesMode::kCtr, 0), Error);
  const Buffer key(16), bytes(17);
  AesCipher cipher(AesMode::kCtr, 16);
  EXPECT_THROW(cipher.StartEncryption(key, std::span(bytes).first(12)), Error);
  AesCipher gcm(AesMode::kGcm, 16);
  EXPECT_THROW(gcm.StartEncryption(key, {}), Error);
  EXPECT_THROW(gcm.StartEncryption(key, bytes), Error);
}

TEST(Aes, ManyThreadsEncryptAtATime) {
  const auto& expected = kGcmCases[2];
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (auto& count : wrong) {
    threads.emplace_back([&expected, &count] {
      for (int i = 0; i < 500; ++i) {
        AesCipher cipher(AesMode::kGcm, 16);
        const auto plain = Hex(expected.plain);
        Buffer secret(plain.size());
        cipher.StartEncryption(Hex(expected.key), Hex(expected.nonce), Hex(expected.authenticated));
        cipher.Update(plain, secret);
        count += secret != Hex(expected.secret);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(RandomBytes, KeysDiffer) {
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.push_back(NewFileKey());
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
  EXPECT_EQ(keys[0].size(), 16U);
}

}  // namespace
}  // namespace tarn
