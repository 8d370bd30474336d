#include "transport/mcp/mcp_stdio.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/stderr_tail.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json_lines.hpp"
#include "transport/loop/rest_timer.hpp"

namespace troupe {

namespace {

child_command command_of(const mcp_server_config& config) {
  child_command out{{config.command}, config.env, config.cwd};
  out.argv.insert(out.argv.end(), config.args.begin(), config.args.end());
  return out;
}

/// Bytes per read. With small reads other channels wait less while messages are handled; a piece of
/// one long message is handled quickly, and each read takes an iteration of the loop.
constexpr size_t read_of_messages = 4 * 1024;
constexpr size_t read_of_one = 8 * 1024;

/// Lines that are no JSON and that the owner is told of: many servers log to stdout.
constexpr int most_told = 10;

class stdio_link final : public mcp_link, child_listener {
public:
  stdio_link(loop& home, const mcp_server_config& config, mcp_reporter reports,
             const mcp_stdio_limits& limits)
      : name_{config.name}, command_{command_of(config)}, reports_{std::move(reports)},
        limits_{limits}, lines_{limits.line_bytes}, throttle_{limits.flood},
        rest_{home, [this] { child_->set_reading(true); }} {
    child_.emplace(home, listener(), limits.graces);
  }

  void start() override { child_->start(std::move(command_)); }

  void send(mcp_outbound message) override {
    if (!child_)
      return;
    if (child_->queued() + message.json.size() > limits_.queue_bytes) {
      reports_.failed(message.request_id, errc::server_unavailable,
                      fmt::format("MCP server '{}' does not read its input", name_), true);
      return;
    }
    if (message.request_id != 0)
      throttle_.expect_answer();
    child_->write(message.json);
    child_->write("\n");
  }

  void close() override {
    closing_ = true;
    if (child_)
      child_->close();
  }

private:
  child_listener& listener() { return *this; }

  void child_started() override {
    child_->read_at_once(read_of_messages);
    reports_.opened();
  }

  void child_wrote(std::string_view bytes) override {
    const auto before = lines_.lines();
    const auto skipped = lines_.skipped();
    auto messages = lines_.feed(bytes);
    if (const auto wrong = heard_ ? std::string{} : unknown_framing(messages); !wrong.empty())
      return break_off(wrong);
    heard_ = heard_ || !messages.empty();
    const bool tells = lines_.skipped() > skipped && told_++ < most_told;
    const auto lines = static_cast<size_t>(lines_.lines() - before); // other lines cost time, too
    child_->read_at_once(lines == 0 ? read_of_one : read_of_messages);
    const auto rest = throttle_.take(lines, bytes.size(), mcp_throttle::clock::now());
    if (rest.count() > 0) {
      child_->set_reading(false);
      rest_.start(rest);
    }
    reports_.received(std::move(messages), 0, tells ? lines_.last_skipped() : std::string{});
    if (lines_.overflowed())
      break_off(fmt::format("sent a line of more than {} bytes", limits_.line_bytes));
  }

  /// Returns what the first bytes show of a server whose messages are no lines of UTF-8; "" if they
  /// may be.
  std::string unknown_framing(const std::vector<std::string>& messages) const {
    const auto& line = messages.empty() ? lines_.last_skipped() : messages.front();
    if (begins_like_utf16(line))
      return "writes UTF-16 to its stdout, and MCP is UTF-8: set the encoding of its output";
    if (messages.empty() && line.starts_with("Content-Length: "))
      return "puts headers (Content-Length) in front of its messages, as language servers do; MCP "
             "over stdio is one message per line";
    return {};
  }

  void break_off(std::string_view what) {
    const auto text = describe(what);
    forget_child();
    reports_.closed(errc::server_protocol, text);
  }

  void forget_child() {
    rest_.stop();
    child_.reset();
  }

  void child_ended(child_end end) override {
    auto error = heard_ ? errc::server_lost : errc::server_start_failed;
    auto text = describe(end.text);
    if (end.start) {
      error = end.start.code;
      text = fmt::format("MCP server '{}': {}", name_, end.start.message);
    }
    forget_child();
    if (closing_)
      reports_.closed(errc::none, {});
    else
      reports_.closed(error, std::move(text));
  }

  std::string describe(std::string_view what) const {
    auto text = fmt::format("MCP server '{}' {}", name_, what);
    if (lines_.skipped() > 0)
      text += fmt::format("; {} lines of its stdout were not JSON", lines_.skipped());
    if (const auto tail = child_->error_tail(); !tail.empty())
      text.append(stderr_tail_mark).append(tail);
    return text;
  }

  std::string name_;
  child_command command_;
  mcp_reporter reports_;
  mcp_stdio_limits limits_;
  json_lines lines_;
  mcp_throttle throttle_;
  rest_timer rest_;                    // from a flood
  std::optional<child_process> child_; // empty once the child is gone
  int told_ = 0;                       // lines that are no JSON
  bool heard_ = false;                 // it has sent a message
  bool closing_ = false;
};

} // namespace

std::shared_ptr<mcp_link> make_mcp_stdio(loop& home, const mcp_server_config& config,
                                         mcp_reporter reports, const mcp_stdio_limits& limits) {
  return std::make_shared<stdio_link>(home, config, std::move(reports), limits);
}

} // namespace troupe
