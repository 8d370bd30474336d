#include "messages/json.hpp"
#include "messages/wire/json/json_tree.hpp"
#include "messages/wire/providers.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/support/catch.hpp"

namespace anthropic_request_test {

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr std::string_view mark = R"("cache_control":{"type":"ephemeral"})";

/// One request, to be changed by a test.
struct asking {
  model_config model;
  std::vector<chat_message> history;
  tool_set tools;
  std::string parameters;
  std::string system;
  bool has_results = false;
  uint32_t max_tokens = 0;

  asking() {
    model.name = "claude-sonnet-4-5";
    model.provider = "anthropic";
    model.base_url = "https://api.anthropic.com";
    model.images = model.documents = true;
    model.generation.cache = false;
    history.push_back(user_message("Hi."));
  }

  http_request request() const {
    return accepted_request("anthropic", {.model = model,
                                          .history = history,
                                          .tools = &tools,
                                          .max_tokens = max_tokens,
                                          .parameters = parameters,
                                          .system = system,
                                          .has_results = has_results});
  }

  std::string body() const { return request().body; }

  /// Returns a member of the body as JSON; "" if it is not there.
  std::string member(std::string_view key) const {
    const auto tree = read_json_tree(body(), 100'000);
    const auto* found = tree->find(key);
    if (found == nullptr)
      return {};
    json_buffer out;
    append_json(out, *found);
    return std::string{view(out)};
  }
};

chat_message says(role who, std::string text) {
  chat_message made;
  made.who = who;
  made.text = std::move(text);
  return made;
}

chat_message calls(std::string id, std::string arguments = "{}") {
  auto made = says(role::assistant, "");
  made.tool_calls.push_back({std::move(id), "get", std::move(arguments)});
  return made;
}

chat_message result(std::string id, std::string text = "ok") {
  auto made = says(role::tool, std::move(text));
  made.tool_call_id = std::move(id);
  return made;
}

tool_definition tool(const std::string& name,
                     std::string schema = R"({"type":"object","properties":{}})") {
  return {name, "Does it.", std::move(schema), "s", name};
}

size_t count(std::string_view text, std::string_view what) {
  size_t found = 0;
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

} // namespace

TEST_CASE("a request to Anthropic has its address, key, version and body",
          "[messages][anthropic]") {
  asking asked;
  asked.model.api_key = "sk-1";
  asked.system = "Be kind.";
  const auto made = asked.request();
  CHECK(made.method == "POST");
  CHECK(made.url == "https://api.anthropic.com/v1/messages");
  CHECK(find_header(made.fields, "x-api-key") == "sk-1");
  CHECK(find_header(made.fields, "anthropic-version") == "2023-06-01");
  CHECK(find_header(made.fields, "content-type") == "application/json");
  CHECK(made.body == R"({"model":"claude-sonnet-4-5","messages":[{"role":"user","content":[)"
                     R"({"type":"text","text":"Hi."}]}],"system":[{"type":"text",)"
                     R"("text":"Be kind."}],"max_tokens":32000,"stream":true})");
}

TEST_CASE("the address of Anthropic is found from what people write", "[messages][anthropic]") {
  asking asked;
  const auto url = [&asked](const char* base) {
    asked.model.base_url = base;
    return asked.request().url;
  };
  CHECK(url("https://a.example/") == "https://a.example/v1/messages");
  CHECK(url("https://a.example/v1") == "https://a.example/v1/messages");
  CHECK(url("https://a.example/v1/") == "https://a.example/v1/messages");
  CHECK(url("https://a.example/v1/messages") == "https://a.example/v1/messages");
  CHECK(url("https://a.example/api/anthropic") == "https://a.example/api/anthropic/v1/messages");
  CHECK(url("https://a.example/v1?key=1") == "https://a.example/v1/messages?key=1");
}

TEST_CASE("the configuration's header fields win, and a key is not needed",
          "[messages][anthropic]") {
  asking asked;
  asked.model.fields = {{"Anthropic-Version", "2024-01-01"},
                        {"authorization", "Bearer t"},
                        {"anthropic-beta", "a,b"}};
  const auto made = asked.request();
  CHECK(find_header(made.fields, "x-api-key").empty());
  CHECK(find_header(made.fields, "authorization") == "Bearer t");
  CHECK(find_header(made.fields, "anthropic-beta") == "a,b");
  CHECK(std::ranges::count_if(made.fields,
                              [](const header& each) { return each.name.size() == 17; }) == 1);
}

TEST_CASE("the bound of an answer is what was asked for, or what the model surely takes",
          "[messages][anthropic]") {
  asking asked;
  const auto bound = [&asked](const char* name) {
    asked.model.name = name;
    return asked.member("max_tokens");
  };
  CHECK(bound("claude-sonnet-5") == "32000");
  CHECK(bound("claude-opus-4-20250514") == "32000");
  CHECK(bound("anthropic/claude-3.7-sonnet") == "32000");
  CHECK(bound("anthropic.claude-3-5-sonnet-20241022-v2:0") == "8192");
  CHECK(bound("claude-3-haiku-20240307") == "4096");
  CHECK(bound("kimi-k2") == "8192");
  asked.model.generation.max_output_tokens = 300;
  CHECK(bound("claude-sonnet-5") == "300");
  asked.parameters = R"({"max_completion_tokens":200})";
  CHECK(bound("claude-sonnet-5") == "200");
  asked.max_tokens = 100;
  CHECK(bound("claude-sonnet-5") == "100");
}

TEST_CASE("OpenAI's parameters are said in Anthropic's words", "[messages][anthropic]") {
  asking asked;
  asked.tools.tools = {tool("get")};
  asked.parameters =
      R"({"temperature":1.5,"top_k":4,"stop":["a"," "],"user":"u1","seed":7,"n":1,)"
      R"("frequency_penalty":1,"logprobs":true,"tool_choice":"required",)"
      R"("parallel_tool_calls":false,"service_tier":"default","inference_geo":"eu"})";
  const auto made = asked.request().body;
  const auto behind = made.substr(made.find(R"("temperature")"));
  CHECK(behind == R"("temperature":1,"top_k":4,"stop_sequences":["a"],)"
                  R"("tool_choice":{"type":"any","disable_parallel_tool_use":true},)"
                  R"("metadata":{"user_id":"u1"},"service_tier":"standard_only",)"
                  R"("inference_geo":"eu"})");
}

TEST_CASE("a temperature and top_p go together only where they are taken",
          "[messages][anthropic]") {
  asking asked;
  asked.parameters = R"({"temperature":0.5,"top_p":0.9})";
  CHECK(asked.member("temperature") == "0.5");
  CHECK(asked.member("top_p").empty());
  asked.model.name = "claude-3-5-haiku-latest";
  CHECK(asked.member("top_p") == "0.9");
  asked.model.name = "claude-opus-4-8";
  CHECK(asked.member("temperature").empty());
}

TEST_CASE("a choice of tools needs tools, and is not demanded again behind results",
          "[messages][anthropic]") {
  asking asked;
  asked.parameters = R"({"tool_choice":{"type":"function","function":{"name":"get"}}})";
  CHECK(asked.member("tool_choice").empty());
  asked.tools.tools = {tool("get")};
  CHECK(asked.member("tool_choice") == R"({"type":"tool","name":"get"})");
  asked.has_results = true;
  CHECK(asked.member("tool_choice").empty());
  asked.parameters = R"({"parallel_tool_calls":false})";
  CHECK(asked.member("tool_choice") == R"({"type":"auto","disable_parallel_tool_use":true})");
  asked.parameters = R"({"tool_choice":"none","parallel_tool_calls":false})";
  CHECK(asked.member("tool_choice") == R"({"type":"none"})");
}

TEST_CASE("a choice of tools may be given in Anthropic's own words", "[messages][anthropic]") {
  asking asked;
  asked.tools.tools = {tool("get")};
  asked.parameters = R"({"tool_choice":{"type":"any","disable_parallel_tool_use":true}})";
  CHECK(asked.member("tool_choice") == R"({"type":"any","disable_parallel_tool_use":true})");
  asked.parameters = R"({"tool_choice":{"type":"tool","name":"get"}})";
  CHECK(asked.member("tool_choice") == R"({"type":"tool","name":"get"})");
  asked.parameters = R"({"tool_choice":{"type":"none"}})";
  CHECK(asked.member("tool_choice") == R"({"type":"none"})");
  for (auto nothing : {R"({"tool_choice":{"type":"function"}})", R"({"tool_choice":{}})",
                       R"({"tool_choice":{"type":{"type":{}}}})"}) {
    asked.parameters = nothing;
    CHECK(asked.member("tool_choice").empty());
  }
}

TEST_CASE("an effort becomes what the model takes", "[messages][anthropic]") {
  asking asked;
  const auto thinking = [&asked](const char* name, const char* effort) {
    asked.model.name = name;
    asked.model.generation.reasoning_effort = effort;
    return asked.member("thinking") + asked.member("output_config");
  };
  CHECK(thinking("claude-sonnet-4-5", "medium") == R"({"type":"enabled","budget_tokens":8192})");
  CHECK(thinking("claude-sonnet-4-5", "none") == R"({"type":"disabled"})");
  CHECK(thinking("claude-3-5-haiku-latest", "high").empty());
  CHECK(thinking("claude-opus-4-6", "xhigh") == R"({"type":"adaptive"}{"effort":"high"})");
  CHECK(thinking("claude-opus-4-8", "xhigh") ==
        R"({"type":"adaptive","display":"summarized"}{"effort":"xhigh"})");
  CHECK(thinking("claude-opus-4-8", "none") == R"({"effort":"low"})");
  CHECK(thinking("glm-4.6", "minimal") == R"({"type":"enabled","budget_tokens":1024})");
  CHECK(thinking("claude-opus-4-8", "").empty());
}

TEST_CASE("a budget becomes what the model takes, and leaves room for the answer",
          "[messages][anthropic]") {
  asking asked;
  asked.model.generation.reasoning_budget = 31'000;
  CHECK(asked.member("thinking") == R"({"type":"enabled","budget_tokens":31000})");
  CHECK(asked.member("max_tokens") == "35096");
  asked.model.generation.max_output_tokens = 8000;
  CHECK(asked.member("thinking") == R"({"type":"enabled","budget_tokens":4000})");
  asked.model.generation.max_output_tokens = 1000;
  CHECK(asked.member("thinking").empty());
  asked.model.generation.max_output_tokens = 0;
  asked.model.name = "claude-opus-4-8";
  CHECK(asked.member("output_config") == R"({"effort":"xhigh"})");
  asked.model.generation.reasoning_budget = -1;
  CHECK(asked.member("thinking") == R"({"type":"adaptive","display":"summarized"})");
  CHECK(asked.member("output_config").empty());
  asked.model.name = "claude-sonnet-4-5";
  asked.model.generation.reasoning_budget = 0;
  CHECK(asked.member("thinking") == R"({"type":"disabled"})");
}

TEST_CASE("thinking in Anthropic's own words wins", "[messages][anthropic]") {
  asking asked;
  asked.model.generation.reasoning_effort = "low";
  asked.model.parameters = R"({"thinking":{"type":"enabled","budget_tokens":40000},"top_k":3})";
  CHECK(asked.member("thinking") == R"({"type":"enabled","budget_tokens":40000})");
  CHECK(asked.member("max_tokens") == "44096");
  CHECK(asked.member("top_k").empty());
  asked.model.parameters = R"({"output_config":{"effort":"max"}})";
  asked.model.name = "claude-opus-4-8";
  CHECK(asked.member("output_config") == R"({"effort":"max"})");
}

TEST_CASE("nothing thinks where a call is demanded, or a loop began without thoughts",
          "[messages][anthropic]") {
  asking asked;
  asked.model.generation.reasoning_effort = "high";
  asked.tools.tools = {tool("get")};
  asked.parameters = R"({"tool_choice":"required"})";
  CHECK(asked.member("thinking").empty());
  asked.parameters.clear();
  asked.history.push_back(calls("a"));
  asked.history.push_back(result("a"));
  CHECK(asked.member("thinking").empty());
  asked.history.push_back(says(role::user, "And?")); // stands in one message with the result
  CHECK(asked.member("thinking").empty());
  asked.history.insert(asked.history.end() - 1, says(role::assistant, "Done."));
  CHECK_FALSE(asked.member("thinking").empty());
  asked.history.resize(3);
  asked.model.name = "claude-opus-4-8";
  CHECK_FALSE(asked.member("thinking").empty());
}

TEST_CASE("an answer of JSON has its schema in Anthropic's dialect", "[messages][anthropic]") {
  asking asked;
  asked.model.generation.response_schema =
      R"({"type":"object","properties":{"n":{"type":"integer","minimum":1,"description":"Count."},)"
      R"("d":{"oneOf":[{"type":"string","format":"regex"},{"type":"null"}]}},"required":["n"]})";
  CHECK(asked.member("output_config") ==
        R"-({"format":{"type":"json_schema","schema":{"type":"object","properties":{)-"
        R"-("n":{"type":"integer","description":"Count. (minimum: 1)"},"d":{"anyOf":[{)-"
        R"-("type":"string","description":"(format: \"regex\")"},{"type":"null"}]}},)-"
        R"-("required":["n"],"additionalProperties":false}}})-");
  asked.model.generation.response_schema.clear();
  asked.parameters = R"({"response_format":{"type":"json_object"}})";
  CHECK(asked.member("output_config").empty());
}

TEST_CASE("tools are written for Anthropic, with strict ones for models that take them",
          "[messages][anthropic]") {
  asking asked;
  asked.tools.tools = {tool("get", R"({"type":"object","properties":{"a":{"maxLength":3}}})")};
  asked.tools.tools.front().strict = true;
  CHECK(asked.member("tools") ==
        R"-([{"name":"get","description":"Does it.","input_schema":{"type":"object",)-"
        R"-("properties":{"a":{"description":"(maxLength: 3)"}},"additionalProperties":false},)-"
        R"-("strict":true}])-");
  asked.model.name = "claude-opus-4-1";
  CHECK(asked.member("tools") ==
        R"([{"name":"get","description":"Does it.","input_schema":{"type":"object","properties":)"
        R"({"a":{"maxLength":3}}}}])");
}

TEST_CASE("a parameter whose name Anthropic refuses stands in the description",
          "[messages][anthropic]") {
  asking asked;
  asked.tools.tools = {tool("get", R"({"type":"object","properties":{"a":{},"$filter":{)"
                                   R"("type":"string"}},"required":["a","$filter"],)"
                                   R"("additionalProperties":false})")};
  CHECK(asked.member("tools") ==
        R"([{"name":"get","description":"Does it.\n\nIt also takes these parameters, whose names )"
        R"(its schema cannot hold: {\"$filter\":{\"type\":\"string\"}}","input_schema":{)"
        R"("type":"object","properties":{"a":{}},"required":["a"]}}])");
}

TEST_CASE("calls in a history without tools name tools that cannot be called",
          "[messages][anthropic]") {
  asking asked;
  asked.history = {says(role::user, "Go."), calls("a"), result("a")};
  CHECK(asked.member("tools") == R"([{"name":"get","description":"Cannot be called now.",)"
                                 R"("input_schema":{"type":"object","properties":{}}}])");
  CHECK(asked.member("tool_choice") == R"({"type":"none"})");
}

TEST_CASE("results of parallel calls stand together, before what the user says",
          "[messages][anthropic]") {
  asking asked;
  auto both = calls("a", R"({"x":1})");
  both.tool_calls.push_back({"functions.get:1", "get", "{}"});
  auto failed = result("functions.get:1", "No such place.");
  failed.failed = true;
  asked.tools.tools = {tool("get")};
  asked.history = {says(role::user, "Go."), both, result("a"), failed, says(role::user, "So?")};
  CHECK(asked.member("messages") ==
        R"([{"role":"user","content":[{"type":"text","text":"Go."}]},)"
        R"({"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get",)"
        R"("input":{"x":1}},{"type":"tool_use","id":"functionsget1_xil7b47v2k6l0","name":"get",)"
        R"("input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",)"
        R"("content":"ok"},{"type":"tool_result","tool_use_id":"functionsget1_xil7b47v2k6l0",)"
        R"("content":"No such place.","is_error":true},{"type":"text","text":"So?"}]}])");
}

TEST_CASE("images and documents go to Anthropic, from users and in results",
          "[messages][anthropic]") {
  asking asked;
  const message_file png{"image/png", "data:image/png;base64,iVBORw0KGgo=", ""};
  const message_file pdf{"application/pdf", "data:application/pdf;base64,JVBERi0xLjQK", "a.pdf"};
  const message_file remote{"image/png", "https://a.example/b.png", ""};
  const message_file insecure{"image/png", "http://a.example/b.png", ""};
  asked.tools.tools = {tool("get")};
  auto user = says(role::user, "Look.");
  user.files = {png, pdf, remote, insecure};
  for (auto& each : user.files)
    each.text_behind = 0;
  auto shown = result("a", "Here.");
  shown.files = {png};
  asked.history = {user, calls("a"), shown};
  const std::string image = R"({"type":"image","source":{"type":"base64",)"
                            R"("media_type":"image/png","data":"iVBORw0KGgo="}})";
  CHECK(asked.member("messages") ==
        R"([{"role":"user","content":[{"type":"text","text":"Look."},)" + image +
            R"(,{"type":"document","source":{"type":"base64","media_type":"application/pdf",)"
            R"("data":"JVBERi0xLjQK"},"title":"a.pdf"},{"type":"image","source":{"type":"url",)"
            R"("url":"https://a.example/b.png"}},{"type":"text","text":"[image at )"
            R"(http://a.example/b.png; this model takes files from https: only]"}]},)"
            R"({"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get",)"
            R"("input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",)"
            R"("content":[{"type":"text","text":"Here."},)" +
            image + "]}]}]");
  asked.history.back().failed = true; // beside an error only text is taken
  CHECK(asked.member("messages").find(R"("content":"Here.","is_error":true},)" + image + "]}]") !=
        std::string::npos);
}

TEST_CASE("cache marks stand at the end of what stays the same", "[messages][anthropic]") {
  asking asked;
  asked.model.generation.cache = true;
  asked.tools.tools = {tool("get"), tool("list")};
  auto made = asked.body();
  CHECK(count(made, mark) == 2); // the last tool and the last message
  CHECK(made.find(R"("properties":{}},)" + std::string{mark} + "}],") != std::string::npos);
  asked.system = "Be kind.";
  made = asked.body();
  CHECK(count(made, mark) == 2);
  CHECK(made.find(R"("text":"Be kind.",)" + std::string{mark} + "}]") != std::string::npos);
  asked.history.push_back(calls("a"));
  asked.history.push_back(result("a"));
  made = asked.body();
  CHECK(count(made, mark) == 3);
  CHECK(made.find(R"("content":"ok",)" + std::string{mark} + "}]}],") != std::string::npos);
  asked.model.generation.cache = false;
  CHECK(count(asked.body(), mark) == 0);
  asked.model.generation.cache = true;
  asked.parameters = R"({"cache_control":{"type":"ephemeral","ttl":"1h"}})";
  CHECK(count(asked.body(), mark) == 0);
}

TEST_CASE("but for its marks, a longer history begins with the same bytes",
          "[messages][anthropic]") {
  asking asked;
  asked.model.generation.cache = true;
  asked.tools.tools = {tool("get")};
  asked.system = "Be kind.";
  const auto unmarked = [&asked] {
    auto made = asked.body();
    const auto marked = "," + std::string{mark};
    for (auto at = made.find(marked); at != made.npos; at = made.find(marked))
      made.erase(at, marked.size());
    return made.substr(0, made.find(R"(]}],"tools")"));
  };
  auto before = unmarked();
  for (int round = 0; round < 5; ++round) {
    asked.history.push_back(calls("a" + std::to_string(round)));
    asked.history.push_back(result("a" + std::to_string(round)));
    asked.history.push_back(says(role::assistant, "Done."));
    asked.history.push_back(says(role::user, "More."));
    const auto now = unmarked();
    CHECK(now.starts_with(before));
    before = now;
  }
}

TEST_CASE("an answer in which Anthropic paused goes back as the last message",
          "[messages][anthropic]") {
  asking asked;
  auto paused = says(role::assistant, "");
  paused.provider_metadata =
      R"({"anthropic":{"model":"claude-sonnet-4-5","blocks":[{"type":"server_tool_use",)"
      R"("id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}]}})";
  asked.history.push_back(paused);
  CHECK(asked.member("messages")
            .ends_with(
                R"({"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1",)"
                R"("name":"web_search","input":{"query":"x"}}]}])"));
  auto rest = says(role::assistant, "Found.");
  rest.provider_metadata =
      R"({"anthropic":{"model":"claude-sonnet-4-5","blocks":[{"type":"web_search_tool_result",)"
      R"("tool_use_id":"srvtoolu_1","content":[]},{"type":"text","text":"Found."}]}})";
  asked.history.push_back(rest);
  asked.history.push_back(says(role::user, "Thanks."));
  const auto made = asked.member("messages");
  CHECK(count(made, R"("role":"assistant")") == 1);
  CHECK(made.find(R"("input":{"query":"x"}},{"type":"web_search_tool_result")") != made.npos);
  asked.history.erase(asked.history.begin() + 2); // the rest never came
  CHECK(asked.member("messages").find("srvtoolu_1") == std::string::npos);
}

TEST_CASE("what a model of Anthropic cannot do is said of its configuration",
          "[messages][anthropic]") {
  const auto* row = find_provider("anthropic");
  model_config model;
  CHECK(row->check(model).empty());
  model.generation.reasoning_budget = 100;
  CHECK(row->check(model).starts_with("reasoning: a budget of 100 tokens is too small"));
  model.generation.reasoning_budget = 5000;
  CHECK(row->check(model).empty());
  model.generation.max_output_tokens = 4000;
  CHECK(row->check(model).starts_with("reasoning: the budget of 5000 tokens must be less"));
  model.generation = {};
  model.audio = true;
  CHECK(row->check(model).starts_with("audio: "));
}

} // namespace anthropic_request_test
