#include "messages/wire/openai_chat/openai_messages.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/request_rules.hpp"

namespace openai_messages_test {

using namespace troupe;

namespace {

chat_message says(role who, std::string text) {
  chat_message made;
  made.who = who;
  made.text = std::move(text);
  return made;
}

chat_message calls(std::vector<tool_call> what, std::string reasoning = {}) {
  auto made = says(role::assistant, "");
  made.tool_calls = std::move(what);
  made.reasoning = std::move(reasoning);
  return made;
}

chat_message result(std::string id, std::string text, std::vector<message_file> files = {}) {
  auto made = says(role::tool, std::move(text));
  made.tool_call_id = std::move(id);
  made.files = std::move(files);
  return made;
}

std::string written(const std::vector<chat_message>& history, const model_config& model) {
  json_buffer out;
  append_openai_messages(out, {model, history}, dialect_of(model));
  std::string text{view(out)};
  CHECK(test::openai_body_fault(R"({"model":"m","messages":)" + text + "}").empty());
  return text;
}

model_config seeing(bool images) {
  model_config model;
  model.images = images;
  return model;
}

chat_message with_files(std::string text, std::vector<message_file> files) {
  auto made = says(role::user, std::move(text));
  made.files = std::move(files);
  return made;
}

const message_file photo{"image/png", "data:image/png;base64,AAAA", "a.png"};
const message_file other{"image/jpeg", "https://x.example/b", ""};
const message_file notes{"text/plain", "data:text/plain;base64,SGkg8J+Mjg==", "n.txt"};
const message_file paper{"application/pdf", "data:application/pdf;base64,AAAA", "p.pdf"};
const std::string photo_part =
    R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}})";
const std::string other_part = R"({"type":"image_url","image_url":{"url":"https://x.example/b"}})";

} // namespace

TEST_CASE("images go as parts to a model that takes them", "[messages][openai_chat]") {
  CHECK(written({with_files("What?", {photo, other})}, seeing(true)) ==
        R"([{"role":"user","content":[{"type":"text","text":"What?"},)" + photo_part + "," +
            other_part + "]}]");
  CHECK(written({with_files("", {photo})}, seeing(true)) ==
        R"([{"role":"user","content":[)" + photo_part + "]}]");
}

TEST_CASE("texts and images go in the order in which the user has them",
          "[messages][openai_chat]") {
  auto close = photo;
  close.text_behind = 6;
  close.detail = "high";
  const std::string close_part =
      R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA","detail":"high"}})";
  CHECK(written({with_files("Is it\nthis?", {close, other})}, seeing(true)) ==
        R"([{"role":"user","content":[{"type":"text","text":"Is it"},)" + close_part +
            R"(,{"type":"text","text":"this?"},)" + other_part + "]}]");
  close.text_behind = 5;
  CHECK(written({with_files("this?", {close})}, seeing(true)) ==
        R"([{"role":"user","content":[)" + close_part + R"(,{"type":"text","text":"this?"}]}])");
  CHECK(written({with_files("this?", {close})}, seeing(false)) ==
        R"([{"role":"user","content":)"
        R"("[image/png a.png was attached; this model takes no images]\n\nthis?"}])");
}

TEST_CASE("what MCP servers gave goes in front of a user's text and images",
          "[messages][openai_chat]") {
  auto asked = with_files("What?", {photo});
  asked.extras = {{"MCP_RESOURCE", "a.txt", "file:///a", "files", "A", "text/plain"}};
  const std::string front = R"([Resource \"a.txt\" of the MCP server \"files\": file:///a]\nA\n\n)";
  CHECK(written({asked}, seeing(true)) == R"([{"role":"user","content":[{"type":"text","text":")" +
                                              front + R"(What?"},)" + photo_part + "]}]");
  asked.files.clear();
  CHECK(written({asked}, seeing(true)) == R"([{"role":"user","content":")" + front + R"(What?"}])");
}

TEST_CASE("images are a note to a model that takes none", "[messages][openai_chat]") {
  CHECK(written({with_files("What?", {photo, other})}, seeing(false)) ==
        R"([{"role":"user","content":)"
        R"("What?\n\n[image/png a.png was attached; this model takes no images]\n\n)"
        R"([image/jpeg was attached; this model takes no images]"}])");
}

TEST_CASE("the text of a file is read, and what is none becomes a note",
          "[messages][openai_chat]") {
  const std::string text = R"(What?\n\n[text/plain n.txt]\nHi )"
                           "\xF0\x9F\x8C\x8E";
  const std::string note = "[application/pdf p.pdf was attached; this model takes no such files]";
  CHECK(written({with_files("What?", {notes, paper})}, seeing(false)) ==
        R"([{"role":"user","content":")" + text + R"(\n\n)" + note + R"("}])");
  CHECK(written({with_files("What?", {notes, photo, paper})}, seeing(true)) ==
        R"([{"role":"user","content":[{"type":"text","text":")" + text + "\"}," + photo_part +
            R"(,{"type":"text","text":")" + note + "\"}]}]");
}

TEST_CASE("a document is a part where its data are there, and a note behind a URL",
          "[messages][openai_chat]") {
  model_config model;
  model.documents = true;
  const auto sent = [&model](const message_file& file) {
    json_buffer out; // openai_body_fault knows no documents
    append_openai_messages(out, {model, {with_files("See", {file})}}, dialect_of(model));
    return std::string{view(out)};
  };
  CHECK(sent(paper).find(R"("type":"file")") != std::string::npos);
  CHECK(sent({"application/pdf", "https://x.example/p.pdf", "p.pdf"}) ==
        R"([{"role":"user","content":"See\n\n[file p.pdf application/pdf]"}])");
}

TEST_CASE("a sound is a part for a model that hears, else a note", "[messages][openai_chat]") {
  const std::vector<message_file> sounds{{"audio/wav", "data:audio/wav;base64,AAAA"},
                                         {"audio/mpeg", "data:audio/mpeg;base64,AAAA", "b.mp3"}};
  model_config model;
  model.audio = true;
  CHECK(written({with_files("Hear", sounds)}, model) ==
        R"([{"role":"user","content":[{"type":"text","text":"Hear"},)"
        R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}},)"
        R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}}]}])");
  CHECK(written({with_files("Hear", sounds)}, seeing(true)) ==
        R"([{"role":"user","content":"Hear\n\n)"
        R"([audio/wav was attached; this model takes no audio]\n\n)"
        R"([audio/mpeg b.mp3 was attached; this model takes no audio]"}])");
}

TEST_CASE("the images of a round's results follow it in one message", "[messages][openai_chat]") {
  std::vector<chat_message> history{
      says(role::user, "Go"),
      calls({{"a", "get", "{}"}, {"b", "get", "{}"}, {"c", "get", "{}"}}),
      result("a", "one", {photo}),
      result("b", "two"),
      result("c", "three", {other, photo}),
      says(role::assistant, "ok"),
      says(role::user, "Thanks")};
  auto seen = written(history, seeing(true));
  CHECK(seen.find(R"({"role":"tool","content":"three","tool_call_id":"c"},)"
                  R"_({"role":"assistant","content":"(The images of these results follow.)"},)_"
                  R"({"role":"user","content":[)"
                  R"({"type":"text","text":"Images of the result of a:"},)" +
                  photo_part + R"(,{"type":"text","text":"Images of the result of c:"},)" +
                  other_part + "," + photo_part +
                  R"(]},{"role":"assistant","content":"ok"},{"role":"user")") != std::string::npos);
  auto unseen = written(history, seeing(false));
  CHECK(unseen.find(R"({"role":"tool","content":)"
                    R"("one\n[image/png a.png was attached; this model takes no images]",)"
                    R"("tool_call_id":"a"},{"role":"tool","content":"two","tool_call_id":"b"})") !=
        std::string::npos);
  CHECK(unseen.find("image_url") == std::string::npos);
}

TEST_CASE("two rounds with images are kept apart", "[messages][openai_chat]") {
  auto text =
      written({says(role::user, "Go"), calls({{"a", "get", "{}"}}), result("a", "", {photo}),
               calls({{"b", "get", "{}"}}), result("b", "", {other})},
              seeing(true));
  CHECK(text.find("of a:\"}," + photo_part + "]},{\"role\":\"assistant\"") != std::string::npos);
  CHECK(text.ends_with("of b:\"}," + other_part + "]}]"));
}

TEST_CASE("reasoning goes back as the model wants it", "[messages][openai_chat]") {
  std::vector<chat_message> history{
      says(role::user, "1"), calls({{"a", "get", "{}"}}, "old"), result("a", "x"),
      says(role::user, "2"), calls({{"b", "get", "{}"}}, "new"), result("b", "y")};
  model_config model;
  auto kept = written(history, model);
  CHECK(kept.find("old") == std::string::npos);
  CHECK(kept.find(R"("content":null,"reasoning_content":"new","tool_calls")") != std::string::npos);
  model.reasoning = reasoning_policy::strip;
  CHECK(written(history, model).find("reasoning") == std::string::npos);
  model.reasoning = reasoning_policy::empty;
  auto empty = written(history, model);
  CHECK(empty.find("new") == std::string::npos);
  CHECK(empty.find(R"({"role":"assistant","content":null,"reasoning_content":"",)") !=
        empty.rfind(R"({"role":"assistant","content":null,"reasoning_content":"",)"));
  CHECK(empty.find(R"({"role":"user","content":"1"})") != std::string::npos);
}

TEST_CASE("what another vendor has sealed goes to no other", "[messages][openai_chat]") {
  auto thinking =
      calls({{"a", "get", "{}", R"({"anthropic":{"signature":"c2Vj"},"google":{"y":2}})"},
             {"b", "get", "{}", R"({"bedrock":{"signature":"c2Vj"}})"}});
  thinking.provider_metadata = R"({"anthropic":{"signature":"c2Vj"},"google":{"x":1}})";
  auto text = written({says(role::user, "1"), thinking, result("a", ""), result("b", "")}, {});
  CHECK(text.find("c2Vj") == std::string::npos);
  CHECK(text.find(R"("extra_content":{"google":{"x":1}})") != std::string::npos);
  CHECK(text.find(R"("extra_content":{"google":{"y":2}})") != std::string::npos);
}

TEST_CASE("what a provider wants back goes back where it came from", "[messages][openai_chat]") {
  auto thinking = calls({{"a", "get", "{}", R"({"google":{"thought_signature":"c2ln"}})"},
                         {"b", "get", "{}", "no JSON"}});
  thinking.provider_metadata =
      R"({"google":{"x":1},"openai":{"reasoning_details":[{"data":"c2Vj"}],"role":"system"}})";
  std::vector<chat_message> history{says(role::user, "1"), thinking, result("a", ""),
                                    result("b", "")};
  model_config model;
  auto text = written(history, model);
  CHECK(text.find(R"("content":null,"reasoning_details":[{"data":"c2Vj"}],)"
                  R"("extra_content":{"google":{"x":1}},"tool_calls":[{"id":"a","type":"function",)"
                  R"("function":{"name":"get","arguments":"{}"},)"
                  R"("extra_content":{"google":{"thought_signature":"c2ln"}}},)"
                  R"({"id":"b","type":"function","function":{"name":"get","arguments":"{}"}}])") !=
        std::string::npos);
  CHECK(text.find(R"("system")") == std::string::npos);
  model.reasoning = reasoning_policy::strip;
  CHECK(written(history, model).find("reasoning_details") == std::string::npos);
  CHECK(written(history, model).find(R"("thought_signature":"c2ln")") != std::string::npos);
}

} // namespace openai_messages_test
