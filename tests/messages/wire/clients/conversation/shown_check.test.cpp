// What an import shows is what a client may send back.
#include <random>

#include "messages/json.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/clients/conversation/ui_conversation.hpp"
#include "messages/wire/clients/ui/ui_messages.hpp"
#include "messages/wire/json/json_source.hpp"
#include "tests/support/catch.hpp"

namespace shown_check_test {

using namespace troupe;

namespace {

conversation with(role who, std::vector<shown_part> shown) {
  conversation out;
  out.info.id = "c";
  auto& message = out.messages.emplace_back().message;
  message.who = who;
  message.text = "some text";
  message.id = "m";
  message.shown = std::move(shown);
  return out;
}

/// Returns why an import is refused; "" if it is taken.
std::string fault_of(const conversation& what) {
  conversation read;
  return import_conversation(export_json(what), read).message;
}

/// Returns why a page could not send the conversation back; "" if it can.
std::string sent_back(const conversation& what) {
  const json_source page{ui_conversation_json(what)};
  if (!page.fault().empty())
    return page.fault();
  std::string_view messages;
  read_members(page.root(), {{"messages", &messages}});
  ui_history read;
  return read_ui_messages(messages, read).message;
}

shown_part part(std::string json) {
  return make_shown("part", std::move(json));
}

/// A call with its result, which is shown with `entry`.
conversation with_call(shown_part entry) {
  auto out = with(role::assistant, {});
  out.messages[0].message.tool_calls.push_back({"1", "tool", "{}"});
  auto& result = out.messages.emplace_back().message;
  result.who = role::tool;
  result.id = "m";
  result.tool_call_id = "1";
  result.text = "done";
  result.shown = {std::move(entry)};
  return out;
}

} // namespace

TEST_CASE("a part that a client could not send back is not imported", "[messages][shown_check]") {
  struct row {
    const char* json;
    const char* fault;
  };
  const auto who = GENERATE(role::assistant, role::user);
  for (const auto& each : {
           row{R"({"type":"text"})", "text must be a string"},
           {R"({"type":"text","text":7})", "text must be a string"},
           {R"({"type":"reasoning"})", "text must be a string"},
           {R"({"type":"file","url":"data:,a"})", "mediaType must be a string that is not empty"},
           {R"({"type":"file","mediaType":"a/b","url":"file:///a"})",
            "url must be a data:, http: or https: URL, or that of an uploaded file"},
           {R"({"type":"file","mediaType":"a/b","url":"http://h","filename":[]})",
            "filename must be a string"},
       }) {
    INFO(each.json);
    CHECK(fault_of(with(who, {part(each.json)})) ==
          std::string{"messages[0].message.shown makes a part that no client could send back: "} +
              each.fault);
  }
}

TEST_CASE("a part of a tool that a client could not send back is not imported",
          "[messages][shown_check]") {
  for (const char* json : {
           R"({"type":"dynamic-tool"})",
           R"({"type":"tool-x","toolCallId":""})",
           R"({"type":"tool-x","toolCallId":"1","state":"new"})",
           R"({"type":"tool-x","toolCallId":"1","state":"output-error"})",
           R"({"type":"dynamic-tool","toolCallId":"1","state":"input-available"})",
           R"({"type":"tool-x","toolCallId":"1","state":"approval-responded","approval":{}})",
           R"({"type":"tool-x","toolCallId":"1","state":"input-available",)"
           R"("callProviderMetadata":[]})",
       }) {
    INFO(json);
    CHECK(fault_of(with(role::assistant, {part(json)})).find("no client could send back") !=
          std::string::npos);
  }
}

TEST_CASE("members that spoil a part are not imported", "[messages][shown_check]") {
  const std::vector<conversation> all{
      with(role::assistant, {{"text", 0, 4, R"({"text":null})"}}),
      with(role::user, {{"text", 0, 4, R"({"type":"file"})"}}),
      with(role::assistant, {{"text", 0, 4, R"({"type":7})"}}),
      with(role::assistant, {{"reasoning", 0, 0, R"({"text":[]})"}}),
      with(role::assistant, {{"step", 0, 0, ""}, part(R"({"type":"text"})")}),
      with(role::assistant, {make_shown("user", "u"), part(R"({"type":"text"})")}),
      with_call(make_shown("more", R"({"state":"none"})")),
      with_call(make_shown("more", R"({"toolCallId":null})")),
      with_call(make_shown("name", "")),
      with_call(make_shown("name", std::string(257, 'n')))};
  for (const auto& each : all) {
    INFO(export_json(each));
    CHECK(fault_of(each).find("no client could send back") != std::string::npos);
    CHECK_FALSE(sent_back(each).empty());
  }
}

TEST_CASE("the place of a part that is refused is its message", "[messages][shown_check]") {
  auto made = with(role::user, {});
  auto more = with(role::assistant, {part(R"({"type":"text"})")});
  made.messages.push_back(more.messages[0]);
  CHECK(fault_of(made).starts_with("messages[1].message.shown makes a part"));
}

TEST_CASE("ids of messages with nothing for a model are as short as others",
          "[messages][shown_check]") {
  for (const char* type : {"user", "assistant", "system"}) {
    CHECK(fault_of(with(role::assistant, {make_shown(type, std::string(256, 'i'))})).empty());
    CHECK(fault_of(with(role::assistant, {make_shown(type, std::string(257, 'i'))})) ==
          "messages[0].message.shown[0].value must be a string of 1 to 256 bytes");
  }
}

TEST_CASE("what is shown of a kept answer is imported again, however many parts it has",
          "[messages][shown_check]") {
  std::vector<shown_part> many;
  for (int i = 0; i < 3000; ++i)
    many.push_back(part(R"({"type":"data-x","data":1})"));
  CHECK(fault_of(with(role::assistant, many)).empty());
}

TEST_CASE("what an import takes, a client may send back", "[messages][shown_check]") {
  std::mt19937 dice{3};
  const auto below = [&dice](size_t end) { return dice() % end; };
  const auto one_of = [&](const std::vector<std::string>& all) { return all[below(all.size())]; };
  const std::vector<std::string> values{"null",
                                        "7",
                                        R"("")",
                                        R"("x")",
                                        "[]",
                                        "{}",
                                        R"("data:,a")",
                                        R"("a/b")",
                                        "true",
                                        R"("output-available")",
                                        R"("input-available")",
                                        R"("output-error")",
                                        R"({"id":"a","approved":true})"};
  const std::vector<std::string> names{"text",     "state",  "toolCallId", "toolName",
                                       "input",    "output", "errorText",  "mediaType",
                                       "filename", "url",    "approval",   "callProviderMetadata",
                                       "rawInput", "id",     "other",      "providerMetadata"};
  const std::vector<std::string> types{"text",         "reasoning",  "file",
                                       "dynamic-tool", "tool-x",     "step-start",
                                       "data-x",       "source-url", "tool-"};
  const auto members = [&] {
    std::string out;
    for (auto i = below(5); i > 0; --i)
      out += ",\"" + one_of(names) + "\":" + one_of(values);
    return out;
  };
  const auto entry = [&]() -> shown_part {
    switch (below(5)) {
    case 0:
      return {one_of({"text", "reasoning", "file"}), below(12), below(12),
              "{\"a\":1" + members() + "}"};
    case 1:
      return make_shown(one_of({"user", "assistant", "system"}), "id");
    case 2:
      return make_shown("step");
    default:
      return part("{\"type\":\"" + one_of(types) + "\"" + members() + "}");
    }
  };
  int taken = 0;
  for (int i = 0; i < 3000; ++i) {
    auto made = with(static_cast<role>(below(3)), {});
    for (auto count = 1 + below(3); count > 0; --count)
      made.messages[0].message.shown.push_back(entry());
    if (!fault_of(made).empty())
      continue;
    ++taken;
    INFO(export_json(made));
    REQUIRE(sent_back(made) == "");
  }
  CHECK(taken > 300);
}

} // namespace shown_check_test
