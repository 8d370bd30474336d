// Small parsers of texts. The last byte chooses the parser, in the order of `readers`.
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <sqlite3.h>

#include "actors/model/model_attempts.hpp"
#include "messages/chat/tool_name.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/data_url.hpp"
#include "messages/wire/percent.hpp"
#include "messages/wire/provider/provider_error.hpp"
#include "messages/wire/traceparent.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"
#include "transport/http/request_head.hpp"
#include "transport/sqlite/rows/search_expression.hpp"

using namespace troupe;

namespace {

/// Written by the rules of RFC 4648, to compare with.
std::string base64(std::string_view bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (at + i < bytes.size() ? static_cast<uint8_t>(bytes[at + i]) : 0u);
    for (size_t i = 0; i < 4; ++i)
      out += at + i > bytes.size() ? '=' : letters[bits >> (18 - 6 * i) & 63];
  }
  return out;
}

void read_data_url(std::string_view text) {
  if (const auto bytes = data_url_bytes(text))
    require(split_data_url(text) && bytes->size() < text.size(), "only a data: URL has bytes");
  for (const auto& url :
       {"data:image/png;base64," + base64(text), "data:text/plain," + percent_encoded(text)})
    require(data_url_bytes(url) == text, "bytes come back as they were");
}

void read_percent(std::string_view text) {
  const auto written = percent_encoded(text);
  require(percent_decoded_leniently(written) == text, "a text comes back as it was");
  const auto read = percent_decoded(text);
  require(!read || holds_utf8(*read), "a path is UTF-8");
  require(!read || percent_decoded_leniently(text) == *read, "both decoders agree");
  require(!read || percent_decoded(percent_encoded(*read)) == read, "a path comes back as it was");
}

/// A table as the store's, to ask it for the expressions.
class search_table {
public:
  search_table() {
    sqlite3* made = nullptr;
    require(sqlite3_open(":memory:", &made) == SQLITE_OK, "there is SQLite");
    db_.reset(made);
    run("CREATE VIRTUAL TABLE search USING fts5(owner, text, tokenize='unicode61 "
        "remove_diacritics 2', prefix='3');"
        "INSERT INTO search VALUES('o1', 'some words stand here'), ('o2', 'other words');");
    sqlite3_stmt* ask = nullptr;
    require(sqlite3_prepare_v2(made, "SELECT owner FROM search WHERE search MATCH ?", -1, &ask,
                               nullptr) == SQLITE_OK,
            "there is FTS5");
    ask_.reset(ask);
  }

  /// Returns whether FTS5 understands the expression. @param owner whose texts may be found
  bool takes(const std::string& expression, std::string_view owner) {
    sqlite3_reset(ask_.get());
    sqlite3_bind_text(ask_.get(), 1, expression.data(), static_cast<int>(expression.size()),
                      SQLITE_STATIC);
    int step = 0;
    while ((step = sqlite3_step(ask_.get())) == SQLITE_ROW) {
      const auto* found = reinterpret_cast<const char*>(sqlite3_column_text(ask_.get(), 0));
      require(owner.empty() || owner == found, "a search finds texts of its owner only");
    }
    return step == SQLITE_DONE;
  }

private:
  void run(const char* sql) {
    require(sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK, "SQL is right");
  }

  std::unique_ptr<sqlite3, int (*)(sqlite3*)> db_{nullptr, sqlite3_close_v2};
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> ask_{nullptr, sqlite3_finalize};
};

void read_search(std::string_view text) {
  static search_table table;
  failure why;
  const auto query = read_search_query(text, why);
  if (why)
    return require_refusal(why, errc::request_invalid);
  if (query.phrases.empty()) // all dropped out: nothing is asked for, nothing is found
    return;
  const auto find = [](std::string_view begin, size_t most) {
    return std::vector<std::string>{std::min<size_t>(begin.size() % 4, most),
                                    std::string{begin} + "s"};
  };
  require(table.takes(search_expression(0, query, find), ""), "every search can be asked");
  require(table.takes(search_expression(1, query, find), "o1"), "every search can be asked");
  require(search_snippet("some words stand here", query).size() < 100, "a snippet is short");
}

void read_trace(std::string_view text) {
  if (is_traceparent(text))
    require(text.substr(0, 55).find_first_not_of("0123456789abcdef-") == text.npos,
            "the known part of a trace is hexadecimal");
}

/// No text can steer a terminal, not even one that is no UTF-8.
void read_terminal_text(std::string_view text) {
  for (const bool lines : {false, true}) {
    const auto shown = terminal_text(text, lines);
    require(terminal_text(shown, lines) == shown, "nothing is left to take out");
    require(!holds_utf8(text) || holds_utf8(shown), "what was UTF-8 stays UTF-8");
  }
}

void read_tool_name(std::string_view text) {
  const auto name = model_tool_name(text);
  require(is_model_tool_name(name), "every model takes the name");
  require(model_tool_name(name) == name, "a name stays");
}

/// A line with the header retry-after, and the body of an error.
void read_error(std::string_view text) {
  const auto after = take_line(text);
  for (const uint16_t status : {200, 400, 404, 429, 500, 503}) {
    const auto bad = provider_error(status, text);
    require(bad && holds_utf8(bad.message), "an error is a failure, in UTF-8");
    const auto refused = refused_exchange(status, "application/json", after, text);
    require(refused && holds_utf8(refused.message), "a refusal is a failure, in UTF-8");
  }
  const auto short_line = excerpt(text.substr(0, max_error_body_bytes), 60);
  require(short_line.find_first_of("\r\n\t") == std::string::npos, "an excerpt is one line");
}

void read_retry_after(std::string_view text) {
  const auto now = std::chrono::system_clock::time_point{} + std::chrono::hours{24 * 365 * 56};
  if (const auto wait = retry_delay(std::string{text}, now))
    require(wait->count() >= 0, "nobody waits for the past");
}

constexpr void (*readers[])(std::string_view) = {
    read_data_url,      read_percent,   read_search, read_trace,
    read_terminal_text, read_tool_name, read_error,  read_retry_after,
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return read_by_choice(readers, data, size);
}
