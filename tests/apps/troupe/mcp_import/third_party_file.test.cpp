#include "apps/troupe/mcp_import/third_party_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "apps/engine/config.hpp"
#include "apps/troupe/mcp_import/yaml_tree.hpp"
#include "messages/json.hpp"
#include "tests/support/catch.hpp"

namespace third_party_file_test {

using namespace troupe;

namespace {

imported_file import_text(const std::string& text, const std::string& path = "") {
  imported_file out;
  const auto bad = read_third_party_file(text, out, path);
  INFO(bad.message);
  CHECK_FALSE(bad);
  return out;
}

imported_file import(const std::string& name) {
  const auto path = std::string{TROUPE_TEST_FOLDER} + "/apps/troupe/fixtures/import/" + name;
  std::ifstream file{path};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  INFO(path);
  REQUIRE_FALSE(text.empty());
  return import_text(text);
}

std::map<std::string, std::string> entries(const imported_file& file) {
  std::map<std::string, std::string> out;
  for (const auto& each : file.servers)
    out[each.name] = each.entry;
  return out;
}

bool has_note(const imported_file& file, const std::string& server, const std::string& text) {
  for (const auto& each : file.servers)
    if (each.name == server)
      return std::any_of(each.notes.begin(), each.notes.end(),
                         [&](const auto& note) { return note.find(text) != std::string::npos; });
  return false;
}

std::string refusal(const std::string& text) {
  imported_file out;
  return read_third_party_file(text, out).message;
}

std::string yaml(const std::string& text) {
  json_node node;
  if (auto fault = read_yaml_tree(text, node); !fault.empty())
    return fault;
  json_buffer out;
  append_json(out, node);
  return std::string{view(out)};
}

using text_map = std::map<std::string, std::string>;

/// Reads a file in which each server has one of the timeouts; returns their requestTimeoutMs.
std::vector<std::string> timeouts(const std::string& path, const std::vector<std::string>& given) {
  std::string text;
  for (size_t i = 0; i < given.size(); ++i)
    text += (i == 0 ? "" : ",") + to_json("s" + std::to_string(i)) +
            R"(:{"command":"x","timeout":)" + given[i] + '}';
  std::vector<std::string> out;
  for (const auto& each : import_text("{\"mcpServers\":{" + text + "}}", path).servers) {
    const std::string key = R"("requestTimeoutMs":)";
    const auto at = each.entry.find(key);
    const auto begin = at == std::string::npos ? each.entry.size() : at + key.size();
    out.push_back(each.entry.substr(begin, each.entry.find_first_of(",}", begin) - begin));
  }
  return out;
}

} // namespace

TEST_CASE("a file of Claude Desktop is read", "[apps][mcp_import]") {
  const auto file = import("claude_desktop.json");
  CHECK(
      entries(file) ==
      text_map{{"demo", R"({"command":"troupe-demo-mcp","args":[],"env":{"LOG_LEVEL":"info"}})"},
               {"notes", R"({"command":"npx","args":["-y","notes-server","--folder","/srv/notes"],)"
                         R"("enabled":false})"}});
  CHECK(has_note(file, "notes", "arguments in command stand in args"));
}

TEST_CASE("Claude Code's servers of all folders are read", "[apps][mcp_import]") {
  const auto file = import("claude_code.json");
  const auto read = entries(file);
  CHECK(read.size() == 3);
  CHECK(read.at("tickets").find(R"("url":"${TICKETS_URL:-https://tickets.example.com}/mcp")") !=
        std::string::npos);
  CHECK(has_note(file, "shop", "in /home/ann/shop only"));
  CHECK(import_text(R"({"projects":{"/x":{"mcpServers":{"a":{"command":"x"}}}}})").form ==
        "Claude Code");
}

TEST_CASE("VS Code's questions become variables of the environment", "[apps][mcp_import]") {
  const auto file = import("vscode.json");
  CHECK(file.form == "VS Code");
  const auto read = entries(file);
  CHECK(read.at("tracker") ==
        R"({"type":"http","url":"https://tracker.example.com/${REGION:-eu}/mcp",)"
        R"("headers":{"Authorization":"Bearer ${TRACKER_KEY}"}})");
  CHECK(read.at("mine") == R"({"command":"node","args":["${workspaceFolder}/build/server.js"],)"
                           R"("envFile":"${workspaceFolder}/.env"})");
  CHECK(has_note(file, "tracker", "set TRACKER_KEY in the environment"));
  CHECK(has_note(file, "mine", "dev is left out"));
  CHECK(import_text(R"({"mcp":{"servers":{"a":{"command":"x"}}}})").servers.size() == 1);
}

TEST_CASE("files of Cursor, Windsurf, Cline and Roo are read", "[apps][mcp_import]") {
  CHECK(entries(import("cursor.json")).size() == 3);
  const auto windsurf = import("windsurf.json");
  CHECK(entries(windsurf).at("design") ==
        R"({"url":"https://design.example.com/mcp","headers":{"X-Key":"${DESIGN_KEY:-none}"}})");
  CHECK(has_note(windsurf, "design", "serverUrl is url here"));
  CHECK(entries(windsurf).at("demo").find(R"("excludeTools":["get-env"])") != std::string::npos);
  const auto cline = import("cline.json");
  CHECK(entries(cline).at("demo") ==
        R"({"command":"troupe-demo-mcp","requestTimeoutMs":60000,"autoApprove":["echo"]})");
  CHECK(entries(cline).at("roo") ==
        R"({"type":"http","url":"https://roo.example.com/mcp","requestTimeoutMs":300000,)"
        R"("excludeTools":["drop"],"autoApprove":["find"]})");
}

TEST_CASE("what an import changes is said of each server", "[apps][mcp_import]") {
  const auto gemini = import("gemini.json");
  CHECK(has_note(gemini, "demo", R"(trust is "autoApprove": ["*"] here)"));
  CHECK(has_note(gemini, "demo", "timeout is requestTimeoutMs here"));
  CHECK(has_note(import("cline.json"), "roo", "type streamable-http is http here"));
  CHECK(has_note(import("claude_desktop.json"), "notes", R"(disabled is "enabled": false here)"));
  CHECK(has_note(import("opencode.jsonc"), "demo", "the list in command"));
  CHECK(has_note(import("zed.json"), "older", "the members of command"));
}

TEST_CASE("a timeout above the usual total is one of the total, too", "[apps][mcp_import]") {
  const auto file = import_text(R"({"mcpServers":{"a":{"command":"x","timeout":900},)"
                                R"("b":{"command":"x","timeout":600}}})");
  CHECK(entries(file) ==
        text_map{{"a", R"({"command":"x","requestTimeoutMs":900000,"totalTimeoutMs":900000})"},
                 {"b", R"({"command":"x","requestTimeoutMs":600000})"}});
}

TEST_CASE("a timeout is read in the unit of its program", "[apps][mcp_import]") {
  using texts = std::vector<std::string>;
  const texts given{"1", "60", "1800", "3600", "0.5"};
  const texts seconds{"1000", "60000", "1800000", "3600000", "500"};
  CHECK(timeouts("/home/ann/x/cline_mcp_settings.json", given) == seconds);
  CHECK(timeouts(".roo/mcp.json", given) == seconds);
  CHECK(timeouts("", given) == seconds);
  CHECK(timeouts(".mcp.json", {"900", "1800", "60000"}) == texts{"900", "1800", "60000"});
  CHECK(timeouts(".gemini/settings.json", {"1800"}) == texts{"1800"});
  CHECK(timeouts("", {"3601", "60000"}) == texts{"3601", "60000"});
  CHECK(timeouts("cline_mcp_settings.json", {"60000"}) == texts{"60000"}); // not 16 hours
  CHECK(timeouts("", {"null", "\"60\"", "-1"}) == texts{"", "", ""});
}

TEST_CASE("a timeout whose unit is not known has a note of how it was read", "[apps][mcp_import]") {
  const auto text = R"({"mcpServers":{"a":{"command":"x","timeout":1800},)"
                    R"("b":{"command":"x","timeout":5000}}})";
  const auto unknown = import_text(text);
  CHECK(has_note(unknown, "a", "timeout 1800 is taken for seconds; requestTimeoutMs says"));
  CHECK(has_note(unknown, "b", "timeout 5000 is taken for milliseconds; requestTimeoutMs says"));
  const auto cline = import_text(text, "cline_mcp_settings.json");
  CHECK(cline.form == "Cline");
  CHECK(has_note(cline, "a", "timeout 1800 is taken for seconds"));
  CHECK_FALSE(has_note(cline, "a", "requestTimeoutMs says"));
  CHECK(has_note(cline, "b", "requestTimeoutMs says")); // above an hour
}

TEST_CASE("timeouts of Zed, Claude Code and OpenCode have the units of these",
          "[apps][mcp_import]") {
  CHECK(entries(import_text(R"({"context_servers":{"a":{"command":"x","timeout":1800},)"
                            R"("b":{"command":{"path":"x","timeout":90}}}})")) ==
        text_map{{"a", R"({"command":"x","requestTimeoutMs":1800000,"totalTimeoutMs":1800000})"},
                 {"b", R"({"command":"x","requestTimeoutMs":90000})"}});
  CHECK(entries(
            import_text(R"({"projects":{},"mcpServers":{"a":{"command":"x","timeout":2000}}})")) ==
        text_map{{"a", R"({"command":"x","requestTimeoutMs":2000})"}});
  const auto opencode = import_text(
      R"({"mcp":{"timeout":1,"servers":{"a":{"type":"local","command":["x"],"disabled":true,)"
      R"("timeout":{"startup":3000,"request":2000}},"b":{"type":"remote","url":"http://h/mcp",)"
      R"("timeout":{"startup":null,"request":3600}}}}})");
  CHECK(opencode.form == "OpenCode");
  CHECK(entries(opencode) ==
        text_map{{"a", R"({"command":"x","args":[],"enabled":false,"connectTimeoutMs":3000,)"
                       R"("requestTimeoutMs":2000})"},
                 {"b", R"({"url":"http://h/mcp","requestTimeoutMs":3600})"}});
}

TEST_CASE("a member that is null hides none that has a value", "[apps][mcp_import]") {
  const auto file = import_text(
      R"({"mcpServers":{"a":{"serverUrl":"http://h/mcp","url":null,"httpUrl":null,"command":null},)"
      R"("b":{"command":"x","args":null,"cwd":null,"timeout":null,"disabled":null,"enabled":null,)"
      R"("tools":null,"excludeTools":["y"],"env":{"A":"1","B":null}},)"
      R"("c":{"transport":{"type":"sse","url":"http://h/sse","headers":null},"headers":{"X":null}}}})");
  CHECK(entries(file) == text_map{{"a", R"({"url":"http://h/mcp"})"},
                                  {"b", R"({"command":"x","env":{"A":"1"},"excludeTools":["y"]})"},
                                  {"c", R"({"type":"sse","url":"http://h/sse","headers":{}})"}});
  CHECK(has_note(file, "b", "env.B is left out: it is null"));
  CHECK(import_text(R"({"mcpServers":null,"servers":{"a":{"command":"x"}}})").form == "VS Code");
  CHECK(refusal("mcpServers:\nversion: 1\n").find("it has no MCP servers") == 0);
}

TEST_CASE("a server that its entry shuts out stays out", "[apps][mcp_import]") {
  for (const auto* each :
       {R"("disabled":true)", R"("isActive":false)", R"("enabled":false)", R"("isDisabled":true)",
        R"("excluded":true)", R"("enabled":true,"isActive":false)",
        R"("enabled":true,"disabled":true)", R"("disabled":"yes")", R"("enabled":0)",
        R"("disabled":false,"enabled":false)"}) {
    INFO(each);
    const auto text = std::string{R"({"mcpServers":{"a":{"command":"x",)"} + each + "}}}";
    CHECK(entries(import_text(text)).at("a") == R"({"command":"x","enabled":false})");
  }
  for (const auto* each : {R"("disabled":false)", R"("isActive":true)", R"("enabled":true)"}) {
    INFO(each);
    const auto text = std::string{R"({"mcpServers":{"a":{"command":"x",)"} + each + "}}}";
    CHECK(entries(import_text(text)).at("a") == R"({"command":"x"})");
  }
}

TEST_CASE("a server that a list of its program shuts out stays out, with a note",
          "[apps][mcp_import]") {
  struct list {
    std::string text;
    std::string name;
  };
  const std::string servers = R"("mcpServers":{"a":{"command":"x"},"b":{"command":"x"}})";
  for (const auto& each : std::vector<list>{
           {R"("mcp":{"excluded":["a"]},)", "mcp.excluded"},
           {R"("mcp":{"allowed":["b"],"excluded":[]},)", "mcp.allowed"},
           {R"("excludeMCPServers":["a","z"],)", "excludeMCPServers"},
           {R"("allowMCPServers":["b"],)", "allowMCPServers"},
           {R"("disabledMcpServers":["a"],)", "disabledMcpServers"},
           {R"("disabledMcpjsonServers":["a"],)", "disabledMcpjsonServers"},
           {R"("deniedMcpServers":[{"serverName":"a"},{"serverUrl":"b"}],)", "deniedMcpServers"},
           {R"("allowedMcpServers":[{"serverName":"b"}],)", "allowedMcpServers"}}) {
    INFO(each.text);
    const auto file = import_text('{' + each.text + servers + '}');
    CHECK(entries(file) ==
          text_map{{"a", R"({"command":"x","enabled":false})"}, {"b", R"({"command":"x"})"}});
    CHECK(has_note(file, "a", each.name + R"( shuts it out: it is "enabled": false here)"));
    CHECK(file.servers.at(1).notes.empty());
  }
  CHECK(entries(import_text(R"({"mcp":{"allowed":[]},)" + servers + '}')).at("b") ==
        R"({"command":"x","enabled":false})");
  CHECK(
      entries(import_text(R"({"mcp":{"allowed":null,"excluded":null},)" + servers + '}')).at("b") ==
      R"({"command":"x"})");
}

TEST_CASE("OpenCode's patterns of tools shut out the servers that have no other tool",
          "[apps][mcp_import]") {
  const auto enabled = [](const std::string& patterns, const std::string& server) {
    const auto file = import_text('{' + patterns + R"(,"mcp":{)" + to_json(server) +
                                  R"(:{"type":"local","command":["x"]}}})");
    return entries(file).at(server).find("\"enabled\":false") == std::string::npos;
  };
  CHECK_FALSE(enabled(R"("tools":{"web*":false})", "web"));
  CHECK_FALSE(enabled(R"("tools":{"web_*":false})", "web"));
  CHECK_FALSE(enabled(R"("tools":{"my_web_*":false})", "my web"));
  CHECK_FALSE(enabled(R"("tools":{"*":false})", "web"));
  CHECK_FALSE(enabled(R"("permission":{"web_*":"deny"})", "web"));
  CHECK(enabled(R"("tools":{"*":false,"web_*":true})", "web"));
  CHECK(enabled(R"("tools":{"web_drop":false,"webs_*":false,"write":false})", "web"));
  CHECK(enabled(R"("permission":{"web_*":"ask","edit":"deny"})", "web"));
}

TEST_CASE("what Claude Code shuts out in a folder stays out for that folder's servers",
          "[apps][mcp_import]") {
  const auto file = import_text(
      R"({"mcpServers":{"a":{"command":"x"}},"projects":{"/p":{"disabledMcpServers":["a","b"],)"
      R"("mcpServers":{"b":{"command":"y"},"c":{"command":"z"}}}}})");
  CHECK(entries(file) == text_map{{"a", R"({"command":"x"})"},
                                  {"b", R"({"command":"y","enabled":false})"},
                                  {"c", R"({"command":"z"})"}});
}

TEST_CASE("a file of Gemini is read", "[apps][mcp_import]") {
  const auto file = import("gemini.json");
  CHECK(file.form == "Gemini");
  CHECK(entries(file).at("demo") ==
        R"({"command":"troupe-demo-mcp","env":{"DEMO_KEY":"${DEMO_KEY}"},"cwd":".",)"
        R"("requestTimeoutMs":15000,"includeTools":["echo","get-sum"],"autoApprove":["*"]})");
  CHECK(entries(file).at("stream").find(R"("type":"http","url":"https://stream)") == 1);
  CHECK(has_note(file, "stream", "mcp.allowed shuts it out"));
}

TEST_CASE("LibreChat's YAML is read", "[apps][mcp_import]") {
  const auto file = import("librechat.yaml");
  CHECK(file.form == "LibreChat");
  CHECK(
      entries(file).at("demo") ==
      R"({"command":"troupe-demo-mcp","args":["--log","/dev/null"],"env":{"PORT":3000},"connectTimeoutMs":20000,)"
      R"("requestTimeoutMs":60000})");
  CHECK(entries(file).at("search") ==
        R"({"type":"http","url":"https://search.example.com/mcp","headers":)"
        R"({"X-User":"{{LIBRECHAT_USER_ID}}","X-Key":"${SEARCH_KEY}","X-Team":"tools"}})");
  CHECK(entries(file).at("mail").find("Bearer ${MAIL_TOKEN}") != std::string::npos);
  CHECK(has_note(file, "mail", "set MAIL_TOKEN in the environment"));
  CHECK(has_note(file, "search", "filled in by the other program"));
}

TEST_CASE("files of Zed, Continue and OpenCode are read", "[apps][mcp_import]") {
  const auto zed = import("zed.json");
  CHECK(zed.form == "Zed");
  CHECK(entries(zed).at("older") == R"({"command":"older-server","args":["--stdio"]})");
  CHECK(zed.left_out ==
        std::vector<std::string>{"mcp-server-github: it has neither a command nor a url"});
  const auto blocks = import("continue.yaml");
  CHECK(blocks.form == "Continue");
  CHECK(entries(blocks).at("demo") ==
        R"({"command":"troupe-demo-mcp","args":[],"env":{"DEMO_KEY":"${DEMO_KEY}"},)"
        R"("connectTimeoutMs":30000})");
  CHECK(entries(blocks).at("Docs search").find("Bearer ${DOCS_TOKEN}") != std::string::npos);
  CHECK(has_note(blocks, "Docs search", "requestOptions.verifySsl is left out"));
  CHECK(
      entries(import("continue_old.json")) ==
      text_map{{"server-1", R"({"type":"stdio","command":"troupe-demo-mcp","args":["--quiet"]})"}});
  const auto opencode = import("opencode.jsonc");
  CHECK(opencode.form == "OpenCode");
  CHECK(entries(opencode).at("demo") ==
        R"({"command":"troupe-demo-mcp","args":[],"env":{"DEMO_KEY":"${DEMO_KEY}"},)"
        R"("requestTimeoutMs":7000})");
  CHECK(entries(opencode).at("web").find(R"("enabled":false)") != std::string::npos);
  CHECK(opencode.left_out.size() == 1);
}

TEST_CASE("everything that is made of a file is a configuration", "[apps][mcp_import]") {
  for (const auto* name : {"claude_desktop.json", "claude_code.json", "cursor.json", "vscode.json",
                           "windsurf.json", "gemini.json", "librechat.yaml", "zed.json",
                           "continue.yaml", "continue_old.json", "opencode.jsonc", "cline.json"})
    for (const auto& each : import(name).servers) {
      INFO(name << ' ' << each.name << ' ' << each.entry);
      engine_config config;
      CHECK(parse_config("{\"mcpServers\":{" + to_json(each.name) + ':' + each.entry + "}}", config)
                .message == "");
      CHECK(config.mcp_servers.size() == 1);
      for (const auto& note : each.notes)
        CHECK_FALSE(note.starts_with(' ')); // without a key
    }
}

TEST_CASE("what is no such file is refused with the place or what was looked for",
          "[apps][mcp_import]") {
  CHECK(refusal("{\n \"a\" 1}") == "it is not valid JSON: line 2, column 6: ':' is expected");
  CHECK(refusal("{}").find("it has no MCP servers; they are looked for in mcpServers") == 0);
  CHECK(refusal("a:\n  - b\n c: 1\n").find("it is neither JSON nor YAML: line ") == 0);
  CHECK(refusal("[mcp_servers.a]\ncommand = \"x\"\n").find("it is TOML") == 0);
  CHECK(refusal("just words").find("it is neither JSON nor YAML") == 0);
  CHECK(refusal("").find("it is not valid JSON") == 0);
  CHECK(refusal(R"({"mcpServers":1})").find("neither an object nor an array") != std::string::npos);
  CHECK(import_text(R"({"mcpServers":{"a":1}})").left_out ==
        std::vector<std::string>{"a: it is no object"});
}

TEST_CASE("YAML becomes the JSON that it means", "[apps][yaml_tree]") {
  CHECK(yaml("a: 1\nb: [true, ~, 'x', \"1\", 1.5e3, yes, 010, .5]\nc:\n") ==
        R"({"a":1,"b":[true,null,"x","1",1.5e3,"yes","010",".5"],"c":null})");
  CHECK(yaml("a: &x {k: 1, l: 2}\nb: {<<: *x, k: 3}\n") ==
        R"({"a":{"k":1,"l":2},"b":{"k":3,"l":2}})");
  CHECK(yaml("a: &x {k: 1, l: 2}\nb: {<<: [*x, {l: 4, m: 5}], k: 3, k: 6}\n") ==
        R"({"a":{"k":1,"l":2},"b":{"k":6,"l":2,"m":5}})");
  CHECK(yaml("a: |\n  two\n  lines\n") == R"({"a":"two\nlines\n"})");
  CHECK(yaml("? [a]\n: 1\n").find("the text is nested too deep") == 0);
  CHECK(yaml("a: [").find("line ") == 0);
  CHECK(yaml("") == "the text is empty");
  CHECK(yaml("a: &x [*x]").find("nested too deep") != std::string::npos); // in itself
}

TEST_CASE("YAML that grows by its aliases is refused in time", "[apps][yaml_tree]") {
  std::string text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 12; ++i) {
    const auto before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int n = 0; n < 10; ++n)
      text += (n > 0 ? "," : "") + before;
    text += "]\n";
  }
  CHECK(yaml(text).find("too large") != std::string::npos);
}

} // namespace third_party_file_test
