#include "apps/engine/configuration/object_reader.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>

#include "apps/engine/configuration/key_names.hpp"
#include "apps/engine/configuration/server_entry.hpp"
#include "tests/support/catch.hpp"

namespace variables_test {

using namespace troupe;

namespace {

std::string value_of(const std::string& text) {
  const auto [value, lacking] = expand_variables(text);
  INFO(lacking);
  CHECK(lacking.empty());
  return value;
}

} // namespace

TEST_CASE("a variable has its value, or its default", "[apps][variables]") {
  setenv("TROUPE_TEST_SET", "v", 1);
  setenv("TROUPE_TEST_EMPTY", "", 1);
  unsetenv("TROUPE_TEST_ABSENT");
  CHECK(value_of("a${TROUPE_TEST_SET}b${TROUPE_TEST_SET}") == "avbv");
  CHECK(value_of("${env:TROUPE_TEST_SET}") == "v");
  CHECK(value_of("${TROUPE_TEST_SET:-d}") == "v");
  CHECK(value_of("${TROUPE_TEST_ABSENT:-d:-e}") == "d:-e");
  CHECK(value_of("${env:TROUPE_TEST_ABSENT:-d}") == "d");
  CHECK(value_of("${TROUPE_TEST_EMPTY:-d}") == "d");
  CHECK(value_of("${TROUPE_TEST_EMPTY}").empty());
  CHECK(value_of("${TROUPE_TEST_ABSENT:-}").empty());
  CHECK(value_of("${TROUPE_TEST_ABSENT:-<${TROUPE_TEST_SET}>}!") == "<v>!");
  CHECK(value_of("$TROUPE_TEST_SET ${ $") == "$TROUPE_TEST_SET ${ $");
}

TEST_CASE("editors' variables are the folder and the user's home", "[apps][variables]") {
  const auto here = std::filesystem::current_path();
  CHECK(value_of("${workspaceFolder}${/}x") == here.string() + "/x");
  CHECK(value_of("${workspaceFolderBasename}") == here.filename().string());
  setenv("HOME", "/home/test", 1);
  CHECK(value_of("${userHome}") == "/home/test");
  setenv("userHome", "mine", 1); // the environment comes first
  CHECK(value_of("${userHome}") == "mine");
  unsetenv("userHome");
}

TEST_CASE("a variable without a value is named, and what to do", "[apps][variables]") {
  unsetenv("TROUPE_TEST_ABSENT");
  const auto lacking = [](const std::string& text) { return expand_variables(text).lacking; };
  CHECK(lacking("${TROUPE_TEST_ABSENT}") ==
        "uses ${TROUPE_TEST_ABSENT}, which is not set in the environment");
  CHECK(lacking("${A_${B}}").find("uses ${A_${B}}") == 0);
  CHECK(lacking("${input:api-key}").find("an editor would ask") != std::string::npos);
  CHECK(lacking("${TROUPE_TEST_ABSENT:-${TROUPE_TEST_ABSENT}}").find("uses") == 0);
  std::string deep;
  for (int i = 0; i < 10'000; ++i)
    deep += "${TROUPE_TEST_ABSENT:-";
  CHECK_FALSE(expand_variables(deep + std::string(10'000, '}')).text.empty());
}

TEST_CASE("a file of variables is read line by line", "[apps][env_file]") {
  std::map<std::string, std::string> out;
  REQUIRE(parse_env_file(
              "\xEF\xBB\xBF# comment\n\nA=1\r\nexport B = two words  # why\nC=\"x\\n\\\"y\\\"\" "
              "# c\nD='a # b\\n'\nE=\nF=a=b#c\nG= # none\nH=#h",
              out)
              .empty());
  CHECK(out == std::map<std::string, std::string>{{"A", "1"},
                                                  {"B", "two words"},
                                                  {"C", "x\n\"y\""},
                                                  {"D", "a # b\\n"},
                                                  {"E", ""},
                                                  {"F", "a=b#c"},
                                                  {"G", ""},
                                                  {"H", "#h"}});
  for (const std::string bad : {"A=1\nsecret", "=secret", "a b=secret", "A=1\nB=\"secret"}) {
    INFO(bad);
    const auto fault = parse_env_file(bad, out);
    CHECK(fault.find("has no NAME=VALUE in line ") == 0);
    CHECK(fault.find("secret") == std::string::npos);
  }
  CHECK(parse_env_file(std::string("A=\0", 3), out) == "holds a NUL character");
  CHECK(read_env_file("/nonexistent/.env", out) == "names a file that is not there");
  CHECK(read_env_file("/", out) == "names what is no file");
}

TEST_CASE("only a near key is suggested", "[apps][key_names]") {
  const std::vector<std::string> known{"args", "command",     "headers",
                                       "type", "elicitation", "base_url"};
  CHECK(nearest_key("arg", known) == "args");
  CHECK(nearest_key("comand", known) == "command");
  CHECK(nearest_key("baseUrl", known) == "base_url");
  CHECK(nearest_key("Headers", known) == "headers");
  for (const auto* far : {"description", "serverUrl", "httpUrl", "x", "", "autoApprove"}) {
    INFO(far);
    CHECK(nearest_key(far, known).empty());
  }
}

} // namespace variables_test
