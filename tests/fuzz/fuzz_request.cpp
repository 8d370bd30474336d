// Any bytes, in any pieces, are the same requests, and nothing of a request can end a line. The
// last byte chooses how they are cut.
#include <string>

#include "apps/engine/http/requests/client_paths.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"
#include "transport/http/request_reader.hpp"

using namespace troupe;

namespace {

constexpr size_t max_header_bytes = 1024;
constexpr size_t max_body_bytes = 4096;

/// Reads as a connection does: bytes that were not taken come again with the next piece.
class connection {
public:
  void feed(std::string_view piece) {
    if (refused_)
      return;
    kept_.append(piece);
    std::string_view bytes{kept_};
    while (step(bytes))
      continue;
    kept_.erase(0, kept_.size() - bytes.size());
  }

  /// The place of the cuts may decide which rule is broken first, but not whether one is.
  std::string outcome() const { return requests_ + (refused_ ? "refused" : ""); }

private:
  bool step(std::string_view& bytes) {
    const auto before = bytes.size();
    const auto got = reader_.read(bytes);
    require(bytes.size() <= before, "bytes are taken from the front");
    require(reader_.body_bytes() <= max_body_bytes, "bodies are bounded");
    if (got == request_reader::outcome::refused)
      refuse();
    else if (got == request_reader::outcome::admit)
      check(reader_.admitted());
    else if (got == request_reader::outcome::complete)
      take();
    return got == request_reader::outcome::admit || got == request_reader::outcome::complete;
  }

  void refuse() {
    refused_ = true;
    const auto& why = reader_.why();
    require(why.status >= 400 && why.status < 600 && !why.message.empty(), "a refusal says why");
  }

  void take() {
    const auto head = reader_.take();
    const auto& it = head.request;
    check(it);
    require(!head.chunked || !head.content_length, "a body has one length");
    require(head.chunked || it.body.size() == head.content_length.value_or(0),
            "a body is as long as announced");
    requests_ += it.method + "|" + it.path + "|" + it.target + "|" + it.query + "|" +
                 (head.keep_alive ? "kept|" : "closed|");
    for (const auto& [name, value] : it.fields)
      requests_.append(name).append(":").append(value).append(";");
    requests_.append("|").append(it.body).append("\n");
  }

  static bool is_one_line(std::string_view text) {
    return text.find_first_of(std::string_view{"\r\n\0", 3}) == std::string_view::npos;
  }

  static void check(const server_request& it) {
    require(!it.method.empty() && !it.path.empty(), "a request has a method and a path");
    require(it.path.front() == '/' || it.path == "*" || it.method == "CONNECT",
            "a path begins with a slash");
    require(it.method == "CONNECT" || holds_utf8(it.path), "a path is UTF-8");
    require(is_one_line(it.path) && is_one_line(it.target) && is_one_line(it.query),
            "no part of the target ends a line");
    const auto meant = meant_client_path(it.path);
    require(meant.empty() ||
                (meant.starts_with("/v1/") && meant != it.path && meant_client_path(meant).empty()),
            "a path that is mended is another one, and right");
    for (const auto& [name, value] : it.fields) {
      require(!name.empty() && is_one_line(name) && is_one_line(value), "no field ends its line");
      require(std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; }),
              "names are in lower case");
    }
  }

  request_reader reader_{max_header_bytes, max_body_bytes};
  std::string kept_;
  std::string requests_;
  bool refused_ = false;
};

/// What is written in chunks is read again, in any pieces.
void round_trip(std::string_view body, uint8_t seed) {
  std::string bytes;
  feed_in_pieces(body, seed, [&bytes](std::string_view piece) { append_chunk(bytes, piece); });
  bytes += last_chunk;
  chunk_reader reader{body.size()};
  std::string read;
  auto now = chunk_reader::state::more;
  feed_in_pieces(bytes, seed + 1, [&](std::string_view piece) {
    require(now == chunk_reader::state::more, "a body ends with its last chunk");
    if (!piece.empty())
      now = reader.read(piece, read);
    require(piece.empty(), "nothing is left of a piece");
  });
  require(now == chunk_reader::state::done && read == body, "chunks come back as they were");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0)
    return 0;
  const auto [bytes, seed, choice] = choose(data, size, 1);
  connection whole;
  whole.feed(bytes);
  connection cut;
  feed_in_pieces(bytes, seed, [&cut](std::string_view piece) { cut.feed(piece); });
  require(whole.outcome() == cut.outcome(), "the requests do not depend on the pieces");
  round_trip(bytes, seed);
  return 0;
}
