#include "messages/wire/clients/chat_request.hpp"

#include "tests/support/catch.hpp"

namespace chat_request_native_test {

using namespace troupe;

namespace {

turn_request native(std::string_view body) {
  turn_request read;
  read.session_id = "from the path";
  auto bad = parse_native_request(body, read);
  INFO(bad.message);
  REQUIRE_FALSE(bad);
  CHECK(read.session_id == "from the path");
  return read;
}

std::string refusal(std::string_view body) {
  turn_request read;
  auto bad = parse_native_request(body, read);
  CHECK(bad.code == errc::request_invalid);
  CHECK(read.messages.empty());
  return bad.message;
}

std::string bad_message(const std::string& message) {
  return refusal(R"({"messages":[)" + message + "]}");
}

} // namespace

TEST_CASE("a text is a user's message", "[messages][chat_request]") {
  auto read = native(R"({"message":"hi","model":"m","maxToolRoundtrips":2,"mcpServers":["a"]})");
  REQUIRE(read.messages.size() == 1);
  CHECK(read.messages[0].who == role::user);
  CHECK(read.messages[0].text == "hi");
  CHECK_FALSE(read.replaces_history);
  CHECK(read.options.model == "m");
  CHECK(read.options.max_tool_roundtrips == 2);
  CHECK(read.options.mcp_servers == std::vector<std::string>{"a"});
}

TEST_CASE("a native client says that it answers what servers ask", "[messages][chat_request]") {
  CHECK(native(R"({"message":"x","clientRequests":true})").options.client_requests);
  CHECK_FALSE(native(R"({"message":"x","clientRequests":false})").options.client_requests);
  CHECK_FALSE(native(R"({"message":"x"})").options.client_requests);
  CHECK(refusal(R"({"message":"x","clientRequests":"yes"})") ==
        "clientRequests must be true or false");
}

TEST_CASE("messages of all roles are read", "[messages][chat_request]") {
  auto read = native(R"({"replaceHistory":true,"messages":[
    {"role":"system","content":"s"},{"role":"user","content":"u"},
    {"role":"assistant","content":null,"reasoning":"r","tool_calls":[
      {"id":"c1","name":"a","arguments":{"x": 1}},
      {"id":"c2","type":"function","function":{"name":"b","arguments":"{\"y\": 2}"}}]},
    {"role":"tool","tool_call_id":"c1","content":"1"}]})");
  CHECK(read.replaces_history);
  REQUIRE(read.messages.size() == 4);
  CHECK(read.messages[0].who == role::system);
  CHECK(read.messages[2].reasoning == "r");
  REQUIRE(read.messages[2].tool_calls.size() == 2);
  CHECK(read.messages[2].tool_calls[0].arguments == R"({"x": 1})");
  CHECK(read.messages[2].tool_calls[1].name == "b");
  CHECK(read.messages[2].tool_calls[1].arguments == R"({"y": 2})");
  CHECK(read.messages[3].who == role::tool);
  CHECK(read.messages[3].tool_call_id == "c1");
}

TEST_CASE("unknown keys of the native form are errors", "[messages][chat_request]") {
  CHECK(refusal(R"({"message":"x","mesage":1})") == "the body has the unknown key \"mesage\"");
  CHECK(bad_message(R"({"role":"user","content":"x","name":"y"})") ==
        "messages[0] has the unknown key \"name\"");
  CHECK(bad_message(R"({"role":"assistant","tool_calls":[{"id":"c","tool":"y"}]})") ==
        "messages[0].tool_calls[0] has the unknown key \"tool\"");
}

TEST_CASE("the native form takes one way to give messages", "[messages][chat_request]") {
  CHECK(refusal("{}") == "the body must have either message or messages");
  CHECK(refusal(R"({"message":"x","messages":[]})") ==
        "the body must have either message or messages");
  CHECK(refusal(R"({"message":""})") == "message must be a string that is not empty");
  CHECK(refusal(R"({"message":{"role":"user"}})") == "message must be a string that is not empty");
  CHECK(refusal(R"({"messages":[]})") == "messages must not be empty");
  CHECK(refusal(R"({"messages":{}})") == "messages must be an array");
  CHECK(refusal(R"({"message":"x","replaceHistory":1})") == "replaceHistory must be true or false");
}

TEST_CASE("a user's native message may have parts", "[messages][chat_request]") {
  CHECK(bad_message(R"({"role":"assistant","content":[{"type":"text","text":"x"}]})") ==
        "messages[0].content must be a string, or a user's an array of parts");
  CHECK(bad_message(R"({"role":"user","content":[{"type":"text","text":"x"},{"type":"video"}]})") ==
        "messages[0].content[1] must be a text, or in a message of a user or a tool an image_url, "
        "a file "
        "or an input_audio");
  auto read = native(R"({"messages":[{"role":"user","content":[{"type":"text","text":"see"},
      {"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},
      {"type":"file","file":{"file_data":"data:application/pdf;base64,JVBERi0="}}]}]})");
  REQUIRE(read.messages.size() == 1);
  CHECK(read.messages[0].text == "see");
  REQUIRE(read.messages[0].files.size() == 2);
  CHECK(read.messages[0].files[1].media_type == "application/pdf");
}

TEST_CASE("a bad native message is named", "[messages][chat_request]") {
  CHECK(bad_message("1") == "messages[0] must be an object");
  CHECK(bad_message(R"({"role":"user","content":"x"},{"role":"bot","content":"x"})") ==
        "messages[1].role must be \"system\", \"user\", \"assistant\" or \"tool\"");
  CHECK(bad_message(R"({"role":"user"})") ==
        "messages[0].content must be a string, or a user's an array of parts");
  CHECK(bad_message(R"({"role":"assistant","content":null})") ==
        "messages[0].content must be a string, or a user's an array of parts");
  CHECK(bad_message(R"({"role":"user","content":"x","reasoning":1})") ==
        "messages[0].reasoning must be a string");
  CHECK(bad_message(R"({"role":"tool","content":"x"})") ==
        "messages[0].tool_call_id must be a string of 1 to 16384 bytes");
  CHECK(bad_message(R"({"role":"user","content":"x","tool_call_id":"c"})") ==
        "messages[0].tool_call_id is for tools");
  CHECK(
      bad_message(
          R"({"role":"user","content":"x","tool_calls":[{"id":"c","name":"n","arguments":{}}]})") ==
      "messages[0].tool_calls is for assistants");
  auto bad_call = [](const std::string& call) {
    return bad_message(R"({"role":"assistant","tool_calls":[)" + call + "]}");
  };
  CHECK(bad_call("1") == "messages[0].tool_calls[0] must be an object");
  CHECK(bad_call(R"({"name":"n","arguments":{}})") ==
        "messages[0].tool_calls[0].id must be a string of 1 to 16384 bytes");
  CHECK(bad_call(R"({"id":"c","arguments":{}})") ==
        "messages[0].tool_calls[0] must have a name of 1 to 256 bytes");
  for (auto arguments : {"", R"(,"arguments":"[]")", R"(,"arguments":"{")", R"(,"arguments":7)"})
    CHECK(bad_call(R"({"id":"c","name":"n")" + std::string{arguments} + "}") ==
          "messages[0].tool_calls[0] must have arguments that are a JSON object");
}

TEST_CASE("a native body that breaks off anywhere is refused", "[messages][chat_request]") {
  const std::string whole =
      R"({"messages":[{"role":"assistant","content":"\u00e9","tool_calls":[{"id":"c","name":"n",)"
      R"("arguments":"{\"a\":1}"}]},{"role":"tool","tool_call_id":"c","content":"x"}],)"
      R"("model":"m"})";
  native(whole);
  for (size_t cut = 0; cut < whole.size(); ++cut)
    CHECK(refusal(std::string{whole.data(), cut}).find("not valid JSON") != std::string::npos);
}

} // namespace chat_request_native_test
