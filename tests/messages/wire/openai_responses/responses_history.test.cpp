// Whatever a chat came to, what goes to a Responses server is a request that the strictest one
// takes, and nothing that the user wrote is lost.
#include <string>
#include <vector>

#include "messages/wire/history/sealed_blocks.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/messages/wire/provider/answer_fixtures.hpp"
#include "tests/messages/wire/provider/random_chat.hpp"

namespace responses_history_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Chats whose answers have items of this model, of others, and broken ones.
class responses_chat : public random_chat {
public:
  using random_chat::random_chat;

private:
  void seal(chat_message& made) override {
    if (below(2) == 0)
      made.provider_metadata =
          seal_blocks("openai_responses", one_of({"m at h", "m at h", "n at h"}), items(made));
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
};

std::string body_of(const std::vector<chat_message>& chat, bool files,
                    std::string_view system = {}) {
  model_config model;
  model.name = "m";
  model.base_url = "http://h/v1";
  model.images = model.documents = files;
  return accepted_body("openai-responses", {.model = model, .history = chat, .system = system});
}

} // namespace

TEST_CASE("3000 random chats are sent as requests that strict Responses servers take",
          "[messages][openai_responses]") {
  responses_chat maker{20'261'125};
  size_t sealed = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto chat = maker.make();
    const auto system = i % 3 == 0 ? "Be kind." : "";
    INFO("chat " << i);
    const auto body = body_of(chat, i % 2 == 0, system);
    INFO(body);
    for (const auto& text : maker.texts)
      REQUIRE(body.find(text) != std::string::npos);
    REQUIRE(body == body_of(chat, i % 2 == 0, system));
    sealed += body.find("encrypted_content\":") != std::string::npos ? 1 : 0;
  }
  CHECK(sealed > 100);
}

} // namespace responses_history_test
