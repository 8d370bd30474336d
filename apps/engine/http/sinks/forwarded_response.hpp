// Answers that pass everything on to another one and add to it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "messages/ports/client_ports.hpp"

namespace troupe {

/// Passes all calls on.
class forwarded_response : public http_response {
public:
  explicit forwarded_response(std::shared_ptr<http_response> to) : to_(std::move(to)) {}

  void watch(std::function<void(response_signal)> watcher) override {
    to_->watch(std::move(watcher));
  }
  void send(uint16_t status, const headers& extra, std::string body) override {
    to_->send(status, extra, std::move(body));
  }
  void start(uint16_t status, const headers& extra) override { to_->start(status, extra); }
  void send_now() override { to_->send_now(); }
  bool write(std::string_view bytes) override { return to_->write(bytes); }
  void finish() override { to_->finish(); }
  void reset() override { to_->reset(); }
  void keep_alive(std::string_view comment) override { to_->keep_alive(comment); }
  size_t room() const override { return to_->room(); }
  std::unique_ptr<websocket> upgrade(const server_request& request,
                                     std::string_view protocol) override {
    return to_->upgrade(request, protocol);
  }

private:
  std::shared_ptr<http_response> to_;
};

/// Puts header fields into the head of the answer, whatever it is.
class headed_response final : public forwarded_response {
public:
  headed_response(std::shared_ptr<http_response> to, headers fields)
      : forwarded_response(std::move(to)), fields_(std::move(fields)) {}

  void send(uint16_t status, const headers& extra, std::string body) override {
    forwarded_response::send(status, with(extra), std::move(body));
  }
  void start(uint16_t status, const headers& extra) override {
    forwarded_response::start(status, with(extra));
  }

private:
  headers with(const headers& extra) const {
    auto all = extra;
    all.insert(all.end(), fields_.begin(), fields_.end());
    return all;
  }

  headers fields_;
};

} // namespace troupe
