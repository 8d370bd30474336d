// Any text is either a message or malformed, and what is read can be written and read again.
#include <string>

#include "messages/wire/mcp/jsonrpc.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace troupe;

/// Writes what was read, as an answer or a message of ours, and expects to read the same.
struct rewriting {
  void operator()(const jsonrpc::request& it) const {
    expect_one<jsonrpc::malformed>(jsonrpc::make_result(it.id, "{}"), false);
    expect_one<jsonrpc::request>(jsonrpc::make_request(1, it.method, it.params), true);
  }

  void operator()(const jsonrpc::notification& it) const {
    auto again = jsonrpc::parse(jsonrpc::make_notification(it.method, it.params));
    require(again.size() == 1, "one notification is one message");
    const auto* read = std::get_if<jsonrpc::notification>(&again[0]);
    require(read != nullptr && read->method == it.method && read->params == on_one_line(it.params),
            "a notification comes back");
  }

  void operator()(const jsonrpc::response& it) const {
    require(!it.is_error || it.result.empty(), "an error has no result");
  }

  void operator()(const jsonrpc::malformed& it) const {
    require(!it.reason.empty(), "what is malformed says why");
    require(it.id >= 0, "and whose response it may be");
  }

private:
  /// What we write stays on one line, as the stdio transport wants it.
  static std::string on_one_line(std::string json) {
    for (auto& c : json)
      if (c == '\n' || c == '\r')
        c = ' ';
    return json;
  }

  template <class Message>
  static void expect_one(const std::string& text, bool is) {
    auto again = jsonrpc::parse(text);
    require(again.size() == 1 && std::holds_alternative<Message>(again[0]) == is,
            "what was written can be read");
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (const auto& each : jsonrpc::parse(text_of(data, size)))
    std::visit(rewriting{}, each);
  return 0;
}
