// Exports of conversations, and what comes of them when they are imported.
#include <random>

#include "messages/json.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "tests/support/catch.hpp"

namespace conversation_file_test {

using namespace troupe;

namespace {

/// Makes conversations of all shapes that a store can hold.
class conversation_maker {
public:
  explicit conversation_maker(uint32_t seed) : random_{seed} {}

  conversation make() {
    conversation out;
    out.info = {"chat-" + std::to_string(below(99)), text(), number(), number(), 0, version()};
    out.overrides = {text(), flag(), some<std::string>([&] { return text(); })};
    out.messages = some<stored_message>([&] { return stored_message{message(), number()}; });
    out.info.messages = out.messages.size();
    out.turns = some<turn_record>([&] { return turn(); });
    return out;
  }

private:
  uint32_t below(uint32_t most) { return random_() % most; }
  bool flag() { return below(2) == 0; }
  uint64_t version() { return below(1000); }
  int64_t number() { return flag() ? below(3) : static_cast<int64_t>(random_()) << below(15); }

  /// What a text can hold: also NUL, quotes, all widths of UTF-8, and half of a mark.
  std::string text(uint32_t least = 0) {
    static const std::vector<std::string> pieces{"a",
                                                 " ",
                                                 "\"",
                                                 "\\",
                                                 "\n",
                                                 "\r\n",
                                                 "\t",
                                                 std::string(1, '\0'),
                                                 "\x1b[1m",
                                                 "\x7f",
                                                 "\xC3\xA9",
                                                 "\xE2\x82\xAC",
                                                 "\xF0\x9F\x98\x80",
                                                 "\xE2\x80\xA8",
                                                 "\xEF\xBF\xBD",
                                                 "</script>",
                                                 "\\u0000",
                                                 "\x02",
                                                 "\x03",
                                                 "null",
                                                 "{}",
                                                 "[0]"};
    std::string out;
    for (auto i = least + below(6); i > 0; --i)
      out += pieces[below(static_cast<uint32_t>(pieces.size()))];
    return out;
  }

  template <class T, class Make>
  std::vector<T> some(Make make) {
    std::vector<T> out;
    for (auto i = below(4); i > 0; --i)
      out.push_back(make());
    return out;
  }

  std::string object() {
    return flag() ? "{}" : R"({"a":[1,"x\u0000y",null,{"b":1.50}], "c" : 12345678901234567890})";
  }

  std::string maybe_object() { return flag() ? "" : object(); }

  chat_message message() {
    chat_message out;
    out.who = static_cast<role>(below(4));
    out.text = text();
    out.reasoning = text();
    out.id = text();
    out.provider_metadata = maybe_object();
    if (out.who == role::tool)
      out.tool_call_id = text(1);
    if (out.who == role::assistant)
      out.tool_calls = some<tool_call>([&] {
        return tool_call{text(1), text(1), object(), maybe_object()};
      });
    out.extras = some<message_extra>(
        [&] { return message_extra{text(), text(), text(), text(), text(), text()}; });
    out.files = some<message_file>([&] {
      return message_file{text(1), "data:image/png;base64," + text(), text(), text(),
                          flag() ? out.text.size() : 0};
    });
    out.shown = some<shown_part>([&] { return shown(); });
    return out;
  }

  shown_part shown() {
    switch (below(6)) {
    case 0:
      return {"text", below(9), below(9), maybe_object()};
    case 1:
      return make_shown("part", R"({"type":"data-x","data":[null,"x\u0000"]})");
    case 2:
      return make_shown("assistant", text(1));
    case 3:
      return make_shown("output", flag() ? "null" : object());
    case 4:
      return make_shown("error");
    default:
      return make_shown("step");
    }
  }

  turn_record turn() {
    turn_record out;
    out.turn_id = text(1) + std::to_string(++turns_);
    out.message_id = text();
    out.state = static_cast<turn_state>(1 + below(4));
    out.error = {flag() ? errc::none : errc::model_failed, text()};
    out.model = text();
    out.resumable = flag();
    out.started_ms = number();
    out.ended_ms = number();
    out.used = {below(9), below(9), below(9), below(9), below(9)};
    return out;
  }

  std::mt19937 random_;
  int turns_ = 0;
};

/// Returns the file of a conversation with one message. @param message its members
std::string file_with(const std::string& message) {
  return R"({"format":"troupe.conversation","version":1,"messages":[{"message":{)" + message +
         "}}]}";
}

std::string fault_of(const std::string& json) {
  conversation out;
  return import_conversation(json, out).message;
}

} // namespace

TEST_CASE("an import makes what was exported", "[messages][conversation_json]") {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    INFO("seed " << seed);
    auto made = conversation_maker{seed}.make();
    conversation read;
    CHECK(import_conversation(export_json(made), read).message == "");
    CHECK(to_json(read) == to_json(made));
    CHECK(std::equal(read.messages.begin(), read.messages.end(), made.messages.begin(),
                     made.messages.end(),
                     [](const auto& a, const auto& b) { return a.message == b.message; }));
  }
}

TEST_CASE("an export says what it is and stays on one line", "[messages][conversation_json]") {
  conversation made;
  made.messages.resize(1);
  made.messages[0].message.text = "two\nlines";
  auto json = export_json(made);
  CHECK(json.starts_with(R"({"format":"troupe.conversation","version":1,"info":{"id":)"));
  CHECK(json.find('\n') == std::string::npos);
}

TEST_CASE("a file that is short is enough", "[messages][conversation_json]") {
  conversation out;
  CHECK(!import_conversation(file_with(R"("role":"assistant","text":"Hi.","files":null)"), out));
  REQUIRE(out.messages.size() == 1);
  CHECK(out.messages[0].message.who == role::assistant);
  CHECK(out.messages[0].message.text == "Hi.");
}

TEST_CASE("messages of one id are all kept", "[messages][conversation_json]") {
  conversation out;
  const std::string one = R"({"message":{"id":"m","text":"a"}})";
  const auto fault = import_conversation(R"({"format":"troupe.conversation","version":1,)"
                                         R"("messages":[)" +
                                             one + ',' + one + "]}",
                                         out);
  CHECK(fault.message == "");
  CHECK(out.messages.size() == 2);
}

TEST_CASE("a turn that ran at the export was interrupted", "[messages][conversation_json]") {
  conversation made;
  made.turns.resize(1);
  made.turns[0].turn_id = "t";
  conversation read;
  REQUIRE(!import_conversation(export_json(made), read));
  CHECK(read.turns[0].state == turn_state::interrupted);
  CHECK(read.turns[0].error.code == errc::server_restarted);
}

TEST_CASE("a file is refused by the place that is wrong", "[messages][conversation_json]") {
  struct row {
    std::string json;
    std::string fault;
  };
  const std::string head = R"({"format":"troupe.conversation","version":1,)";
  for (const auto& each : std::vector<row>{
           {"nothing", "the body is not valid JSON: a value is expected at byte 0"},
           {"[]", "the body must be a JSON object"},
           {"{}", R"(the body must have "format":"troupe.conversation" and "version":1)"},
           {R"({"format":"other","version":1})", R"(format must be "troupe.conversation")"},
           {R"({"format":"troupe.conversation","version":2})",
            "version must be 1: a newer program has made this"},
           {head + R"("more":1})", "more is not known here"},
           {head + R"("info":{"name":1}})", "info.name is not known here"},
           {head + R"("info":{"title":1}})", "info.title must be a string"},
           {head + R"("info":{"version":-1}})",
            "info.version must be a whole number that is not too large"},
           {head + R"("info":{"createdAt":1.5}})",
            "info.createdAt must be a whole number that is not too large"},
           {head + R"("info":{"id":"a\u001fb"}})",
            "id must have 1 to 256 bytes, and no control characters"},
           {head + R"("messages":{}})", "messages must be an array"},
           {head + R"("messages":[1]})", "messages[0] must be an object"},
           {head + R"("messages":"all"})", "messages must be an array"},
           {head + R"("messages":[{"message":{"text":"a"}},null]})",
            "messages[1] must be an object"},
           {head + R"("messages":[[]]})", "messages[0] must be an object"},
           {head + R"("messages":["hello"]})", "messages[0] must be an object"},
           {head + R"("messages":[{}]})",
            "messages[0].message must be an object with a role or a text"},
           {head + R"("messages":[{"message":null,"createdAt":1}]})",
            "messages[0].message must be an object with a role or a text"},
           {head + R"("messages":[{"message":"hello"}]})", "messages[0].message must be an object"},
           {file_with(R"("text":null,"role":null)"),
            "messages[0].message must be an object with a role or a text"},
           {file_with(R"("id":"m")"),
            "messages[0].message must be an object with a role or a text"},
           {file_with(R"("text":"a","text":"b")"), "messages[0].message.text is there twice"},
           {head + R"("messages":[{"message":{"text":"a"},"message":{"text":"b"}}]})",
            "messages[0].message is there twice"},
           {head + R"("messages":[{"message":{"text":"a"}}],"messages":[]})",
            "messages is there twice"},
           {head + R"("turns":[],"turns":[]})", "turns is there twice"},
           {file_with(R"("role":"user","files":[null])"),
            "messages[0].message.files[0] must not be null"},
           {file_with(R"("role":"assistant","tool_calls":[7])"),
            "messages[0].message.tool_calls[0] must be an object"},
           {head + R"("messages":[{"message":{"text":"a"},"createdAt":9223372036854775807}]})",
            "messages[0].createdAt must be milliseconds from 1970 to the year 9999"},
           {head + R"("messages":[{"message":{"text":"a"},"createdAt":-1}]})",
            "messages[0].createdAt must be milliseconds from 1970 to the year 9999"},
           {head + R"("info":{"updatedAt":253402300800000}})",
            "info.updatedAt must be milliseconds from 1970 to the year 9999"},
           {head + R"("turns":[null]})", "turns[0] must not be null"},
           {head + R"("turns":["t"]})", "turns[0] must be an object"},
           {head + R"("turns":[{"turnId":"t"},{"turnId":"u"},{"turnId":"t","model":"b"}]})",
            "turns[2].turnId must differ from that of turns[0]"},
           {head + R"("turns":[{"turnId":"t","endedAt":1e300}]})",
            "turns[0].endedAt must be a whole number that is not too large"},
           {head + R"("turns":[{"turnId":"t","startedAt":-9}]})",
            "turns[0].startedAt must be milliseconds from 1970 to the year 9999"},
           {head + R"("overrides":{"mcpServers":["a",null]}})",
            "overrides.mcpServers[1] must not be null"},
           {head + R"("overrides":{"mcpServers":["a",2]}})",
            "overrides.mcpServers[1] must be a string"},
           {head + R"("turns":[{"state":"ended"}]})",
            "turns[0].turnId must be a string of 1 to 256 bytes"},
           {head + R"("turns":[{"turnId":"t","state":"asleep"}]})",
            "turns[0].state is none of the names it can have"},
           {head + R"("turns":[{"turnId":"t","resumable":"yes"}]})",
            "turns[0].resumable must be true or false"},
           {file_with(R"("role":"nobody")"),
            "messages[0].message.role is none of the names it can have"},
           {file_with(R"("role":"tool")"),
            "messages[0].message.tool_call_id is the id of the call that a tool message answers"},
           {file_with(R"("role":"user","tool_calls":[{}])"),
            "messages[0].message.tool_calls are for assistants"},
           {file_with(R"("role":"assistant","tool_calls":[{"id":"1","name":"a","arguments":"x"}])"),
            "messages[0].message.tool_calls[0].arguments must be the text of a JSON object"},
           {file_with(R"("role":"assistant","tool_calls":[{"id":"","name":"a"}])"),
            "messages[0].message.tool_calls[0].id must be a string of 1 to 16384 bytes"},
           {file_with(R"("role":"assistant","providerMetadata":"[]")"),
            "messages[0].message.providerMetadata must be the text of a JSON object"},
           {file_with(R"("files":[{"mediaType":"a/b","url":"file:///etc/passwd"}])"),
            "messages[0].message.files[0].url must be a data:, http: or https: URL, or that of "
            "an uploaded file"},
           {file_with(
                R"("text":"a","files":[{"mediaType":"a/b","url":"http://h","textBehind":2}])"),
            "messages[0].message.files[0].textBehind must be a number of bytes at the end of the "
            "text"},
           {file_with("\"text\":\"\xC3\xA4\",\"files\":"
                      R"([{"mediaType":"a/b","url":"http://h","textBehind":1}])"),
            "messages[0].message.files[0].textBehind must be a number of bytes at the end of the "
            "text"},
           {file_with(R"("role":"assistant","shown":[{"type":"step"},{"type":"script"}])"),
            "messages[0].message.shown[1].type is none of the names it can have"},
           {file_with(R"("role":"assistant","shown":[{"type":"part","value":"{}]}"}])"),
            "messages[0].message.shown[0].value must be the text of a JSON object with a type"},
           {file_with(R"("role":"assistant","shown":[{"type":"output","value":""}])"),
            "messages[0].message.shown[0].value must be JSON text"},
           {file_with(R"("role":"assistant","shown":[{"type":"metadata","value":"[1]"}])"),
            "messages[0].message.shown[0].value must be the text of a JSON object"},
           {file_with(R"("role":"assistant","shown":[{"type":"text","size":-1}])"),
            "messages[0].message.shown[0].size must be a whole number that is not too large"},
           {file_with(R"("text":"no JSON","shown":[{"type":"json"}])"),
            "messages[0].message.shown[0].type needs a text that is JSON"},
           {file_with(R"("role":"assistant","shown":[{"type":"assistant"}])"),
            "messages[0].message.shown[0].value must be a string of 1 to 256 bytes"},
       }) {
    INFO(each.json);
    CHECK(fault_of(each.json) == each.fault);
  }
  CHECK(fault_of(head + R"("info":{"title":")" + std::string(1025, 'x') + R"("}})") ==
        "info.title must have at most 1024 bytes");
}

} // namespace conversation_file_test
