#include "messages/wire/clients/responses/referred_items.hpp"

#include <string>
#include <vector>

#include "messages/wire/clients/responses/item_id.hpp"
#include "messages/wire/clients/responses/response_output.hpp"
#include "messages/wire/clients/responses/response_request.hpp"
#include "messages/wire/json/json_source.hpp"
#include "tests/support/catch.hpp"

namespace referred_items_test {

using namespace troupe;

namespace {

constexpr auto tags = "[responses][wire]";

chat_message said(role who, const std::string& text) {
  chat_message made;
  made.who = who;
  made.text = text;
  return made;
}

/// An answer that thinks, says something, and has one call run here and one by the client.
conversation two_rounds() {
  conversation made;
  auto first = said(role::assistant, "I look.");
  first.reasoning = "hm";
  first.tool_calls = {{"s1", "look", R"({"a":1})"}};
  auto result = said(role::tool, "42");
  result.tool_call_id = "s1";
  auto second = said(role::assistant, "So:");
  second.tool_calls = {{"c1", "shell", R"({"input":"ls"})"}};
  second.tool_calls[0].client_side = true;
  for (const auto& each : {said(role::user, "go"), first, result, second})
    made.messages.push_back({each, 0});
  return made;
}

/// The ids of the output items of the same turn, as a client sees them.
std::vector<std::string> streamed_ids() {
  response_head head;
  head.place = place_text({"chat_1", 1});
  head.special = {{"shell", "shell", "", true}};
  tool_args_complete look, shell;
  look.tool_call_id = "s1";
  look.tool_name = "look";
  look.arguments = {R"({"a":1})"};
  shell.tool_call_id = "c1";
  shell.tool_name = "shell";
  shell.arguments = {R"({"input":"ls"})"};
  shell.client_side = true;
  mcp_tool_success ran;
  ran.tool_call_id = "s1";
  ran.text = "42";
  event_batch batch;
  batch.events = {model_response_waiting{},
                  reasoning_delta{"hm"},
                  text_delta{"I "},
                  reasoning_delta{"hm"},
                  text_delta{"look."},
                  look,
                  ran,
                  model_response_waiting{},
                  text_delta{"So:"},
                  shell,
                  session_end{}};
  response_collector collector{head};
  collector.take(batch);
  const json_source body{collector.body()};
  std::string_view output, id;
  read_members(body.root(), {{"output", &output}});
  std::vector<std::string> ids;
  for_each_element(output, [&](std::string_view item) {
    read_members(item, {{"id", &id}});
    ids.push_back(json_string(id));
    return true;
  });
  return ids;
}

response_request read(const std::string& items, referred_items known, failure& bad) {
  response_request out;
  out.items = std::move(known);
  bad = parse_response_request(R"({"input":[)" + items + "]}", out);
  return out;
}

/// Returns what an input says of which all that it names is looked up in two_rounds().
std::vector<chat_message> found(const std::string& items, failure& bad) {
  auto known = read(items, {}, bad).items;
  CHECK_FALSE(find_items("chat_1", two_rounds(), known));
  known.looked_up = true;
  return read(items, std::move(known), bad).turn.messages;
}

std::string reference(const std::string& id) {
  return R"({"type":"item_reference","id":")" + id + "\"}";
}

} // namespace

TEST_CASE("the id of an item says where it is kept", tags) {
  const auto id = make_item_id(response_kind::mcp_call, {2}, place_text({"chat_1", 17}));
  CHECK(id == "mcp_2_17_chat_1");
  const auto place = place_of_item(id);
  REQUIRE(place);
  CHECK(place->chat == "chat_1");
  CHECK(place->from == 17);
  CHECK(place_of_item("msg_0-3_1_c"));
  CHECK(place_of_item(make_item_id(response_kind::message, {}, "")) == std::nullopt);
  for (const std::string bad :
       {"", "msg_", "msg_1", "msg_1_", "msg_1_2", "msg_1_2_", "msg_x_2_c", "msg_1-_2_c",
        "msg_1-x_2_c", "xyz_1_2_c", "msg_1_2_C", "msg_99_99999999999999999999_c"}) {
    INFO(bad);
    CHECK_FALSE(place_of_item(bad));
  }
}

TEST_CASE("items that an input names are those that the client was shown", tags) {
  const auto ids = streamed_ids();
  CHECK(ids == std::vector<std::string>{"rs_0_1_chat_1", "msg_0_1_chat_1", "rs_0-1_1_chat_1",
                                        "msg_0-1_1_chat_1", "mcp_0_1_chat_1", "msg_1_1_chat_1",
                                        "ctc_1_1_chat_1"});
  std::string items = R"({"role":"user","content":"go"})";
  for (const auto& id : ids)
    items += "," + reference(id);
  items += "," + reference(ids[4]); // for its result
  items += R"(,{"type":"custom_tool_call_output","call_id":"c1","output":"a.txt"})";
  failure bad;
  auto first = read(items, {}, bad);
  REQUIRE_FALSE(bad);
  CHECK(first.items.wanted == std::vector<std::string>{"rs_0_1_chat_1", "msg_0_1_chat_1",
                                                       "mcp_0_1_chat_1", "msg_1_1_chat_1",
                                                       "fc_1_1_chat_1"});
  CHECK(first.items.chats() == std::vector<std::string>{"chat_1"});

  CHECK_FALSE(find_items("chat_2", two_rounds(), first.items));
  CHECK(first.items.found.empty());
  const auto history = found(items, bad);
  INFO(bad.text());
  REQUIRE_FALSE(bad);
  REQUIRE(history.size() == 5);
  CHECK(history[1].reasoning == "hm");
  CHECK(history[1].text == "I look.");
  REQUIRE(history[1].tool_calls.size() == 1);
  CHECK(history[1].tool_calls[0].arguments == R"({"a":1})");
  CHECK(history[2].text == "42");
  CHECK(history[3].text == "So:");
  REQUIRE(history[3].tool_calls.size() == 1);
  CHECK(history[3].tool_calls[0].id == "c1");
  CHECK(history[3].tool_calls[0].arguments == R"({"input":"ls"})");
  CHECK(history[4].text == "a.txt");
}

TEST_CASE("a call that was run here may come back without what it answered", tags) {
  const std::string call = R"({"type":"mcp_call","id":"mcp_0_1_chat_1","server_label":"s",)"
                           R"("name":"look","arguments":"{\"a\":1}","error":null)";
  failure bad;
  const auto* end = GENERATE("}", R"(,"output":null})");
  CHECK(read(call + end, {}, bad).items.wanted == std::vector<std::string>{"mcp_0_1_chat_1"});
  const auto whole = found(call + end, bad);
  REQUIRE(whole.size() == 2);
  CHECK(whole[1].text == "42");
  referred_items none;
  none.looked_up = true;
  const auto lost = read(call + "}", none, bad).turn.messages;
  CHECK_FALSE(bad);
  CHECK(lost.at(1).text.empty());
  CHECK(read(call + R"(,"output":"7"})", {}, bad).items.wanted.empty());
}

TEST_CASE("a later part of a text stands for the whole text, once", tags) {
  failure bad;
  const auto history = found(reference("msg_0-1_1_chat_1") + "," + reference("msg_0-2_1_chat_1") +
                                 "," + reference("msg_0_1_chat_1"),
                             bad);
  INFO(bad.text());
  REQUIRE(history.size() == 1);
  CHECK(history[0].text == "I look.");
}

TEST_CASE("an input cannot make a few kept bytes many", tags) {
  conversation kept;
  const std::string text(max_referred_bytes / 2 + 1, 'a');
  for (const auto& each :
       {said(role::user, "a"), said(role::user, "b"), said(role::assistant, text)})
    kept.messages.push_back({each, 0});
  referred_items items;
  items.wanted = {"msg_0_2_chat_1"};
  CHECK_FALSE(find_items("chat_1", kept, items));
  items.wanted = {"msg_0_1_chat_1"}; // the same answer
  CHECK(find_items("chat_1", kept, items).code == errc::request_too_large);
}

TEST_CASE("an item that is not kept is named", tags) {
  const auto text = [](const std::string& id) {
    return "input[0] refers to the item '" + id +
           "', which is not kept here (any more); send the item itself, or its response as "
           "previous_response_id";
  };
  failure bad;
  read(reference("msg_0123"), {}, bad); // of another server
  CHECK(bad.code == errc::not_found);
  CHECK(bad.text() == text("msg_0123"));
  referred_items gone;
  gone.looked_up = true;
  read(reference("msg_0_1_chat_1"), gone, bad);
  CHECK(bad.code == errc::not_found);
  CHECK(bad.text() == text("msg_0_1_chat_1"));
  referred_items other;
  other.wanted = {"msg_7_1_chat_1", "msg_0_9_chat_1"};
  CHECK_FALSE(find_items("chat_1", two_rounds(), other));
  CHECK(other.found.empty());
}

} // namespace referred_items_test
