#include "transport/http/request_reader.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace request_reader_test {

using namespace troupe;

namespace {

/// Reads `pieces` as a connection does: what was not taken comes again with the next piece.
std::vector<request_head> read_all(const std::vector<std::string_view>& pieces) {
  request_reader reader{1000, 1000};
  std::vector<request_head> out;
  std::string kept;
  for (const auto piece : pieces) {
    kept += piece;
    std::string_view bytes{kept};
    while (!bytes.empty()) {
      const auto result = reader.read(bytes);
      REQUIRE(result != request_reader::outcome::refused);
      if (result == request_reader::outcome::complete)
        out.push_back(reader.take());
      else if (result == request_reader::outcome::more)
        break;
    }
    kept.erase(0, kept.size() - bytes.size());
  }
  return out;
}

} // namespace

TEST_CASE("requests are the same wherever their bytes are cut", "[transport][request_reader]") {
  const std::string all = "\r\nPOST /a?b HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"
                          "PUT /c HTTP/1.1\r\nhost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"
                          "3 ;x=\"y\"\r\nabc\r\n0A\r\n0123456789\r\n000\r\nt: 1\r\nu: 2\r\n\r\n"
                          "GET http://h/d?e HTTP/1.1\r\nhost: h\r\n\r\n";
  for (size_t cut = 0; cut <= all.size(); ++cut)
    for (size_t second = cut; second <= all.size(); second += 7) {
      const std::string_view text{all};
      const auto got =
          read_all({text.substr(0, cut), text.substr(cut, second - cut), text.substr(second)});
      REQUIRE(got.size() == 3);
      CHECK(got[0].request.path == "/a");
      CHECK(got[0].request.query == "b");
      CHECK(got[0].request.body == "hello");
      CHECK(got[1].request.method == "PUT");
      CHECK(got[1].request.body == "abc0123456789");
      CHECK(got[2].request.path == "/d");
      CHECK(got[2].request.query == "e");
    }
}

TEST_CASE("a chunk may not be larger than its size says", "[transport][request_reader]") {
  for (const std::string body : {"3\r\nabcd\r\n", "\r\n", "3\nabc", "100000000\r\n", "3\r\nabc\n",
                                 "0\r\n\n", "0x3\r\nabc\r\n", "3\r\nabc\r\r"}) {
    CAPTURE(body);
    request_reader reader{1000, 1000};
    const auto all = "POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n" + body;
    std::string_view bytes{all};
    CHECK(reader.read(bytes) == request_reader::outcome::admit);
    CHECK(reader.read(bytes) == request_reader::outcome::refused);
    CHECK(reader.read(bytes) == request_reader::outcome::refused);
  }
}

TEST_CASE("endless trailers and extensions are refused", "[transport][request_reader]") {
  request_reader reader{1000, 1000};
  const std::string start = GENERATE("0\r\n", "1;");
  const auto all = "POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n" + start +
                   std::string(20'000, 'x');
  std::string_view bytes{all};
  CHECK(reader.read(bytes) == request_reader::outcome::admit);
  CHECK(reader.read(bytes) == request_reader::outcome::refused);
}

TEST_CASE("a path is decoded and its query is not", "[transport][request_reader]") {
  CHECK(percent_decoded("/a%20b+c") == "/a b+c");
  CHECK_FALSE(percent_decoded("/%"));
  CHECK_FALSE(percent_decoded("/%4"));
  CHECK_FALSE(percent_decoded("/%0a"));
  CHECK(percent_decoded("/%C3%A9") == "/\xC3\xA9");
  for (const auto* broken : {"/%ff", "/%C3", "/%C0%AF", "/%ED%A0%80", "/\xC3"})
    CHECK_FALSE(percent_decoded(broken));
  CHECK(percent_decoded("%41") == "A");
}

} // namespace request_reader_test
