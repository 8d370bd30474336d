// An answer to a request that no client reads.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "messages/http.hpp"
#include "messages/ports/client_ports.hpp"

namespace troupe::test {

/// An answer that a route gave.
class recorded_response final : public http_response {
public:
  void watch(std::function<void(response_signal)>) override {}
  void send(uint16_t code, const headers& extra, std::string text) override {
    ++sent;
    status = code;
    fields = extra;
    body = std::move(text);
  }
  void start(uint16_t, const headers&) override {}
  bool write(std::string_view) override { return true; }
  void finish() override {}
  void reset() override {}

  std::string field(std::string_view name) const { return std::string{find_header(fields, name)}; }
  bool says(std::string_view text) const { return body.find(text) != std::string::npos; }

  int sent = 0;
  uint16_t status = 0;
  headers fields;
  std::string body;
};

} // namespace troupe::test
