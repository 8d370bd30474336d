#include "messages/wire/clients/call_pieces.hpp"

#include <random>
#include <string>
#include <vector>

#include "messages/wire/provider/call_repairs.hpp"
#include "tests/support/catch.hpp"

namespace call_pieces_test {

using namespace troupe;

namespace {

std::string shown_of(std::string_view text, size_t piece = 1) {
  argument_pieces pieces;
  std::string out;
  for (size_t at = 0; at < text.size(); at += piece)
    out += pieces.take(text.substr(at, piece));
  CHECK(out == pieces.shown());
  return out;
}

event_batch batch_of(std::vector<event> events) {
  event_batch made;
  made.events = std::move(events);
  return made;
}

tool_args_start started(std::string id, bool client_side = true) {
  return {std::move(id), "write", client_side};
}

tool_args_complete completed(std::string id, std::string arguments) {
  return {std::move(id), "write", {std::move(arguments)}, true, errc::none, {}};
}

} // namespace

TEST_CASE("arguments are shown as far as they are certain", "[messages][call_pieces]") {
  const std::string whole =
      R"({"path": "a.txt", "n": -1.5e3, "ok": true, "no": null, "list": [1, {"a": []}], "text": "\"\\\u00e9\ud83d\ude00 한 é\n"})";
  for (size_t piece : {1, 2, 3, 7, 1000})
    CHECK(shown_of(whole, piece) == whole);
  CHECK(shown_of(" \n" + whole + " \n") == whole);
}

TEST_CASE("what may be mended at the end is held back", "[messages][call_pieces]") {
  struct row {
    std::string written;
    std::string shown;
  };
  const std::vector<row> rows{
      {R"("{\"a\":1}")", ""},              // the text of a string
      {R"({\"a\":1})", ""},                // its quotes are lost
      {R"({}{"a":1})", ""},                // an empty object before the one that counts
      {R"({"a":1}{"a":1})", R"({"a":1})"}, // the same again
      {"```json\n{\"a\":1}\n```", ""},
      {"null", ""},
      {R"({'a':1})", ""},
      {R"({"a":'b'})", R"({"a":)"},
      {R"({"a":True})", R"({"a":)"},
      {R"({"a":1,})", R"({"a":1)"},
      {R"({"a":[1,]})", R"({"a":[1)"},
      {R"({"a":"b\'c"})", R"({"a":"b)"},
      {"{\"a\":\"b\nc\"}", R"({"a":"b)"},
      {R"({"a":"\ud83d"})", R"({"a":")"},
      {R"({"a":tru)", R"({"a":)"},
      {R"({"a":1]})", R"({"a":1)"},
  };
  for (const auto& each : rows)
    CHECK(shown_of(each.written) == each.shown);
}

TEST_CASE("what was shown is always the beginning of the mended arguments",
          "[messages][call_pieces]") {
  std::mt19937 random{5};
  const std::vector<std::string> parts{
      "{",    "}",    "[",      "]",    ",",  ":",    "\"",  "\"a\"",   "'",       "1",
      "-2.5", "true", " ",      "\n",   "x",  "\\\"", "\\n", "\\u00e9", "\\ud83d", "None",
      "é",    "한",   "\"b\":", "null", "{}", "\\'",  "\t",  "\"c\":{", "[1,2]"};
  size_t mended = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string text = i % 3 == 0 ? "" : "{\"k\":";
    const auto count = random() % 9;
    for (size_t n = 0; n < count; ++n)
      text += parts[random() % parts.size()];
    if (i % 2 == 0)
      text += "}";
    const auto shown = shown_of(text, 1 + random() % 5);
    call_repairs how;
    if (!repair_arguments(text, how))
      continue;
    mended += how.any() ? 1 : 0;
    const auto first = text.find_first_not_of(" \t\r\n");
    CAPTURE(text, shown);
    REQUIRE(text.substr(first).starts_with(shown));
  }
  CHECK(mended > 1000);
}

TEST_CASE("one call at a time is shown in pieces, the others whole", "[messages][call_pieces]") {
  call_pieces pieces;
  pieces.start(started("engine", false));
  pieces.start(started("one"));
  pieces.start(started("two"));
  const auto none = batch_of({});
  CHECK(pieces.take({"engine", R"({"a")"}, none).empty());
  CHECK(pieces.take({"two", R"({"a")"}, none).empty());
  CHECK_FALSE(pieces.has_shown());
  CHECK(pieces.take({"one", R"({"a":"b)"}, none) == R"({"a":"b)");
  CHECK(pieces.call().tool_call_id == "one");
  CHECK_FALSE(pieces.complete(completed("two", R"({"a":1})")));
  CHECK(pieces.complete(completed("one", R"({"a":"bc"})")) == R"(c"})");
  CHECK_FALSE(pieces.complete(completed("one", R"({"a":"bc"})")));
}

TEST_CASE("a call that comes in one batch is not shown in pieces", "[messages][call_pieces]") {
  call_pieces pieces;
  pieces.start(started("one"));
  const auto whole =
      batch_of({tool_args_delta{"one", R"({"a":1})"}, completed("one", R"({"a":1})")});
  CHECK(pieces.take({"one", R"({"a":1})"}, whole).empty());
  CHECK_FALSE(pieces.complete(completed("one", R"({"a":1})")));
  pieces.start(started("two"));
  CHECK(pieces.take({"two", R"({"a":1})"}, batch_of({})) == R"({"a":1})");
}

TEST_CASE("nothing follows arguments that end with an error", "[messages][call_pieces]") {
  call_pieces pieces;
  pieces.start(started("one"));
  pieces.take({"one", R"({"a":"b)"}, batch_of({}));
  auto cut = completed("one", R"("{\"a\":\"b")");
  cut.error = errc::tool_arguments_invalid;
  CHECK(pieces.complete(cut) == "");
}

} // namespace call_pieces_test
