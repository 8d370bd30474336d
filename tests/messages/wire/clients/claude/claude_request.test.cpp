#include "messages/wire/clients/claude/claude_request.hpp"

#include <string>

#include "messages/wire/clients/claude/claude_tokens.hpp"
#include "tests/support/catch.hpp"

namespace claude_request_test {

using namespace troupe;

namespace {

constexpr auto tags = "[claude][wire]";

claude_request read(const std::string& body) {
  claude_request out;
  auto bad = parse_claude_request(body, out);
  INFO(bad.text());
  REQUIRE_FALSE(bad);
  return out;
}

std::string refusal(const std::string& body) {
  claude_request out;
  auto bad = parse_claude_request(body, out);
  CHECK(bad.code == errc::request_invalid);
  return bad.text();
}

std::string with(const std::string& members) {
  return R"({"messages":[{"role":"user","content":"hi"}])" + members + '}';
}

std::string with_content(const std::string& blocks) {
  return R"({"messages":[{"role":"user","content":[)" + blocks + "]}]}";
}

std::string parameters_of(const std::string& members) {
  return read(with("," + members)).turn.options.parameters;
}

} // namespace

TEST_CASE("a message of Anthropic's clients is a turn with the whole history", tags) {
  auto got = read(R"({"model":"m","max_tokens":7,"stream":true,"mcpServers":["a"],
      "system":[{"type":"text","text":"be brief","cache_control":{"type":"ephemeral"}},
                {"type":"text","text":"be kind"}],
      "messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"yes?"},
                  {"role":"user","content":[{"type":"text","text":"go"},
                                            {"type":"text","text":"on"}]}]})");
  CHECK(got.stream);
  CHECK(got.turn.options.model == "m");
  CHECK(got.turn.options.mcp_servers == std::vector<std::string>{"a"});
  CHECK(got.turn.replaces_history);
  CHECK(got.turn.ephemeral);
  REQUIRE(got.turn.messages.size() == 4);
  CHECK(got.turn.messages[0].who == role::system);
  CHECK(got.turn.messages[0].text == "be brief\n\nbe kind");
  CHECK(got.turn.messages[2].who == role::assistant);
  CHECK(got.turn.messages[2].text == "yes?");
  CHECK(got.turn.messages[3].text == "go\non");
  CHECK_FALSE(read(with("")).stream);
  CHECK_FALSE(read(with(R"(,"thread":null)")).thread);
  CHECK(read(with(R"(,"thread":{"type":"create"})")).thread);
}

TEST_CASE("calls and results of Anthropic's clients are messages of their own", tags) {
  auto got = read(R"({"messages":[{"role":"user","content":"go"},
      {"role":"assistant","content":[
        {"type":"thinking","thinking":"hm","signature":"sealed"},
        {"type":"redacted_thinking","data":"x"},{"type":"text","text":"I look."},
        {"type":"server_tool_use","id":"s","name":"web_search","input":{}},
        {"type":"tool_use","id":"c1","name":"f","input":{"a": 1},"extra_content":{"g":{}}},
        {"type":"tool_use","id":"c2","name":"g","input":{}}]},
      {"role":"user","content":[
        {"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"one"},
          {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}]},
        {"type":"tool_result","tool_use_id":"c2","content":"broken","is_error":true},
        {"type":"text","text":"and now?"}]}]})");
  const auto& history = got.turn.messages;
  REQUIRE(history.size() == 5);
  CHECK(history[1].text == "I look.");
  CHECK(history[1].reasoning == "hm");
  REQUIRE(history[1].tool_calls.size() == 2);
  CHECK(history[1].tool_calls[0].id == "c1");
  CHECK(history[1].tool_calls[0].arguments == R"({"a": 1})");
  CHECK(history[1].tool_calls[0].provider_metadata == R"({"g":{}})");
  CHECK(history[2].who == role::tool);
  CHECK(history[2].tool_call_id == "c1");
  CHECK(history[2].text == "one");
  REQUIRE(history[2].files.size() == 1);
  CHECK(history[2].files[0].url == "data:image/png;base64,AA==");
  CHECK_FALSE(history[2].failed);
  CHECK(history[3].text == "broken");
  CHECK(history[3].failed);
  CHECK(history[4].who == role::user);
  CHECK(history[4].text == "and now?");
}

TEST_CASE("results alone make no message of a user, and one without content is empty", tags) {
  auto got = read(with_content(R"({"type":"tool_result","tool_use_id":"c1"})"));
  REQUIRE(got.turn.messages.size() == 1);
  CHECK(got.turn.messages[0].who == role::tool);
  CHECK(got.turn.messages[0].text.empty());
}

TEST_CASE("images and PDFs of Anthropic's clients are files, other documents are texts", tags) {
  auto got = read(with_content(
      R"({"type":"image","source":{"type":"url","url":"https://example.com/a.png"}},
         {"type":"document","title":"a.pdf","source":{"type":"base64",
          "media_type":"application/pdf","data":"JVBERg=="}},
         {"type":"document","source":{"type":"url","url":"https://example.com/b.pdf"}},
         {"type":"document","title":"notes","context":"of May","source":{"type":"text",
          "media_type":"text/plain","data":"rain"}},
         {"type":"document","source":{"type":"content","content":[{"type":"text","text":"sun"}]}},
         {"type":"search_result","title":"t","source":"http://s","content":[{"type":"text",
          "text":"found"}]})"));
  const auto& asked = got.turn.messages.at(0);
  REQUIRE(asked.files.size() == 3);
  CHECK(asked.files[0].url == "https://example.com/a.png");
  CHECK(asked.files[1].media_type == "application/pdf");
  CHECK(asked.files[1].url == "data:application/pdf;base64,JVBERg==");
  CHECK(asked.files[1].filename == "a.pdf");
  CHECK(asked.files[2].media_type == "application/pdf");
  CHECK(asked.text == "of May\nnotes\nrain\nsun\nt\nhttp://s\nfound");
}

TEST_CASE("files that were uploaded here are named by Anthropic's clients", tags) {
  const std::string id = "file-0123456789abcdefghijklmn";
  const auto source = R"("source":{"type":"file","file_id":")" + id + "\"}}";
  const auto got = read(with_content(R"({"type":"document","title":"a.pdf",)" + source +
                                     R"(,{"type":"image",)" + source));
  const auto& files = got.turn.messages.at(0).files;
  REQUIRE(files.size() == 2);
  CHECK(files[0].url == "/v1/files/" + id);
  CHECK(files[0].filename == "a.pdf");
  CHECK(files[1].url == "/v1/files/" + id);
}

TEST_CASE("an image inside of a document of Anthropic's clients is a file", tags) {
  const auto document = [](const std::string& inner) {
    return with_content(R"({"type":"document","source":{"type":"content","content":[)" + inner +
                        "]}}");
  };
  const auto got = read(document(R"({"type":"text","text":"above"},
      {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}},
      {"type":"text","text":"below"})"));
  const auto& asked = got.turn.messages.at(0);
  CHECK(asked.text == "above\nbelow");
  REQUIRE(asked.files.size() == 1);
  CHECK(asked.files[0].url == "data:image/png;base64,AA==");
  CHECK(asked.files[0].text_behind == 6); // with the line end
  CHECK(refusal(document(R"({"type":"text","text":"a"},{"type":"image","source":{}})")) ==
        "messages[0].content[0].source.content[1].source.type must be base64, url or file");
}

TEST_CASE("a tool that is deferred is seen once it is named, and not once it is removed", tags) {
  const auto seen = [](const std::string& more_tools, const std::string& blocks) {
    const auto got = read(R"({"tools":[{"name":"a","input_schema":{"type":"object"}},
        {"name":"b","defer_loading":true,"input_schema":{"type":"object"}})" +
                          more_tools + R"(],"messages":[{"role":"user","content":"hi"},
        {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"a","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[)" +
                          blocks + "]}]}]}");
    std::string names;
    for (const auto& tool : got.turn.options.tools)
      names += tool.name;
    return names + " " + got.turn.messages.at(2).text;
  };
  CHECK(seen("", R"({"type":"text","text":"none"})") == "a none");
  CHECK(seen("", R"({"type":"tool_reference","tool_name":"b"})") ==
        "ab [The tool b can now be called.]");
  CHECK(seen(R"(,{"type":"tool_search_tool_regex_20251119","name":"search"})", "") == "ab ");
  const auto changed = read(R"({"tools":[{"name":"a"},{"name":"b"}],"messages":[
      {"role":"user","content":"hi"},{"role":"system","content":[
       {"type":"tool_removal","tool":{"type":"tool_reference","name":"a"}},
       {"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"d",
        "description":"Does."}}}]}]})");
  REQUIRE(changed.turn.options.tools.size() == 2);
  CHECK(changed.turn.options.tools[0].name == "b");
  CHECK(changed.turn.options.tools[1].description == "Does.");
  CHECK(changed.turn.messages.at(1).text ==
        "[The tool a can no longer be called.]\n[The tool d can now be called.]");
}

TEST_CASE("results of tools count among the messages of a request", tags) {
  const auto results = [](size_t count) {
    std::string blocks;
    for (size_t i = 0; i < count; ++i)
      blocks.append(i == 0 ? "" : ",").append(R"({"type":"tool_result","tool_use_id":"c"})");
    return with_content(blocks);
  };
  CHECK(read(results(10'000)).turn.messages.size() == 10'000);
  CHECK(refusal(results(10'001)) ==
        "messages[0].content[10000] is one message too many: a request may have 10000");
}

TEST_CASE("parameters of Anthropic's clients are said in the words of all providers", tags) {
  CHECK(parameters_of(R"("max_tokens":7,"temperature":0.5,"top_p":1,"top_k":3,
                         "stop_sequences":["x"],"metadata":{"user_id":"u"})") ==
        R"({"max_output_tokens":7,"temperature":0.5,"top_p":1,"top_k":3,"stop":["x"],"user":"u"})");
  CHECK(parameters_of(R"("tool_choice":{"type":"auto"})") == R"({"tool_choice":"auto"})");
  CHECK(parameters_of(R"("tool_choice":{"type":"any","disable_parallel_tool_use":true})") ==
        R"({"tool_choice":"required","parallel_tool_calls":false})");
  CHECK(parameters_of(R"("tool_choice":{"type":"tool","name":"f"})") ==
        R"({"tool_choice":{"type":"function","function":{"name":"f"}}})");
  CHECK(parameters_of(R"("thinking":{"type":"enabled","budget_tokens":4000})") ==
        R"({"reasoning_effort":"medium"})");
  CHECK(parameters_of(R"("thinking":{"type":"adaptive"},"output_config":{"effort":"max"})") ==
        R"({"reasoning_effort":"max"})");
  CHECK(parameters_of(R"("output_config":{"format":{"type":"json_schema","schema":{"a":1}}})") ==
        R"({"response_format":{"type":"json_schema","json_schema":)"
        R"({"name":"answer","schema":{"a":1}}}})");
}

TEST_CASE("what means something at Anthropic only is left out", tags) {
  CHECK(parameters_of(R"("thinking":{"type":"disabled"},"service_tier":"auto",
                         "context_management":{"edits":[]},"anything":1,"temperature":null)")
            .empty());
}

TEST_CASE("tools of Anthropic's clients are the client's, but for those of Anthropic", tags) {
  auto got = read(with(R"(,"tool_choice":{"type":"tool","name":"web_search"},"tools":[
      {"name":"f","description":"d","input_schema":{"type":"object"},"cache_control":{}},
      {"type":"custom","name":"g","input_schema":{"type":"object","properties":{}}},
      {"type":"web_search_20250305","name":"web_search"}])"));
  REQUIRE(got.turn.options.tools.size() == 2);
  CHECK(got.turn.options.tools[0].description == "d");
  CHECK(got.turn.options.tools[0].input_schema == R"({"type":"object"})");
  CHECK(got.turn.options.tools[1].name == "g");
  CHECK(got.turn.options.parameters.empty()); // nobody could be forced to call it
}

TEST_CASE("what is wrong with a message of Anthropic's clients is named", tags) {
  CHECK(refusal("[]") == "the body must be a JSON object");
  CHECK(refusal("{}") == "messages must be an array");
  CHECK(refusal(R"({"messages":[]})") == "messages must not be empty");
  CHECK(refusal(R"({"messages":[{"role":"tool","content":"x"}]})") ==
        "messages[0].role must be user or assistant");
  CHECK(refusal(R"({"messages":[{"role":"user"}]})") ==
        "messages[0].content must be a string or an array of blocks");
  CHECK(refusal(with_content("{}")) == "messages[0].content[0].type must be a string");
  CHECK(refusal(with_content(R"({"type":"video"})")) ==
        "messages[0].content[0] is a 'video', which cannot be read here; send a text, an image or "
        "a document");
  CHECK(refusal(with_content(R"({"type":"image","source":{"type":"file","file_id":"f"}})")) ==
        "messages[0].content[0].source.file_id must be the id of a file that was uploaded here "
        "(POST /v1/files); those of other servers cannot be read");
  CHECK(refusal(with_content(R"({"type":"tool_result","content":"x"})")) ==
        "messages[0].content[0].tool_use_id must be a string that is not empty");
  CHECK(refusal(with_content(R"({"type":"tool_result","tool_use_id":"c","is_error":1})")) ==
        "messages[0].content[0].is_error must be true or false");
  CHECK(refusal(R"({"messages":[{"role":"system","content":[{"type":"tool_result",
                    "tool_use_id":"c","content":"x"}]}]})") ==
        "messages[0].content[0] is a 'tool_result', which cannot be read here; send a text, an "
        "image or a document");
  CHECK(refusal(R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a",
                    "name":"f","input":"x"}]}]})") ==
        "messages[0].content[0].input must be an object");
  CHECK(refusal(with(R"(,"max_tokens":0)")) == "max_tokens must be a whole number from 1 on");
  CHECK(refusal(with(R"(,"tool_choice":{"type":"some"})")) ==
        "tool_choice.type must be auto, any, none, or tool with a name");
  CHECK(refusal(with(R"(,"mcp_servers":[{"url":"https://x"}])")) ==
        "mcp_servers are connected by the configuration here; choose among them with mcpServers, "
        "an array of names");
  CHECK(refusal(with(R"(,"tools":[{"name":"a b","input_schema":{}}])")) ==
        "tools[0] must have a name of 1 to 64 of [A-Za-z0-9_-]");
  CHECK(refusal(with(R"(,"tools":[{"type":"web_search_20250305","name":"w"},{"name":"a b"}])")) ==
        "tools[1] must have a name of 1 to 64 of [A-Za-z0-9_-]");
}

TEST_CASE("the estimate of tokens grows with texts, calls, tools and files", tags) {
  auto tokens = [](const std::string& body) { return estimated_tokens(read(body).turn); };
  const auto least = tokens(with(""));
  CHECK(least == 5); // half a token of text, and four for the message
  CHECK(tokens(R"({"messages":[{"role":"user","content":")" + std::string(400, 'x') + R"("}]})") ==
        104);
  CHECK(tokens(R"({"messages":[{"role":"user","content":"你好"}]})") == 6);
  CHECK(tokens(with(R"(,"tools":[{"name":"f","input_schema":{"type":"object"}}])")) > least);
  CHECK(tokens(with_content(R"({"type":"image","source":{"type":"url","url":"http://x/a"}})")) >
        1'600);
}

} // namespace claude_request_test
