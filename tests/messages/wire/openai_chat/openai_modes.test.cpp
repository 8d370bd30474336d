// A stream and a plain completion give the same events, once adjacent deltas are merged.
#include <random>

#include "tests/messages/wire/openai_chat/model_answer.hpp"
#include "tests/messages/wire/openai_chat/openai_fixtures.hpp"

namespace openai_modes_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Makes answers, and streams of them in the ways of different servers.
class server {
public:
  explicit server(uint32_t seed) : random_{seed} {}

  model_answer answer() {
    model_answer made;
    made.reasoning = one_in(2) ? words(1 + below(12)) : "";
    made.text = one_in(4) ? "" : words(1 + below(20));
    for (auto left = below(4); left > 0; --left)
      made.calls.push_back(call(made.calls.size()));
    made.finish = one_in(3) ? "stop" : "tool_calls";
    made.used = {below(1000), below(1000), 1 + below(1000), below(1000), below(1000)};
    if (one_in(3))
      made.metadata = R"({"google":{"thought_signature":"s"},)"
                      R"("openai":{"reasoning_details":[{"data":"x"}]}})";
    return made;
  }

  std::string stream(const model_answer& answer) {
    std::string out = ": hello\n\n" + chunk(R"("role":"assistant","content":"")");
    bool tags = one_in(3) && !answer.reasoning.empty();
    auto thoughts = tags ? "<think>" + blank() + answer.reasoning + blank() + "</think>" + blank()
                         : answer.reasoning;
    static constexpr std::string_view names[] = {"reasoning_content", "reasoning"};
    for (const auto& each : pieces(thoughts))
      out += chunk(member(tags ? "content" : names[below(2)], each));
    for (const auto& each : pieces(answer.text))
      out += chunk(member("content", each));
    if (!answer.metadata.empty())
      out += chunk(metadata_members(answer.metadata).substr(1));
    bool has_index = one_in(2);
    for (size_t i = 0; i < answer.calls.size(); ++i)
      out += stream(answer.calls[i], has_index ? fmt::format(R"("index":{},)", i) : "");
    auto finish =
        fmt::format(R"({{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{}"}}],"usage":{}}})",
                    answer.finish, usage_json(answer.used));
    return out + "data: " + finish + end_of_event() + "data: [DONE]\n\n";
  }

  std::vector<std::string_view> cut(std::string_view bytes) {
    std::vector<std::string_view> out;
    while (!bytes.empty()) {
      out.push_back(bytes.substr(0, 1 + below(one_in(2) ? 8 : 300)));
      bytes.remove_prefix(out.back().size());
    }
    return out;
  }

private:
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }
  bool one_in(uint32_t count) { return below(count) == 0; }
  std::string blank() { return std::string(below(3), '\n'); }
  std::string end_of_event() { return one_in(2) ? "\n\n" : "\r\n\r\n"; }

  /// Begins and ends with a word, because space next to tags belongs to neither side.
  std::string words(uint32_t count) {
    static constexpr std::string_view all[] = {"a",  "<",  "</",           "</thi",
                                               ">",  "\n", "\n\n",         " ",
                                               "\"", "\\", "w\xC3\xB6rld", "\xF0\x9F\x8C\x8D"};
    std::string out = "so";
    while (count-- > 0)
      out += all[below(std::size(all))];
    return out + "on";
  }

  tool_call call(size_t number) {
    tool_call made{fmt::format("call_{}", number), one_in(2) ? "get" : "get_now", "{}"};
    if (!one_in(3))
      made.arguments = R"({"q":)" + to_json(words(below(8))) + "}";
    if (one_in(3))
      made.provider_metadata = R"({"google":{"thought_signature":"c2ln"}})";
    return made;
  }

  std::string chunk(const std::string& members) {
    return "data:" + std::string(below(2), ' ') + R"({"choices":[{"index":0,"delta":{)" + members +
           R"(},"finish_reason":null}]})" + end_of_event();
  }

  static std::string member(std::string_view name, const std::string& text) {
    return to_json(name) + ":" + to_json(text);
  }

  /// Cuts a text between its characters.
  std::vector<std::string> pieces(const std::string& text) {
    std::vector<std::string> out;
    for (size_t i = 0; i < text.size(); ++i) {
      bool continues = (static_cast<uint8_t>(text[i]) & 0xC0) == 0x80;
      if (i == 0 || (!continues && one_in(3)))
        out.emplace_back();
      out.back().push_back(text[i]);
    }
    return out;
  }

  std::string stream(const tool_call& call, const std::string& index) {
    bool repeats = one_in(3);
    auto first = fmt::format(R"("id":"{}",)", call.id);
    auto name = fmt::format(R"("name":"{}",)", call.name);
    auto extra = extra_member(call);
    auto out = piece(index + first, name, "", one_in(2) ? extra : "");
    if (!extra.empty())
      out += piece(index, "", "", extra);
    for (const auto& each : pieces(call.arguments))
      out += piece(index + (repeats ? first : ""), repeats ? name : "", each, "");
    return out;
  }

  std::string piece(const std::string& front, const std::string& name, const std::string& arguments,
                    const std::string& extra) {
    return chunk(fmt::format(R"("tool_calls":[{{{}"function":{{{}"arguments":{}}}{}}}])", front,
                             name, to_json(arguments), extra));
  }

  std::mt19937 random_;
};

expectation plain() {
  expectation made;
  made.content_type = "application/json";
  return made;
}

std::vector<std::string> merged_lines(decoded_answer answer) {
  answer.events = merged(answer.events);
  return as_lines(answer);
}

} // namespace

TEST_CASE("an answer gives the same events as a stream and as one completion",
          "[messages][openai_chat]") {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    server made{seed};
    auto answer = made.answer();
    auto document = as_document(answer);
    auto stream = made.stream(answer);
    auto whole = decode(plain(), made.cut(document));
    auto streamed = decode({}, made.cut(stream));
    if (merged_lines(whole) != merged_lines(streamed) ||
        to_json(collect(streamed.events, streamed.end)) != to_json(answer)) {
      INFO("seed " << seed << "\n" << stream << document);
      CHECK(merged_lines(whole) == merged_lines(streamed));
      CHECK(to_json(collect(streamed.events, streamed.end)) == to_json(answer));
      break;
    }
  }
}

TEST_CASE("each recorded answer, written as one completion, gives the same parts",
          "[messages][openai_chat]") {
  size_t compared = 0;
  for (const auto& name : fixture_names()) {
    auto body = read_fixture(name + ".sse");
    auto recorded = decode(read_expectation(name), {body});
    if (recorded.end.error)
      continue;
    ++compared;
    INFO("fixture " << name);
    auto answer = collect(recorded.events, recorded.end);
    auto document = as_document(answer);
    auto again = decode(plain(), {document});
    CHECK(to_json(collect(again.events, again.end)) == to_json(answer));
    CHECK(again.end.reason == recorded.end.reason);
  }
  CHECK(compared >= 80);
}

} // namespace openai_modes_test
