// The params and results that MCP servers send: what is read is whole, what is refused is the
// server's fault, and what we make of both is JSON. The last byte chooses the value, in the order
// of `readers`.
#include <string>
#include <vector>

#include "messages/wire/json/json_tree.hpp"
#include "messages/wire/mcp/content_files.hpp"
#include "messages/wire/mcp/elicitation.hpp"
#include "messages/wire/mcp/initialize.hpp"
#include "messages/wire/mcp/logging.hpp"
#include "messages/wire/mcp/methods.hpp"
#include "messages/wire/mcp/payload.hpp"
#include "messages/wire/mcp/prompts.hpp"
#include "messages/wire/mcp/resources.hpp"
#include "messages/wire/mcp/sampling.hpp"
#include "messages/wire/mcp/tasks.hpp"
#include "messages/wire/mcp/tools_call.hpp"
#include "messages/wire/mcp/tools_list.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"

using namespace troupe;

namespace {

/// Parses `text`; returns whether it was taken.
template <class Value>
bool read(std::string_view text, Value& out) {
  const auto bad = mcp::parse(text, out);
  if (bad)
    require_refusal(bad, errc::server_protocol);
  return !bad;
}

void check_left_out(const std::vector<std::string>& faults) {
  for (const auto& each : faults)
    require(!each.empty() && holds_utf8(each), "an entry is left out for a reason");
}

void read_tools(std::string_view text) {
  mcp::tools_page page;
  if (!read(text, page))
    return;
  check_left_out(page.left_out);
  require(listing{page.tools}.is_utf8() && holds_utf8(page.next_cursor), "tools are UTF-8");
  for (const auto& each : page.tools) {
    require(!each.name.empty(), "a tool has a name");
    require_object(each.input_schema.text);
    for (const auto* json : {&each.output_schema, &each.annotations, &each.icons, &each.meta})
      require(json->text.empty() || json_fault(json->text).empty(), "what is passed on is JSON");
  }
}

void read_call_result(std::string_view text) {
  mcp::call_result result;
  if (!json_fault(text).empty() || !read(text, result)) // jsonrpc has checked it
    return;
  require(holds_utf8(result.text), "a result is UTF-8");
  require(result.structured_content.empty() || json_fault(result.structured_content).empty(),
          "structured content is JSON");
  size_t bytes = 0;
  for (const auto& file : mcp::files_of_result(text)) {
    bytes += file.url.size();
    require(file.url.starts_with("data:" + file.media_type + ";base64,"), "a file has its type");
  }
  require(bytes <= mcp::max_file_bytes, "files are bounded");
}

void read_progress(std::string_view text) {
  mcp::progress got;
  if (read(text, got))
    require(holds_utf8(got.message) && got.value == got.value && got.total == got.total,
            "progress is a number and a text");
}

void read_prompts(std::string_view text) {
  mcp::prompts_page page;
  if (!read(text, page))
    return;
  check_left_out(page.left_out);
  require(listing{page.prompts}.is_utf8(), "prompts are UTF-8");
  for (const auto& each : page.prompts) {
    require(!each.name.empty(), "a prompt has a name");
    for (const auto& argument : each.arguments)
      require(!argument.name.empty(), "an argument has a name");
  }
}

void read_prompt(std::string_view text) {
  mcp::prompt_result result;
  if (!read(text, result))
    return;
  for (const auto& each : result.messages) {
    require(each.role == "user" || each.role == "assistant", "a message is somebody's");
    require(holds_utf8(each.text) && listing{each.files}.is_utf8(), "a prompt is UTF-8");
    require(each.files.empty() || each.role == "user", "images are a user's");
    for (const auto& file : each.files)
      require(file.text_behind <= each.text.size(), "an image stands within the text");
  }
}

void read_completion(std::string_view text) {
  mcp::completion_result result;
  if (read(text, result))
    require(result.values.size() <= 100, "completions are bounded");
}

void read_resources(std::string_view text) {
  mcp::resources_page page;
  if (!read(text, page))
    return;
  check_left_out(page.left_out);
  require(listing{page.resources}.is_utf8(), "resources are UTF-8");
  for (const auto& each : page.resources) {
    require(!each.uri.empty(), "a resource has a uri");
    require_object(each.annotations.text, true);
    require_object(mcp::uri_params(each.uri));
  }
}

void read_templates(std::string_view text) {
  mcp::templates_page page;
  if (!read(text, page))
    return;
  check_left_out(page.left_out);
  for (const auto& each : page.templates)
    require(!each.uri_template.empty(), "a template has a URI");
}

void read_contents(std::string_view text) {
  std::vector<mcp::resource_contents> contents;
  if (!read(text, contents))
    return;
  for (const auto& each : contents)
    require(each.is_binary ? each.text.empty() : each.blob.empty(), "content is text or bytes");
  require(holds_utf8(mcp::to_text(contents)), "contents are UTF-8");
}

void read_updated(std::string_view text) {
  std::string uri;
  if (const auto bad = mcp::parse_updated(text, uri))
    return require_refusal(bad, errc::server_protocol);
  require(!uri.empty() && holds_utf8(uri), "an update names a resource");
}

/// What a form takes with its defaults is an answer.
void read_elicitation(std::string_view text) {
  mcp::elicitation_request ask;
  if (!read(text, ask))
    return;
  require(holds_utf8(ask.message), "a question is UTF-8");
  if (ask.is_url)
    return require(!ask.url.empty() && !ask.elicitation_id.empty(), "a page has a URL and an id");
  require_object(ask.requested_schema);
  for (std::string_view content : {"", "{}", R"({"a":1,"b":"x"})"}) {
    const auto filled = mcp::with_defaults(ask.requested_schema, content);
    require_object(filled);
    require(mcp::with_defaults(ask.requested_schema, filled) == filled, "defaults are filled once");
    const auto bad = mcp::check_content(ask.requested_schema, filled);
    require(!bad || !bad.message.empty(), "a refusal says why");
    require_object(mcp::elicitation_result("accept", filled));
  }
}

/// Every tool use of a history for a model has a result, as providers demand.
void read_sampling(std::string_view text) {
  mcp::sampling_request ask;
  if (!read(text, ask))
    return;
  require(listing{ask.messages}.is_utf8() && listing{ask.tools}.is_utf8(), "a request is UTF-8");
  require(ask.max_tokens > 0, "an answer may have tokens");
  require_object(ask.parameters, true);
  size_t uses = 0, results = 0;
  for (const auto& each : ask.messages) {
    uses += each.tool_calls.size();
    results += each.who == role::tool ? 1 : 0;
    for (const auto& call : each.tool_calls)
      require_object(call.arguments);
    if (each.who == role::assistant)
      require_object(mcp::sampling_result("m", each, finish_reason::stop));
  }
  require(uses == results, "each tool use has a result");
  for (const auto& each : ask.tools)
    require_object(each.input_schema);
}

void read_task(std::string_view text) {
  mcp::task made;
  if (const auto bad = mcp::parse_created(text, made))
    require_refusal(bad, errc::server_protocol);
  mcp::task got;
  if (!read(text, got))
    return;
  require(!got.id.empty() && got.ttl.count() >= 0 && got.poll_interval.count() >= 0,
          "a task has an id and times");
  mcp::task again;
  require(!mcp::parse(mcp::task_result(got), again) && again.id == got.id &&
              again.status == got.status && again.status_message == got.status_message &&
              again.ttl == got.ttl && again.poll_interval == got.poll_interval,
          "a task comes back as it was");
  require(!mcp::parse_created(mcp::created_result(got), again) && again.id == got.id,
          "a created task comes back");
}

void read_initialize(std::string_view text) {
  mcp::initialize_result got;
  if (!read(text, got))
    return;
  require(mcp::speaks(got.protocol_version), "a revision is agreed on");
  require(holds_utf8(got.server_name) && holds_utf8(got.instructions), "a server is UTF-8");
}

void read_log(std::string_view text) {
  mcp::log_message got;
  if (read(text, got))
    require(!got.level.empty() && json_fault(got.data).empty(), "a log line has a level and JSON");
}

/// Equal for texts with the same values, however they are written.
uint64_t tree_hash(const std::string& json) {
  const auto tree = read_json_tree(json, json.size() + 1);
  return tree ? tree->hash : 0;
}

/// Adds members to the params of a client, which are any text.
void read_params(std::string_view text) {
  const auto numbered = mcp::with_progress_token(text, 7);
  require_object(numbered);
  require(tree_hash(mcp::with_progress_token(numbered, 7)) == tree_hash(numbered),
          "a member is set once");
  const auto related = mcp::with_related_task(text, "t");
  require_object(related);
  require(mcp::related_task(related) == "t", "what was set is found");
  const auto as_task = mcp::as_task_params(text, std::chrono::milliseconds{5});
  std::chrono::milliseconds ttl{0};
  require(mcp::asks_for_task(as_task, ttl) && ttl.count() == 5, "what was asked is found");
  require(holds_utf8(mcp::task_id_of(text)), "an id is UTF-8");
  require(holds_utf8(mcp::url_elicitation_text(text)), "an address is UTF-8");
  require_object(mcp::task_params(mcp::task_id_of(text)));
}

constexpr void (*readers[])(std::string_view) = {
    read_tools,    read_call_result, read_progress,    read_prompts,
    read_prompt,   read_completion,  read_resources,   read_templates,
    read_contents, read_updated,     read_elicitation, read_sampling,
    read_task,     read_initialize,  read_log,         read_params,
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return read_by_choice(readers, data, size);
}
