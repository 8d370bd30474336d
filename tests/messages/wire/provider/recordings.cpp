#include "tests/messages/wire/provider/recordings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe::test {

namespace {

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>{in}, {}};
}

recording read_recording(const std::filesystem::path& expectation) {
  recording made;
  auto tree = read_json_tree(read_whole(expectation), 100'000);
  REQUIRE(tree.has_value());
  made.expected = std::move(*tree);
  made.name = made.text_of("file");
  made.body = read_whole(expectation.parent_path() / made.name);
  made.frame.status = static_cast<uint16_t>(std::stoi(made.text_of("status")));
  if (made.name.ends_with(".json"))
    made.frame.content_type = "application/json";
  else if (made.name.ends_with(".ndjson"))
    made.frame.content_type = "application/x-ndjson";
  return made;
}

void check_calls(const recording& from, const decoded_body& answer) {
  const auto* expected = from.find("toolCalls");
  const auto calls = answer.calls();
  REQUIRE(expected != nullptr);
  REQUIRE(calls.size() == expected->children.size());
  for (size_t i = 0; i < calls.size(); ++i) {
    const auto& want = expected->children[i];
    CHECK(calls[i].tool_name == want.find("name")->text);
    if (const auto* id = want.find("id"))
      CHECK(calls[i].tool_call_id == id->text);
    const auto* arguments = want.find("arguments");
    if (arguments->kind == json_kind::string) { // free text
      CHECK(calls[i].arguments.text.find(to_json(arguments->text)) != std::string::npos);
      continue;
    }
    auto got = read_json_tree(calls[i].arguments.text, 10'000);
    REQUIRE(got.has_value());
    CHECK(got->hash == arguments->hash);
  }
}

/// What a provider did not count is 0.
void check_usage(const recording& from, const usage& used) {
  const std::array<std::pair<std::string_view, uint64_t>, 5> counts{{
      {"input", used.input_tokens},
      {"output", used.output_tokens},
      {"reasoning", used.reasoning_tokens},
      {"cacheRead", used.cached_input_tokens},
      {"cacheWrite", used.cache_write_tokens},
  }};
  const auto* expected = from.find("usage");
  for (const auto& [name, count] : counts) {
    INFO("usage " << name);
    const auto* want = expected->find(name);
    CHECK(count == (want == nullptr ? 0 : std::stoull(want->text)));
  }
}

/// Returns whether the answer may end so, beside the one way that is expected.
bool is_accepted(const recording& from, std::string_view reason) {
  const auto* others = from.find("acceptFinish");
  return others != nullptr &&
         std::ranges::find(others->children, reason, &json_node::text) != others->children.end();
}

void check_end(const recording& from, const model_end& end) {
  const auto* error = from.find("error");
  if (!end.error || !is_accepted(from, "error"))
    CHECK(bool{end.error} == (error->kind == json_kind::object));
  if (error->kind == json_kind::object) {
    const auto& kind = error->find("type")->text;
    INFO(end.error.text());
    if (kind == "cut" || kind == "bad_json")
      CHECK(end.error.code ==
            (kind == "cut" ? errc::model_stream_cut : errc::model_answer_invalid));
    else
      CHECK(end.error.text().find(excerpt(error->find("message")->text, 1000)) !=
            std::string::npos);
  }
  const auto reason = to_string(end.reason);
  INFO("finish reason " << reason << ", not " << from.text_of("finishReason"));
  CHECK((reason == from.text_of("finishReason") || is_accepted(from, reason)));
}

/// Returns how many of such things the next request will have.
size_t count_kept(std::string_view thing, const decoded_body& answer) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> marks{{
      {"signature", R"("signature":")"},
      {"redacted_thinking", R"("type":"redacted_thinking")"},
      {"thoughtSignature", R"("thoughtSignature":")"},
      {"thoughtSignature", R"("thought_signature":")"},
      {"encrypted_content", R"("encrypted_content":")"},
      {"reasoning_item", R"("type":"reasoning")"},
      {"reasoning_details", R"("reasoning_details":[)"},
  }};
  auto kept = answer.end.provider_metadata;
  for (const auto& each : answer.calls())
    kept += each.provider_metadata.text;
  std::erase_if(kept, [](char c) { return c == ' ' || c == '\n'; });
  size_t count = 0;
  for (const auto& [name, mark] : marks)
    for (auto at = kept.find(mark); name == thing && at != std::string::npos;
         at = kept.find(mark, at + 1))
      ++count;
  return count;
}

void check_recording(const recording& from, const decoded_body& answer) {
  CHECK(answer.text() == from.text_of("text"));
  CHECK(answer.reasoning() == from.text_of("reasoning"));
  check_calls(from, answer);
  check_usage(from, answer.end.used);
  check_end(from, answer.end);
  for (const auto& each : from.find("mustKeep")->children) {
    INFO("kept " << each.key << " in " << answer.end.provider_metadata);
    CHECK(count_kept(each.key, answer) >= std::stoull(each.text));
  }
}

} // namespace

std::optional<std::filesystem::path> recordings_of(std::string_view protocol) {
  const char* folder = std::getenv("TROUPE_FIXTURES");
  if (folder == nullptr || *folder == '\0')
    return std::nullopt;
  auto all = std::filesystem::path{folder};
  return (exists(all / "providers") ? all / "providers" : all) / protocol;
}

std::vector<recording> read_recordings(const std::filesystem::path& folder) {
  std::vector<recording> made;
  for (const auto& each : std::filesystem::directory_iterator{folder})
    if (each.path().string().ends_with(".expect.json"))
      made.push_back(read_recording(each.path()));
  std::ranges::sort(made, {}, &recording::name);
  return made;
}

void check_recordings(std::string_view protocol, std::string_view provider, size_t at_least) {
  const auto folder = recordings_of(protocol);
  if (!folder) {
    WARN("skipped: TROUPE_FIXTURES names no folder with recorded answers");
    return;
  }
  const auto recordings = read_recordings(*folder);
  CHECK(recordings.size() >= at_least);
  for (const auto& each : recordings) {
    INFO("recording " << protocol << "/" << each.name);
    const auto whole = decode_body(provider, each.frame, {each.body});
    check_recording(each, whole);
    for (size_t bytes : {1, 3, 7}) {
      INFO("in pieces of " << bytes);
      auto cut = decode_body(provider, each.frame, pieces_of_body(each.body, bytes));
      CHECK(body_lines(cut) == body_lines(whole));
    }
  }
}

} // namespace troupe::test
