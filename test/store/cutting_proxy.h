// A TCP proxy that cuts a connection at a word of the client's, before or after the server has it,
// or delays it.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace tarn::test {

/// Forwards connections to 127.0.0.1:`port`, one thread each. Once armed, the first connection
/// whose client sends the word is cut; the others go on.
class CuttingProxy {
 public:
  enum class When {
    kBefore,  ///< the server never gets what holds the word
    kAfter,   ///< the server gets it and the client gets no answer
  };

  explicit CuttingProxy(int port);
  ~CuttingProxy();
  int port() const { return port_; }
  void CutAt(std::string word, When when);
  /// Connections that are made from now on reach the server so much later.
  void DelayConnections(std::chrono::milliseconds by) { delay_ = by; }

 private:
  void Accept();
  void Forward(int client);

  const int target_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> armed_ = false;
  std::atomic<std::chrono::milliseconds> delay_ = std::chrono::milliseconds(0);
  std::string word_;
  When when_ = When::kBefore;
  std::thread thread_;
};

}  // namespace tarn::test
