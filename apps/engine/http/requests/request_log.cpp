#include "apps/engine/http/requests/request_log.hpp"

#include <chrono>
#include <string>
#include <utility>

#include "apps/engine/http/sinks/forwarded_response.hpp"
#include "messages/ports/log_line.hpp"

namespace troupe {

namespace {

using clock = std::chrono::steady_clock;

/// The most bytes of a request's body in a line.
constexpr size_t max_text_bytes = 16 * 1024;

/// Environments, headers and URLs of servers may have secrets, and so may answers to their forms.
bool may_hold_secrets(std::string_view path) {
  return path.starts_with("/v1/mcp/servers/") || path.starts_with("/v1/mcp/requests/");
}

class logged_response final : public forwarded_response {
public:
  logged_response(std::shared_ptr<log_port> log, log_line line, std::shared_ptr<http_response> to)
      : forwarded_response(std::move(to)), log_(std::move(log)), line_(std::move(line)) {}

  void send(uint16_t status, const headers& extra, std::string body) override {
    note(status);
    forwarded_response::send(status, extra, std::move(body));
  }

  void start(uint16_t status, const headers& extra) override {
    note(status);
    forwarded_response::start(status, extra);
  }

  std::unique_ptr<websocket> upgrade(const server_request& request,
                                     std::string_view protocol) override {
    auto upgraded = forwarded_response::upgrade(request, protocol);
    if (upgraded)
      note(101);
    return upgraded;
  }

private:
  void note(uint16_t status) {
    auto taken = std::chrono::duration<double, std::milli>(clock::now() - begun_).count();
    line_.add("status", status).add("firstByteMs", taken);
    write_log(log_.get(), log_level::debug, "request", line_);
  }

  std::shared_ptr<log_port> log_;
  log_line line_;
  clock::time_point begun_ = clock::now();
};

} // namespace

std::shared_ptr<http_response> logged(const engine_config& config, const server_request& request,
                                      std::string_view owner,
                                      std::shared_ptr<http_response> response) {
  if (!takes(config.log.get(), log_level::debug))
    return response;
  log_line line;
  line.add("method", request.method).add("path", request.path);
  line.add_if_given("owner", owner);
  line.add_if_given("request", find_header(request.fields, "x-request-id"));
  line.add_if_given("traceparent", find_header(request.fields, "traceparent"));
  line.add("bodyBytes", request.body.size());
  if (config.logs.text && !may_hold_secrets(request.path))
    line.add_if_given("body", std::string_view{request.body}.substr(0, max_text_bytes));
  return std::make_shared<logged_response>(config.log, std::move(line), std::move(response));
}

} // namespace troupe
