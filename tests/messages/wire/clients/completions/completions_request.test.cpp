#include "messages/wire/clients/completions/completions_request.hpp"

#include <string>

#include <fmt/format.h>

#include "messages/ids.hpp"
#include "tests/support/catch.hpp"

namespace completions_request_test {

using namespace troupe;

namespace {

constexpr auto tags = "[completions][wire]";

completions_request read(const std::string& body) {
  completions_request out;
  auto bad = parse_completions_request(body, out);
  INFO(bad.text());
  REQUIRE_FALSE(bad);
  return out;
}

std::string refusal(const std::string& body) {
  completions_request out;
  auto bad = parse_completions_request(body, out);
  CHECK(bad.code == errc::request_invalid);
  return bad.text();
}

std::string with_messages(const std::string& members) {
  return R"({"messages":[{"role":"user","content":"hi"}])" + members + '}';
}

} // namespace

TEST_CASE("a chat completion is a turn with the whole history that leaves no session", tags) {
  auto got = read(R"({"model":"m","messages":[{"role":"developer","content":"be brief"},
                      {"role":"user","content":"hi"}]})");
  CHECK(got.turn.options.model == "m");
  CHECK(got.turn.replaces_history);
  CHECK(got.turn.ephemeral);
  CHECK_FALSE(got.stream);
  REQUIRE(got.turn.messages.size() == 2);
  CHECK(got.turn.messages[0].who == role::system);
  CHECK(got.turn.messages[1].text == "hi");
}

TEST_CASE("members of a chat completion that are the model's own go to it as they are", tags) {
  auto got = read(with_messages(
      R"(,"temperature":0.5,"stream":true,"tool_choice":{"type":"function"},"stop":["a","b"])"));
  CHECK(got.turn.options.parameters ==
        R"({"temperature":0.5,"tool_choice":{"type":"function"},"stop":["a","b"]})");
  CHECK(read(with_messages("")).turn.options.parameters.empty());
}

TEST_CASE("a chat completion streams when it asks for that, and tells the usage then", tags) {
  auto usage = R"(,"stream_options":{"include_usage":true})";
  CHECK(read(with_messages(std::string{R"(,"stream":true)"} + usage)).include_usage);
  CHECK_FALSE(read(with_messages(usage)).include_usage);
  CHECK(read(with_messages(R"(,"stream":true)")).stream);
}

TEST_CASE("tools of a chat completion are the client's", tags) {
  auto got = read(with_messages(
      R"(,"tools":[{"type":"function","function":{"name":"f","description":"d",
          "parameters":{"type":"object"}}},{"type":"function","function":{"name":"g"}}])"));
  REQUIRE(got.turn.options.tools.size() == 2);
  CHECK(got.turn.options.tools[0].name == "f");
  CHECK(got.turn.options.tools[0].description == "d");
  CHECK(got.turn.options.tools[0].input_schema == R"({"type":"object"})");
  CHECK(got.turn.options.tools[0].server.empty());
  CHECK(got.turn.options.tools[1].input_schema == R"({"type":"object","properties":{}})");
}

TEST_CASE("calls and results of a chat completion's history are read", tags) {
  auto got = read(R"({"messages":[{"role":"user","content":"go"},
      {"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"c1",
       "type":"function","function":{"name":"f","arguments":"{\"a\":1}"},
       "extra_content":{"google":{"thought_signature":"s"}}}]},
      {"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"4"},
       {"type":"text","text":"2"}]}]})");
  REQUIRE(got.turn.messages.size() == 3);
  const auto& answer = got.turn.messages[1];
  CHECK(answer.reasoning == "hm");
  REQUIRE(answer.tool_calls.size() == 1);
  CHECK(answer.tool_calls[0].arguments == R"({"a":1})");
  CHECK(answer.tool_calls[0].provider_metadata == R"({"google":{"thought_signature":"s"}})");
  CHECK(got.turn.messages[2].tool_call_id == "c1");
  CHECK(got.turn.messages[2].text == "42");
}

TEST_CASE("what an assistant refused stands in a chat completion's history", tags) {
  auto got = read(R"({"messages":[{"role":"user","content":"go"},
      {"role":"assistant","content":null,"refusal":"I cannot."},
      {"role":"assistant","content":"I can.","refusal":null},
      {"role":"user","content":"why?"}]})");
  REQUIRE(got.turn.messages.size() == 4);
  CHECK(got.turn.messages[1].text == "I cannot.");
  CHECK(got.turn.messages[2].text == "I can.");
}

TEST_CASE("arguments in a history that are no JSON object become an empty one", tags) {
  auto got = read(R"({"messages":[{"role":"assistant","tool_calls":[{"id":"c1",
      "function":{"name":"f","arguments":"{\"a\":"}}]}]})");
  CHECK(got.turn.messages[0].tool_calls[0].arguments == "{}");
}

TEST_CASE("images of a chat completion become files", tags) {
  auto got = read(R"({"messages":[{"role":"user","content":[{"type":"text","text":"see"},
      {"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},
      {"type":"image_url","image_url":{"url":"https://example.com/a"}}]}]})");
  const auto& asked = got.turn.messages[0];
  CHECK(asked.text == "see");
  REQUIRE(asked.files.size() == 2);
  CHECK(asked.files[0].media_type == "image/png");
  CHECK(asked.files[1].url == "https://example.com/a");
}

TEST_CASE("a file of a chat completion comes with its bytes and its name", tags) {
  auto got = read(R"({"messages":[{"role":"user","content":[{"type":"text","text":"read"},
      {"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}},
      {"type":"file","file":{"file_data":"data:;base64,AA=="}}]}]})");
  const auto& asked = got.turn.messages[0];
  REQUIRE(asked.files.size() == 2);
  CHECK(asked.files[0].media_type == "application/pdf");
  CHECK(asked.files[0].filename == "a.pdf");
  CHECK(asked.files[1].media_type == "application/octet-stream");
  auto bad = [](std::string_view file) {
    return refusal(fmt::format(
        R"({{"messages":[{{"role":"user","content":[{{"type":"file","file":{}}}]}}]}})", file));
  };
  for (auto file : {R"({"file_data":"JVBERi0="})", "{}", "7"})
    CHECK(bad(file).find("messages[0].content[0].file.file_data must be a data: URL") == 0);
  CHECK(bad(R"({"file_id":"file-1"})").find("messages[0].content[0].file.file_id must be") == 0);
  CHECK(bad(R"({"file_data":"data:,x","filename":7})") ==
        "messages[0].content[0].file.filename must be a string");
}

TEST_CASE("a file of a chat completion may be one that was uploaded", tags) {
  const auto id = make_id("file-");
  auto got = read(fmt::format(
      R"({{"messages":[{{"role":"user","content":[{{"type":"file","file":{{"file_id":"{}"}}}},)"
      R"({{"type":"image_url","image_url":{{"url":"/v1/files/{}/content"}}}}]}}]}})",
      id, id));
  const auto& files = got.turn.messages[0].files;
  REQUIRE(files.size() == 2);
  for (const auto& each : files)
    CHECK(each.url == "/v1/files/" + id);
}

TEST_CASE("texts and images of a chat completion keep their order", tags) {
  auto got = read(R"({"messages":[{"role":"user","content":[
      {"type":"image_url","image_url":{"url":"http://h/a","detail":"low"}},
      {"type":"text","text":"one "},{"type":"text","text":"text"},
      {"type":"image_url","image_url":{"url":"http://h/b"}},
      {"type":"text","text":"more"}]}]})");
  const auto& asked = got.turn.messages[0];
  CHECK(asked.text == "one text\nmore");
  CHECK(asked.files == std::vector<message_file>{{"image/*", "http://h/a", "", "low", 13},
                                                 {"image/*", "http://h/b", "", "", 5}});
}

TEST_CASE("a chat completion that cannot be answered is refused with the place", tags) {
  CHECK(refusal("{") != "");
  CHECK(refusal("[]") == "the body must be a JSON object");
  CHECK(refusal("{}") == "messages must be an array");
  CHECK(refusal(R"({"messages":[]})") == "messages must not be empty");
  CHECK(refusal(R"({"messages":[{"role":"robot","content":""}]})") ==
        "messages[0].role must be system, developer, user, assistant or tool");
  CHECK(refusal(R"({"messages":[{"role":"user","content":7}]})") ==
        "messages[0].content must be a string or an array of parts");
  CHECK(refusal(R"({"messages":[{"role":"user","content":[{"type":"video"}]}]})") ==
        "messages[0].content[0] must be a text, or in a message of a user or a tool an image_url, "
        "a file "
        "or an input_audio");
  CHECK(refusal(R"({"messages":[{"role":"user","content":[
      {"type":"image_url","image_url":{"url":"http://h/a","detail":1}}]}]})") ==
        "messages[0].content[0].image_url.detail must be a string");
  CHECK(refusal(R"({"messages":[{"role":"tool","content":"x"}]})") ==
        "messages[0].tool_call_id must be a string that is not empty");
  std::string many;
  for (int i = 0; i < 257; ++i)
    many += ",\"a" + std::to_string(i) + "\":1";
  CHECK(refusal(with_messages(many)) ==
        "the body must not have more than 256 members of the model");
  CHECK(refusal(with_messages(R"(,"n":2)")) == "n must be 1: there is one answer to a turn");
  CHECK(refusal(with_messages(R"(,"functions":[{}])")) == "functions are not supported; use tools");
  completions_request none;
  CHECK_FALSE(parse_completions_request(with_messages(R"(,"functions":[])"), none));
  CHECK(refusal(with_messages(R"(,"logprobs":true)")) == "logprobs are not supported");
  for (auto spoken : {R"(,"modalities":["text","audio"])", R"(,"audio":{"voice":"a"})"})
    CHECK(refusal(with_messages(spoken)) == "modalities other than text are not supported");
  completions_request fine;
  CHECK_FALSE(parse_completions_request(
      with_messages(R"(,"logprobs":false,"modalities":["text"],"audio":null)"), fine));
  CHECK(refusal(with_messages(R"(,"stream":"yes")")) == "stream must be true or false");
  CHECK(refusal(with_messages(R"(,"tools":[{"type":"function"}])")) ==
        "tools[0] must have a name of 1 to 64 of [A-Za-z0-9_-]");
  CHECK(refusal(with_messages(R"(,"maxToolRoundtrips":-1)")) ==
        "maxToolRoundtrips must be a whole number from 0 to 100");
}

TEST_CASE("the prompt of a text completion is the one message of a user", tags) {
  auto read_text = [](const std::string& body) {
    completions_request out;
    auto bad = parse_text_completion_request(body, out);
    INFO(bad.text());
    REQUIRE_FALSE(bad);
    return out;
  };
  auto got = read_text(R"({"model":"m","prompt":"hi","max_tokens":9,"stop":["x"],"suffix":null,
      "n":1,"best_of":1,"logprobs":null,"echo":false,"maxToolRoundtrips":2,"stream":true,
      "stream_options":{"include_usage":true}})");
  CHECK(got.turn.options.model == "m");
  CHECK(got.turn.options.parameters == R"({"max_tokens":9,"stop":["x"]})");
  CHECK(got.turn.options.max_tool_roundtrips == 2);
  CHECK(got.turn.replaces_history);
  CHECK(got.turn.ephemeral);
  CHECK(got.stream);
  CHECK(got.include_usage);
  REQUIRE(got.turn.messages.size() == 1);
  CHECK(got.turn.messages[0].who == role::user);
  CHECK(got.turn.messages[0].text == "hi");
  CHECK(read_text(R"({"prompt":["a\nb"],"suffix":""})").turn.messages.at(0).text == "a\nb");
}

TEST_CASE("a text completion that cannot be answered is refused with the reason", tags) {
  auto text_refusal = [](const std::string& body) {
    completions_request out;
    auto bad = parse_text_completion_request(body, out);
    CHECK(bad.code == errc::request_invalid);
    return bad.text();
  };
  for (auto prompt : {"null", "7", "[]", R"(["a","b"])", "[1,2]", "[[1,2]]", R"({"text":"a"})"})
    CHECK(text_refusal(fmt::format(R"({{"prompt":{}}})", prompt))
              .starts_with("prompt must be a string, or an array of one string"));
  CHECK(text_refusal("{}").starts_with("prompt must be a string"));
  CHECK(text_refusal("[]") == "the body must be a JSON object");
  auto with = [&](const std::string& member) {
    return text_refusal(R"({"prompt":"a",)" + member + "}");
  };
  CHECK(with(R"("n":2)") == "n must be 1: there is one answer to a turn");
  CHECK(with(R"("best_of":3)") == "best_of must be 1: there is one answer to a turn");
  CHECK(with(R"("suffix":"b")").starts_with("suffix is not supported"));
  for (auto wanted : {R"("logprobs":0)", R"("logprobs":5)", R"("logprobs":true)"})
    CHECK(with(wanted) == "logprobs are not supported");
  CHECK(with(R"("echo":true)") == "echo is not supported");
  CHECK(with(R"("messages":[])") == "messages are for /v1/chat/completions; here it is prompt");
  CHECK(with(R"("tools":[])").starts_with("tools are for /v1/chat/completions"));
  CHECK(with(R"("stream":1)") == "stream must be true or false");
}

} // namespace completions_request_test
