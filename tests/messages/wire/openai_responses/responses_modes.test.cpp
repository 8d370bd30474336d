// A stream and a whole response give the same events, once adjacent deltas are joined.
#include "tests/messages/wire/provider/decoded_body.hpp"
#include "tests/messages/wire/provider/random_server.hpp"

namespace responses_modes_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// One item of an answer.
struct made_item {
  std::string kind;               ///< message, refusal, reasoning, thought, function_call
  std::vector<std::string> parts; ///< texts; of a call its arguments
  std::string id;                 ///< of a call
  std::string sealed;             ///< of reasoning; may be empty
};

/// Makes answers, and streams of them in the ways of different servers.
class responses_server : public random_server {
public:
  using random_server::random_server;

  std::vector<made_item> answer() {
    std::vector<made_item> items;
    for (auto n = 1 + below(5); n > 0; --n)
      items.push_back(item(items.size()));
    return items;
  }

  std::string whole(const std::vector<made_item>& items) {
    return fmt::format(R"({{"object":"response","status":"completed","error":null,"output":[{}],)"
                       R"("usage":{}}})",
                       list_of(items), usage_text());
  }

  std::string stream(const std::vector<made_item>& items) {
    events_.clear();
    number_ = 0;
    named_ = one_in(2);
    numbered_ = one_in(2);
    add("response.created", R"("response":{"status":"in_progress","output":[]})");
    for (size_t i = 0; i < items.size(); ++i)
      add_item(items[i], i);
    add("response.completed",
        fmt::format(R"("response":{{"status":"completed","output":[{}],"usage":{}}})",
                    one_in(2) ? list_of(items) : "", usage_text()));
    return events_;
  }

private:
  static std::string usage_text() {
    return R"({"input_tokens":7,"input_tokens_details":{"cached_tokens":2},"output_tokens":5,)"
           R"("output_tokens_details":{"reasoning_tokens":1},"total_tokens":12})";
  }

  made_item item(size_t number) {
    static constexpr const char* kinds[] = {"message",   "message", "refusal",
                                            "reasoning", "thought", "function_call"};
    made_item made{kinds[below(std::size(kinds))], {}, {}, {}};
    if (made.kind == "function_call") {
      made.id = one_in(6) ? "" : fmt::format("call_{}", number);
      made.parts.push_back(one_in(3) ? "{}" : R"({"q":)" + to_json(words(below(8))) + "}");
      return made;
    }
    for (auto n = made.kind == "reasoning" ? below(4) : 1 + below(2); n > 0; --n)
      made.parts.push_back(words(below(12)));
    if (made.kind == "reasoning" && one_in(2))
      made.sealed = "c2Vh";
    return made;
  }

  static std::string part_list(const made_item& of, std::string_view type, std::string_view key) {
    std::string list;
    for (const auto& each : of.parts)
      list += fmt::format(R"({}{{"type":"{}","{}":{}}})", list.empty() ? "" : ",", type, key,
                          to_json(each));
    return "[" + list + "]";
  }

  static std::string json_of(const made_item& of) {
    if (of.kind == "function_call")
      return fmt::format(R"({{"type":"function_call","id":"","call_id":{},"name":"get",)"
                         R"("arguments":{}}})",
                         to_json(of.id), to_json(of.parts[0]));
    if (of.kind == "message")
      return R"({"type":"message","content":)" + part_list(of, "output_text", "text") + "}";
    if (of.kind == "refusal")
      return R"({"type":"message","content":)" + part_list(of, "refusal", "refusal") + "}";
    if (of.kind == "thought")
      return R"({"type":"reasoning","summary":[],"content":)" +
             part_list(of, "reasoning_text", "text") + "}";
    return R"({"type":"reasoning","summary":)" + part_list(of, "summary_text", "text") +
           (of.sealed.empty() ? "}" : R"(,"encrypted_content":)" + to_json(of.sealed) + "}");
  }

  static std::string list_of(const std::vector<made_item>& items) {
    std::string list;
    for (const auto& each : items)
      list += (list.empty() ? "" : ",") + json_of(each);
    return list;
  }

  void add(std::string_view type, const std::string& members) {
    if (named_)
      events_ += fmt::format("event: {}\n", type);
    events_ += fmt::format(R"(data: {{"type":"{}",)", type);
    if (numbered_)
      events_ += fmt::format(R"("sequence_number":{},)", number_++);
    events_ += members + (one_in(2) ? "}\n\n" : "}\r\n\r\n");
  }

  void add_item(const made_item& of, size_t index) {
    const auto at = fmt::format(R"("output_index":{})", index);
    const auto is_call = of.kind == "function_call";
    const auto is_message = of.kind == "message" || of.kind == "refusal";
    add("response.output_item.added",
        at + (is_call
                  ? R"(,"item":{"type":"function_call","name":"get","arguments":"","call_id":)" +
                        to_json(of.id) + "}"
              : is_message ? R"(,"item":{"type":"message","content":[]})"
                           : R"(,"item":{"type":"reasoning","summary":[]})"));
    if (!one_in(4))
      for (size_t i = 0; i < of.parts.size(); ++i)
        add_part(of, i, at);
    add("response.output_item.done", at + R"(,"item":)" + json_of(of));
  }

  void add_part(const made_item& of, size_t number, const std::string& at) {
    const auto call = of.kind == "function_call";
    const std::string type = call                     ? "response.function_call_arguments"
                             : of.kind == "message"   ? "response.output_text"
                             : of.kind == "refusal"   ? "response.refusal"
                             : of.kind == "reasoning" ? "response.reasoning_summary_text"
                                                      : "response.reasoning_text";
    const auto place =
        call ? at
             : fmt::format(R"({},"{}":{})", at,
                           of.kind == "reasoning" ? "summary_index" : "content_index", number);
    for (const auto& each : pieces(of.parts[number]))
      add(type + ".delta", place + R"(,"delta":)" + to_json(each));
    if (one_in(2))
      add(type + ".done", fmt::format(R"({},"{}":{})", place,
                                      call                   ? "arguments"
                                      : of.kind == "refusal" ? "refusal"
                                                             : "text",
                                      to_json(of.parts[number])));
  }

  std::string events_;
  int number_ = 0;
  bool named_ = true;
  bool numbered_ = true;
};

} // namespace

TEST_CASE("a Responses answer gives the same events as a stream and in one piece",
          "[messages][openai_responses]") {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    responses_server server{seed};
    const auto items = server.answer();
    const auto document = server.whole(items);
    const auto stream = server.stream(items);
    body_frame plain;
    plain.content_type = "application/json";
    const auto whole = merged_lines(decode_body("openai-responses", plain, server.cut(document)));
    const auto streamed = merged_lines(decode_body("openai-responses", {}, server.cut(stream)));
    if (whole != streamed) {
      INFO("seed " << seed << "\n" << stream << document);
      CHECK(whole == streamed);
      break;
    }
  }
}

} // namespace responses_modes_test
