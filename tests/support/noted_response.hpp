// What a client was answered.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "messages/http.hpp"

namespace troupe::test {

/// An answer that is written down, and tells nobody of a client that leaves.
struct noted_response : http_response {
  void watch(std::function<void(response_signal)> watcher) override { tell = std::move(watcher); }
  void send(uint16_t code, const headers& extra, std::string text) override {
    start(code, extra);
    body += text;
  }
  void start(uint16_t code, const headers& extra) override {
    status = code;
    fields = extra;
  }
  bool write(std::string_view bytes) override {
    body += bytes;
    return true;
  }
  void finish() override { ended = true; }
  void reset() override { broken = true; }

  std::function<void(response_signal)> tell;
  uint16_t status = 0; ///< 0: there is no answer yet
  headers fields;
  std::string body;
  bool ended = false, broken = false;
};

} // namespace troupe::test
