// Whatever a chat came to, what goes to a Responses server is a request that the strictest one
// takes, and nothing that the user wrote is lost.
#include <random>
#include <string>
#include <vector>

#include "messages/wire/provider/sealed_blocks.hpp"
#include "tests/messages/wire/provider/answer_fixtures.hpp"
#include "tests/support/openai_responses_request_check.hpp"

namespace responses_history_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Makes chats of all that can go wrong in one, with answers of this model and of others; the same
/// for the same seed.
class chat_maker {
public:
  explicit chat_maker(uint32_t seed) : random_{seed} {}

  std::vector<chat_message> make() {
    std::vector<chat_message> chat;
    texts.clear();
    for (auto n = below(12) + 1; n > 0; --n)
      chat.push_back(message());
    return chat;
  }

  std::vector<std::string> texts; ///< that the user wrote in the last chat

private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  template <class T>
  T one_of(std::initializer_list<T> list) {
    return *(list.begin() + below(static_cast<uint32_t>(list.size())));
  }

  chat_message message() {
    chat_message made;
    made.who = one_of({role::user, role::user, role::assistant, role::assistant, role::tool,
                       role::tool, role::system});
    made.text = below(4) == 0 ? one_of<const char*>({"", " ", "\n", " \t\r\n"})
                              : "text " + std::to_string(++number_) + ".";
    if (made.who == role::user)
      user(made);
    else if (made.who == role::assistant)
      answer(made);
    else if (made.who == role::tool)
      result(made);
    return made;
  }

  void user(chat_message& made) {
    if (made.text.size() > 4)
      texts.push_back(made.text);
    for (auto n = below(8); n > 5; --n)
      made.files.push_back(file());
    if (below(8) == 0)
      made.extras.push_back({"MCP_RESOURCE", "a", "b://", "s", "content", ""});
  }

  void answer(chat_message& made) {
    for (auto n = below(5); n > 2; --n)
      made.tool_calls.push_back(
          {id(), one_of<const char*>({"get", "get", "no name", "", "имя"}),
           one_of<const char*>({"{}", R"({"a":1})", "", "[]", "null", "{oops", "\"{}\""})});
    made.provider_metadata = one_of<std::string>(
        {"", R"({"anthropic":{"model":"x","blocks":[{"type":"thinking"}]}})",
         R"({"openai_responses":[]})", seal_blocks("openai_responses", "m at h", items(made)),
         seal_blocks("openai_responses", "m at h", items(made)),
         seal_blocks("openai_responses", "n at h", items(made))});
  }

  /// The items of the answer, at times with one too many or one too few.
  std::string items(const chat_message& of) {
    std::string list;
    auto add = [&list](const std::string& item) { list += (list.empty() ? "" : ",") + item; };
    auto think = [&, this] {
      if (below(2) == 0)
        add(one_of<std::string>({R"({"type":"reasoning","summary":[],"encrypted_content":"c"})",
                                 R"({"type":"reasoning","summary":[]})",
                                 R"({"type":"web_search_call"})"}));
    };
    think();
    if (!of.text.empty() && below(6) != 0)
      add(R"({"role":"assistant","phase":"final_answer","content":[{"type":"output_text","text":)" +
          to_json(of.text) + "}]}");
    for (const auto& each : of.tool_calls) {
      think();
      if (below(8) != 0)
        add(R"({"type":"function_call","call_id":)" + to_json(each.id) + "}");
    }
    think();
    return "[" + list + "]";
  }

  void result(chat_message& made) {
    made.tool_call_id = id();
    made.failed = below(4) == 0;
    if (below(4) == 0)
      made.files.push_back(file());
  }

  std::string id() { return one_of<std::string>({"a", "b", "a_2", "c", "", std::string(70, 'x')}); }

  message_file file() {
    auto type = one_of<std::string>({"image/png", "image/svg+xml", "image/tiff", "IMAGE/JPG",
                                     "text/plain", "application/pdf", "image/*", ""});
    auto url = one_of<std::string>(
        {"data:image/png;base64,AAAA", "data:image/png;base64,",
         "data:image/png;base64,iVBORw0KGgo", "data:,<svg/>",
         "data:application/pdf;base64,JVBERi0=", "https://x.example/a.pdf",
         "http://x.example/b.svg", "blob:x", "data:image/svg+xml;base64,PHN2Zy8+"});
    return {type, url, one_of<const char*>({"", "name"}), one_of<const char*>({"", "low", "odd"}),
            below(2) * 1000};
  }

  std::mt19937 random_;
  int number_ = 0;
};

std::string body_of(const std::vector<chat_message>& chat, bool files,
                    std::string_view system = {}) {
  model_config model;
  model.name = "m";
  model.base_url = "http://h/v1";
  model.images = model.documents = files;
  return find_provider("openai-responses")
      ->make_request({.model = model, .history = chat, .system = system})
      .body;
}

} // namespace

TEST_CASE("3000 random chats are sent as requests that strict Responses servers take",
          "[messages][openai_responses]") {
  chat_maker maker{20'261'125};
  size_t sealed = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto chat = maker.make();
    const auto system = i % 3 == 0 ? "Be kind." : "";
    const auto body = body_of(chat, i % 2 == 0, system);
    const auto fault = openai_responses_body_fault(body);
    INFO("chat " << i << ": " << body);
    REQUIRE(fault == "");
    for (const auto& text : maker.texts)
      REQUIRE(body.find(text) != std::string::npos);
    REQUIRE(body == body_of(chat, i % 2 == 0, system));
    sealed += body.find("encrypted_content\":") != std::string::npos ? 1 : 0;
  }
  CHECK(sealed > 100);
}

TEST_CASE("a chat that changes its provider each turn breaks no rule of any",
          "[messages][openai_responses]") {
  const answer_fixtures corpus{"openai-responses"};
  std::vector<chat_message> chat;
  size_t turns = 0;
  for (const auto& each : corpus.all()) {
    const auto decoded = decode_body("openai-responses", each.frame, {each.body});
    if (decoded.end.error || is_cut(decoded.end.reason))
      continue;
    chat.push_back(user_message("turn " + std::to_string(++turns)));
    chat_message answer;
    answer.who = role::assistant;
    answer.text = decoded.text();
    answer.provider_metadata = decoded.end.provider_metadata;
    for (const auto& call : decoded.calls())
      answer.tool_calls.push_back({call.tool_call_id, call.tool_name, call.arguments.text});
    chat.push_back(answer);
    for (const auto& call : answer.tool_calls) {
      auto& result = chat.emplace_back();
      result.who = role::tool;
      result.tool_call_id = call.id;
      result.text = "ok";
    }
    auto other = chat.emplace_back(); // of a model of another provider
    other.who = role::assistant;
    other.text = "said by another";
    other.provider_metadata = R"({"gemini":{"model":"g","blocks":[{"text":"x"}]}})";
    chat.back() = other;
    INFO("behind " << each.name);
    auto asked = chat;
    asked.push_back(user_message("go on"));
    CHECK(openai_responses_body_fault(body_of(asked, true)) == "");
  }
  CHECK(turns >= 30);
}

} // namespace responses_history_test
