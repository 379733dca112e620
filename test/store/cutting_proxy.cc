// See the header.
#include "store/cutting_proxy.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace tarn::test {
namespace {

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool SendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

}  // namespace

CuttingProxy::CuttingProxy(int port) : target_(port) {
  listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("the proxy cannot listen");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Accept(); });
}

CuttingProxy::~CuttingProxy() {
  stopping_ = true;
  thread_.join();
  ::close(listener_);
}

void CuttingProxy::CutAt(std::string word, When when) {
  word_ = std::move(word);
  when_ = when;
  armed_ = true;
}

void CuttingProxy::Accept() {
  std::vector<std::thread> threads;
  while (!stopping_) {
    pollfd entry{listener_, POLLIN, 0};
    if (::poll(&entry, 1, 10) <= 0) continue;
    const int client = ::accept(listener_, nullptr, nullptr);
    if (client >= 0) threads.emplace_back([this, client] { Forward(client); });
  }
  for (std::thread& thread : threads) thread.join();
}

void CuttingProxy::Forward(int client) {
  std::this_thread::sleep_for(delay_.load());
  const int server = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = Loopback(target_);
  bool open = ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  std::string buffer(1 << 16, '\0');
  while (open && !stopping_) {
    pollfd entries[2] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    if (::poll(entries, 2, 10) <= 0) continue;
    for (const bool from_client : {true, false}) {
      if (!open || (entries[from_client ? 0 : 1].revents & (POLLIN | POLLHUP)) == 0) continue;
      const ssize_t count = ::recv(from_client ? client : server, buffer.data(), buffer.size(), 0);
      const std::string_view bytes(buffer.data(), count > 0 ? static_cast<size_t>(count) : 0);
      const bool cut = from_client && armed_ && bytes.find(word_) != std::string_view::npos &&
                       armed_.exchange(false);
      if (!cut) {
        open = count > 0 && SendAll(from_client ? server : client, bytes);
        continue;
      }
      open = false;
      if (when_ == When::kAfter) {
        SendAll(server, bytes);
        // Until the server has answered, so that what it was asked for has been done; the rest of
        // the batch may come in a packet of its own.
        for (int i = 0; i < 100; ++i) {
          if (::poll(entries, 2, 10) <= 0) continue;
          if ((entries[1].revents & POLLIN) != 0) break;
          const ssize_t more = ::recv(client, buffer.data(), buffer.size(), 0);
          if (more <= 0) break;
          SendAll(server, {buffer.data(), static_cast<size_t>(more)});
        }
      }
    }
  }
  ::close(client);
  ::close(server);
}

}  // namespace tarn::test
