// The answers of MCP servers over HTTP. Any body, in any pieces, gives the same messages, and
// nothing that a server sends ends a line of our requests or shows a secret of theirs. The first
// line is "STATUS CONTENT-TYPE", the second one a session id, the third one a URL; the last byte
// chooses the end of the transfer and how the body is cut.
#include <memory>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.hpp"
#include "transport/loop/loop.hpp"
#include "transport/mcp/mcp_answer_reader.hpp"
#include "transport/mcp/mcp_http_session.hpp"
#include "transport/mcp/mcp_http_url.hpp"
#include "transport/mcp/mcp_refusal.hpp"

using namespace troupe;

namespace {

constexpr size_t max_bytes = 300;
constexpr std::string_view secret = "sk-123456";

http_part head_of(std::string_view line) {
  http_part out;
  const auto space = std::min(line.find(' '), line.size());
  for (const char digit : line.substr(0, space))
    out.status = static_cast<uint16_t>((out.status * 10 + (digit - '0')) % 600);
  out.status = std::max<uint16_t>(out.status, 100);
  out.content_type = line.substr(std::min(space + 1, line.size()));
  return out;
}

/// One answer, read part by part.
class answer {
public:
  explicit answer(http_part head) { take(std::move(head)); }

  void feed(std::string_view bytes) {
    http_part part;
    part.bytes = bytes;
    take(std::move(part));
  }

  void end(errc error) {
    http_part part;
    part.last = true;
    part.error = error;
    take(std::move(part));
  }

  const mcp_answer_reader& reader() const { return reader_; }

  std::string outcome() const {
    return messages_ + "|" + reader_.body() + "|" + reader_.endpoint() + "|" +
           reader_.last_event_id() + "|" + std::to_string(reader_.retry().count()) +
           (reader_.overflowed() ? "|too long" : "|");
  }

private:
  void take(http_part&& part) {
    for (const auto& each : reader_.take(part)) {
      require(!each.empty(), "a message is not empty");
      require(each.size() <= max_bytes, "messages are bounded");
      messages_.append(each).append("\n");
    }
    require(reader_.body().size() <= max_bytes, "bodies are bounded");
  }

  mcp_answer_reader reader_{max_bytes};
  std::string messages_;
};

class no_port final : public http_port {
public:
  std::unique_ptr<http_exchange> open(http_request, uint64_t, receiver) override { return {}; }
};

void check_session(const mcp_answer_reader& got, std::string_view id) {
  static loop home{0};
  static no_port port;
  mcp_server_config server;
  server.name = "s";
  server.http_headers = {{"Authorization", "Bearer " + std::string{secret}}};
  mcp_http_session session{home, port, server, {}};
  session.join(std::string{id});
  for (const auto& [name, value] : session.request("POST", "application/json").fields)
    require(value.find_first_of(std::string_view{"\r\n\0", 3}) == std::string::npos,
            "no id of a session ends its line");
  for (const auto& text : {session.describe_loss(read_refusal(got.status(), got.body(), 1)),
                           session.describe_refusal(got, "a request"), session.quote(got.body())}) {
    require(text.find(secret) == std::string::npos, "no text shows a secret");
    require(std::none_of(text.begin(), text.end(),
                         [](char c) { return static_cast<unsigned char>(c) < 0x20; }),
            "a quoted text is one line");
  }
}

/// Our headers go to the same origin only, however an address is written.
void check_url(const std::string& location) {
  const std::string base = "http://127.0.0.1:8080/mcp?a=b";
  const auto named = resolve_url(base, location);
  if (named.same_origin)
    require(!named.url.empty() && origin_of(named.url) == origin_of(base),
            "an address of the same origin leads there");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0)
    return 0;
  auto [bytes, seed, choice] = choose(data, size, 2);
  auto head = head_of(take_line(bytes));
  const auto id = take_line(bytes);
  head.location = take_line(bytes);
  check_url(head.location);
  const auto error = choice == 0 ? errc::none : errc::connection_cut;
  answer whole{head};
  whole.feed(bytes);
  whole.end(error);
  answer cut{head};
  feed_in_pieces(bytes, seed, [&cut](std::string_view piece) { cut.feed(piece); });
  cut.end(error);
  require(whole.outcome() == cut.outcome(), "the messages do not depend on the pieces");
  check_session(whole.reader(), id);
  return 0;
}
