#include "messages/wire/clients/responses/response_request.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace response_request_test {

using namespace troupe;

namespace {

constexpr auto tags = "[responses][wire]";

response_request read(const std::string& body) {
  response_request out;
  auto bad = parse_response_request(body, out);
  INFO(bad.text());
  REQUIRE_FALSE(bad);
  return out;
}

std::string refusal(const std::string& body) {
  response_request out;
  auto bad = parse_response_request(body, out);
  CHECK(bad.code == errc::request_invalid);
  return bad.text();
}

std::string with(const std::string& members) {
  return R"({"input":"hi",)" + members + '}';
}

std::string with_items(const std::string& items) {
  return R"({"input":[)" + items + "]}";
}

std::string parameters_of(const std::string& members) {
  return read(with(members)).turn.options.parameters;
}

bool says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("a response is a turn with instructions apart from its messages", tags) {
  auto got = read(R"({"model":"m","input":"hi","instructions":"be brief","stream":true,
                      "store":false,"previous_response_id":"resp_1","mcpServers":["a"]})");
  CHECK(got.turn.options.model == "m");
  CHECK(got.turn.options.mcp_servers == std::vector<std::string>{"a"});
  CHECK(got.instructions == "be brief");
  CHECK(got.previous == "resp_1");
  CHECK(got.stream);
  CHECK_FALSE(got.store);
  REQUIRE(got.turn.messages.size() == 1);
  CHECK(got.turn.messages[0].text == "hi");
  CHECK(read(R"({"input":"hi"})").store);
}

TEST_CASE("items of one answer are one message, and results are messages of their own", tags) {
  auto got = read(with_items(R"({"role":"developer","content":"be brief"},
      {"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]},
      {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],
       "encrypted_content":null},
      {"type":"message","role":"assistant","id":"msg_1","content":[
        {"type":"output_text","text":"I look.","annotations":[]}]},
      {"type":"function_call","call_id":"c1","name":"f","arguments":"{\"a\":1}",
       "extra_content":{"g":{}}},
      {"type":"custom_tool_call","call_id":"c2","name":"patch","input":"*** \"x\""},
      {"type":"function_call_output","call_id":"c1","output":"one"},
      {"type":"custom_tool_call_output","call_id":"c2","output":[
        {"type":"input_text","text":"two"}]},
      {"type":"web_search_call","id":"ws_1"},
      {"type":"message","role":"assistant","content":"done"})"));
  const auto& history = got.turn.messages;
  REQUIRE(history.size() == 6);
  CHECK(history[0].who == role::system);
  CHECK(history[2].who == role::assistant);
  CHECK(history[2].reasoning == "hm");
  CHECK(history[2].text == "I look.");
  REQUIRE(history[2].tool_calls.size() == 2);
  CHECK(history[2].tool_calls[0].arguments == R"({"a":1})");
  CHECK(history[2].tool_calls[0].provider_metadata == R"({"g":{}})");
  CHECK(history[2].tool_calls[1].arguments == R"({"input":"*** \"x\""})");
  CHECK(history[3].tool_call_id == "c1");
  CHECK(history[3].text == "one");
  CHECK(history[4].text == "two");
  CHECK(history[5].text == "done");
}

TEST_CASE("a call that was run here comes back as a call and its result", tags) {
  auto got = read(with_items(R"({"role":"user","content":"go"},
      {"type":"mcp_call","id":"c1","server_label":"s","name":"f","arguments":"{}","output":"42",
       "error":null},
      {"type":"mcp_call","id":"c2","server_label":"s","name":"f","arguments":"{","output":null,
       "error":"broken"},{"role":"assistant","content":"so"})"));
  const auto& history = got.turn.messages;
  REQUIRE(history.size() == 6);
  CHECK(history[1].tool_calls.at(0).id == "c1");
  CHECK(history[2].tool_call_id == "c1");
  CHECK(history[2].text == "42");
  CHECK_FALSE(history[2].failed);
  CHECK(history[3].tool_calls.at(0).arguments == "{}");
  CHECK(history[4].text == "broken");
  CHECK(history[4].failed);
  CHECK(history[5].text == "so");
}

TEST_CASE("images, files and sounds of a response's input are files", tags) {
  auto got = read(with_items(R"({"role":"user","content":[
      {"type":"input_image","image_url":"data:image/png;base64,AA==","detail":"low"},
      {"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERg=="},
      {"type":"input_file","file_url":"https://example.com/b.pdf"},
      {"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}},
      {"type":"input_text","text":"see"}]})"));
  const auto& files = got.turn.messages.at(0).files;
  REQUIRE(files.size() == 4);
  CHECK(files[0].media_type == "image/png");
  CHECK(files[0].detail == "low");
  CHECK(files[1].filename == "a.pdf");
  CHECK(files[2].url == "https://example.com/b.pdf");
  CHECK(files[3].media_type == "audio/mpeg");
  CHECK(files[3].url == "data:audio/mpeg;base64,AAAA");
}

TEST_CASE("parameters of a response are said in the words of chat completions", tags) {
  CHECK(parameters_of(R"("max_output_tokens":7,"temperature":0.5,"top_p":1,"user":"u",
                         "parallel_tool_calls":false,"reasoning":{"effort":"low","summary":"auto"})") ==
        R"({"max_output_tokens":7,"parallel_tool_calls":false,"temperature":0.5,"top_p":1,)"
        R"("reasoning_effort":"low","user":"u"})");
  CHECK(parameters_of(R"("text":{"format":{"type":"json_schema","name":"n","schema":{"a":1},
                         "strict":true},"verbosity":"low"})") ==
        R"({"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"a":1},)"
        R"("strict":true}},"verbosity":"low"})");
  CHECK(parameters_of(R"("tool_choice":"required")") == R"({"tool_choice":"required"})");
  CHECK(parameters_of(R"("tool_choice":{"type":"function","name":"f"})") ==
        R"({"tool_choice":{"type":"function","function":{"name":"f"}}})");
  CHECK(parameters_of(R"("tool_choice":{"type":"function","namespace":"n","name":"f"})") ==
        R"({"tool_choice":{"type":"function","function":{"name":"n__f"}}})");
  CHECK(parameters_of(R"("tool_choice":{"type":"allowed_tools","mode":"auto","tools":[]})") ==
        R"({"tool_choice":"auto"})");
  CHECK(parameters_of(R"("tool_choice":{"type":"web_search"},"include":["x"],"truncation":"auto",
                         "prompt_cache_key":"k","client_metadata":{},"temperature":null,
                         "text":{"format":{"type":"text"}})")
            .empty());
}

TEST_CASE("tools of a response are functions, custom ones too; those of OpenAI are left out",
          tags) {
  auto got = read(with(R"("tools":[
      {"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":true},
      {"type":"custom","name":"patch","description":"Edits.","format":{"type":"grammar",
       "syntax":"lark","definition":"start: x"}},
      {"type":"web_search"},{"type":"local_shell"}])"));
  const auto& tools = got.turn.options.tools;
  REQUIRE(tools.size() == 2);
  CHECK(tools[0].name == "f");
  CHECK(tools[0].strict);
  CHECK(tools[1].name == "patch");
  CHECK(says(tools[1].description, "Edits.\nThe input must follow this grammar:\nstart: x"));
  CHECK(says(tools[1].input_schema, R"("required":["input"])"));
  REQUIRE(got.special.size() == 1);
  CHECK(got.special[0].shown == "patch");
  CHECK(got.special[0].custom);
  CHECK(says(got.echo, R"("tools":[{"type":"function","name":"f","description":"d",)"));
}

TEST_CASE("tools of a namespace have its name in front, for the model alone", tags) {
  const std::string group = R"({"type":"namespace","name":"crm","description":"d","tools":[
      {"type":"function","name":"look","description":"Looks.","strict":true,
       "parameters":{"type":"object","properties":{"a":{"type":"string"}}}},
      {"type":"custom","name":"note"}]})";
  const auto check = [](const response_request& got) {
    const auto& tools = got.turn.options.tools;
    REQUIRE(tools.size() == 2);
    CHECK(tools[0].name == "crm__look");
    CHECK(tools[0].description == "Looks.");
    CHECK(says(tools[0].input_schema, R"("a":{"type":"string"})"));
    CHECK(tools[0].strict);
    CHECK(tools[1].name == "crm__note");
    REQUIRE(got.special.size() == 2);
    CHECK(got.special[0].name == "look");
    CHECK(got.special[0].name_space == "crm");
    CHECK_FALSE(got.special[0].custom);
    CHECK(got.special[1].custom);
  };
  check(read(with(R"("tools":[)" + group + "]")));
  const auto item = R"({"type":"additional_tools","role":"developer","tools":[)" + group + "]}";
  check(read(with_items(R"({"role":"user","content":"go"},)" + item + "," + item)));
  CHECK(namespaced_tool_name("mcp__a__", "b") == "mcp__a__b");
  CHECK(namespaced_tool_name(std::string(60, 'x'), "long").size() == 64);
  CHECK(refusal(with(R"("tools":[{"type":"namespace","tools":[]}])")) ==
        "tools[0] must have a name");
  CHECK(says(refusal(with(R"("tools":[{"type":"namespace","name":"n","tools":[
                               {"type":"function","name":"f","parameters":7}]}])")),
             "tools[0].tools[0].inputSchema must be an object"));
  CHECK(refusal(with_items(R"({"type":"additional_tools","tools":{}})")) ==
        "input[0].tools must be an array");
  CHECK(refusal(with(R"("tools":[{"type":"namespace","name":"n","tools":{}}])")) ==
        "tools[0].tools must be an array");
  const auto called = read(with_items(R"({"role":"user","content":"go"},
      {"type":"function_call","call_id":"c","namespace":"crm","name":"look","arguments":"{}"},
      {"type":"function_call_output","call_id":"c","output":"x"})"));
  CHECK(called.turn.messages.at(1).tool_calls.at(0).name == "crm__look");
}

TEST_CASE("what the answer repeats stands on one line", tags) {
  auto got = read("{\"input\":\"hi\",\"instructions\":\"a\\nb\",\"metadata\":{\n\"k\":\n\"v\"}}");
  CHECK(got.echo.find('\n') == std::string::npos);
  CHECK(says(got.echo, R"("instructions":"a\nb")"));
  CHECK(says(got.echo, R"("metadata":{ "k": "v"})"));
  CHECK(says(got.echo, R"("tool_choice":"auto")"));
}

TEST_CASE("what is wrong with a response's request is named", tags) {
  CHECK(refusal("{}") == "input must be a string or an array of items");
  CHECK(refusal(R"({"input":[]})") == "input must not be empty");
  CHECK(refusal(with_items("1")) == "input[0] must be an object");
  CHECK(refusal(with_items("{}")) == "input[0] must have a type or a role");
  CHECK(refusal(with_items(R"({"role":"tool","content":"x"})")) ==
        "input[0].role must be user, assistant, system or developer");
  CHECK(refusal(with_items(R"({"role":"user","content":[{"type":"video"}]})")) ==
        "input[0].content[0] must be an input_text, an input_image, an input_file or an "
        "input_audio");
  CHECK(
      refusal(with_items(R"({"role":"user","content":[{"type":"input_image",
                              "image_url":"file:///a"}]})")) ==
      "input[0].content[0].image_url must be a data:, http: or https: URL, or that of an uploaded "
      "file (/v1/files/ID)");
  CHECK(says(refusal(with_items(R"({"role":"user","content":[{"type":"input_file",
                                   "file_id":"f"}]})")),
             "input[0].content[0].file_id must be the id of a file that was uploaded"));
  CHECK(refusal(with_items(R"({"role":"user","content":[{"type":"input_audio",
                              "input_audio":{"data":"AA==","format":"ogg"}}]})")) ==
        "input[0].content[0].input_audio.format must be wav or mp3");
  CHECK(refusal(with_items(R"({"type":"function_call_output","output":"x"})")) ==
        "input[0].call_id must be a string that is not empty");
  CHECK(refusal(with_items(R"({"type":"function_call","name":"f"})")) ==
        "input[0] must have an id and a name");
  CHECK(says(refusal(with(R"("background":true)")), "background is not supported"));
  CHECK(says(refusal(with(R"("conversation":"conv_1")")), "use previous_response_id"));
  CHECK(says(refusal(with(R"("prompt":{"id":"p"})")), "prompt is not supported"));
  CHECK(refusal(with(R"("max_output_tokens":0)")) ==
        "max_output_tokens must be a whole number from 1 on");
  CHECK(refusal(with(R"("instructions":1)")) == "instructions must be a string");
}

} // namespace response_request_test
