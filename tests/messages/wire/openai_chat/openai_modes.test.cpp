// A stream and a plain completion give the same events, once adjacent deltas are merged.
#include "tests/messages/wire/openai_chat/model_answer.hpp"
#include "tests/messages/wire/provider/answer_fixtures.hpp"
#include "tests/messages/wire/provider/random_server.hpp"

namespace openai_modes_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Makes answers, and streams of them in the ways of different servers.
class server : public random_server {
public:
  using random_server::random_server;

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

private:
  std::string blank() { return std::string(below(3), '\n'); }
  std::string end_of_event() { return one_in(2) ? "\n\n" : "\r\n\r\n"; }

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
};

const body_frame plain{200, "application/json"};

} // namespace

TEST_CASE("an answer gives the same events as a stream and as one completion",
          "[messages][openai_chat]") {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    server made{seed};
    auto answer = made.answer();
    auto document = as_document(answer);
    auto stream = made.stream(answer);
    auto whole = decode_body("openai", plain, made.cut(document));
    auto streamed = decode_body("openai", {}, made.cut(stream));
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
  const answer_fixtures corpus{"openai"};
  for (const auto& each : corpus.all()) {
    auto recorded = decode_body("openai", each.frame, {each.body});
    if (recorded.end.error)
      continue;
    ++compared;
    INFO("fixture " << each.name);
    auto answer = collect(recorded.events, recorded.end);
    auto document = as_document(answer);
    auto again = decode_body("openai", plain, {document});
    CHECK(to_json(collect(again.events, again.end)) == to_json(answer));
    CHECK(again.end.reason == recorded.end.reason);
  }
  CHECK(compared >= 80);
}

} // namespace openai_modes_test
