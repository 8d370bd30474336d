#include "messages/wire/ollama/ollama.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "messages/chat/tool_definition.hpp"
#include "messages/json.hpp"
#include "messages/wire/history/usable_tools.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/ollama/ollama_answer.hpp"
#include "messages/wire/ollama/ollama_messages.hpp"
#include "messages/wire/ollama/ollama_schema.hpp"
#include "messages/wire/provider/answer_decoder.hpp"
#include "messages/wire/provider/request_frame.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

// -- ollama parameters ----------------------------------------------------------------------------

namespace {

/// The options that have no name in OpenAI's words.
constexpr std::array<std::string_view, 18> own_options{
    "num_ctx",       "num_predict",      "num_keep",         "num_batch",    "num_gpu",
    "main_gpu",      "num_thread",       "use_mmap",         "min_p",        "typical_p",
    "repeat_last_n", "repeat_penalty",   "mirostat",         "mirostat_eta", "mirostat_tau",
    "tfs_z",         "penalize_newline", "draft_num_predict"};

/// The options of one request, each key once.
class option_list {
public:
  void put(std::string_view key, std::string_view value) {
    if (!value.empty())
      put_member(members_, key, value);
  }

  bool has(std::string_view key) const { return find_member(members_, key) != nullptr; }

  /// Appends them, if there are any.
  void append(json_buffer& out) const {
    std::string text;
    for (const auto& [key, value] : members_)
      add_member(text, key, value);
    if (!text.empty())
      append_member(out, "options", "{" + text + "}");
  }

private:
  json_members members_;
};

void read_options(option_list& into, std::string_view json) {
  const json_source source{json};
  for_each_member(source.root(), [&](std::string_view key, std::string_view value) {
    into.put(key, value);
    return true;
  });
}

/// OpenAI's words win over Ollama's own, and these over what the configuration has as defaults.
option_list options_of(const model_request& asked, request_parameters& wanted) {
  option_list made;
  read_options(made, wanted.take("options"));
  for (auto key : own_options)
    made.put(key, wanted.take(key));
  const auto& defaults = asked.model.generation;
  const bool is_default = asked.max_tokens == 0 && wanted.max_tokens == defaults.max_output_tokens;
  if (wanted.max_tokens > 0 && !(is_default && made.has("num_predict")))
    made.put("num_predict", std::to_string(wanted.max_tokens));
  if (defaults.context_tokens > 0 && !made.has("num_ctx"))
    made.put("num_ctx", std::to_string(defaults.context_tokens));
  made.put("temperature", wanted.temperature);
  made.put("top_p", wanted.top_p);
  made.put("top_k", wanted.top_k);
  made.put("seed", wanted.seed);
  made.put("presence_penalty", wanted.presence_penalty);
  made.put("frequency_penalty", wanted.frequency_penalty);
  made.put("stop", wanted.stop);
  return made;
}

/// Returns the value of `think`; "" if nothing was asked for.
std::string think_of(request_parameters& wanted) {
  if (auto own = wanted.take("think"); !own.empty())
    return own;
  const auto& effort = wanted.reasoning_effort;
  if (effort == "none")
    return "false";
  if (effort == "minimal" || effort == "low")
    return R"("low")";
  if (effort == "medium")
    return R"("medium")";
  if (effort == "high" || effort == "xhigh")
    return R"("high")";
  if (effort == "max")
    return R"("max")";
  if (!wanted.reasoning_budget)
    return {};
  return *wanted.reasoning_budget == 0 ? "false" : "true";
}

std::string format_of(request_parameters& wanted) {
  auto own = wanted.take("format");
  if (!wanted.json_output)
    return own;
  return wanted.response_schema.empty() ? R"("json")" : wanted.response_schema;
}

/// Appends `,"key":value` for each member beside the model, its messages and its tools: `format`,
/// `think` (only where it is asked for, since a model that does not think refuses it), `options`,
/// and what was given in Ollama's own words. Ollama ignores members that it does not know, so that
/// its options count wherever they were given: among `options`, or beside them.
/// @param wanted what it takes is taken out
void append_ollama_parameters(json_buffer& out, const model_request& asked,
                              request_parameters& wanted) {
  append_member(out, "format", format_of(wanted));
  append_member(out, "think", think_of(wanted));
  options_of(asked, wanted).append(out);
  wanted.append_others(out, {},
                       {"n", "logit_bias", "metadata", "store", "service_tier", "verbosity",
                        "prediction", "modalities", "audio", "functions", "function_call",
                        "web_search_options", "prompt_cache_key", "prompt_cache_retention",
                        "safety_identifier", "repetition_penalty", "stop_sequences",
                        "cache_control"});
  wanted.leave_out("parallel_tool_calls", wanted.parallel_tool_calls.has_value());
  wanted.leave_out("user", !wanted.user.empty());
  wanted.leave_out("tool_choice", wanted.tool_choice == tool_choice_mode::required);
}

/// Returns num_ctx as the configuration has it; 0: the server's default.
uint64_t ollama_context_tokens(const model_config& model) {
  uint64_t tokens = model.generation.context_tokens;
  if (model.parameters.find("num_ctx") == std::string::npos)
    return tokens;
  const json_source source{model.parameters};
  std::string_view options, among, beside;
  read_members(source.root(), {{"options", &options}, {"num_ctx", &beside}});
  read_members(options, {{"num_ctx", &among}});
  for (auto each : {among, beside}) // as options_of()
    if (auto number = integer_of(each).value_or(0); number > 0)
      tokens = static_cast<uint64_t>(number);
  return tokens;
}

// -- ollama address -------------------------------------------------------------------------------

constexpr std::string_view default_host = "127.0.0.1";
constexpr std::string_view default_port = ":11434";
constexpr std::string_view api = "/api"; // other clients have it in the address

/// Returns the host that a client reaches.
std::string_view reachable(std::string_view host) {
  if (host.empty() || host == "0.0.0.0")
    return default_host;
  return host == "[::]" || host == "::" ? "[::1]" : host;
}

/// Returns where the port begins, with its colon; npos: there is none.
size_t port_of(std::string_view authority) {
  const auto colon = authority.rfind(':');
  const auto bracket = authority.rfind(']');
  const auto is_inside = colon != authority.npos && bracket != authority.npos && colon < bracket;
  const auto is_bare_address = std::ranges::count(authority, ':') > 1 && bracket == authority.npos;
  return is_inside || is_bare_address ? authority.npos : colon;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view around = " \t\r\n\"'";
  const auto first = std::min(text.find_first_not_of(around), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(around) + 1);
}

} // namespace

std::string ollama_address(std::string_view written) {
  written = trimmed(written);
  const auto scheme_end = written.find("://");
  const bool has_scheme = scheme_end != written.npos;
  std::string url{has_scheme ? written.substr(0, scheme_end + 3) : "http://"};
  if (has_scheme)
    written.remove_prefix(scheme_end + 3);
  const auto authority = written.substr(0, written.find_first_of("/?#"));
  auto rest = written.substr(authority.size());
  const auto port = port_of(authority);
  const auto host = reachable(authority.substr(0, port));
  const bool needs_brackets = host.find(':') != host.npos && !host.starts_with('[');
  url.append(needs_brackets ? "[" : "").append(host).append(needs_brackets ? "]" : "");
  if (port != authority.npos)
    url.append(authority.substr(port));
  else if (!has_scheme)
    url.append(default_port);
  while (rest.ends_with('/'))
    rest.remove_suffix(1);
  if (rest.ends_with(api))
    rest.remove_suffix(api.size());
  return url.append(rest);
}

// -- ollama ---------------------------------------------------------------------------------------

namespace {

/// Returns the value of `tools`; "[]" if none can be used (for_each_usable_tool).
std::string ollama_tools(const std::vector<tool_definition>& tools) {
  json_buffer out;
  out.push_back('[');
  for_each_usable_tool(tools, [&out](const usable_tool& each) {
    append_raw(out, out.size() == 1 ? R"({"type":"function","function":{"name":)"
                                    : R"(,{"type":"function","function":{"name":)");
    append_json(out, each.tool.name);
    append_raw(out, R"(,"description":)");
    append_json(out, each.description);
    append_raw(out, R"(,"parameters":)");
    append_ollama_schema(out, each.schema);
    append_raw(out, "}}");
  });
  out.push_back(']');
  return std::string{view(out)};
}

/// Appends the tools that the model is to see. Nothing can demand a call here: a model that has to
/// call one tool sees this one alone.
void append_tools(json_buffer& out, const model_request& asked, const request_parameters& wanted) {
  if (!asked.has_tools() || wanted.tool_choice == tool_choice_mode::none)
    return;
  const auto* named =
      wanted.tool_choice == tool_choice_mode::named ? asked.tools->find(wanted.tool_name) : nullptr;
  const auto alone = named == nullptr ? std::string{} : ollama_tools({*named});
  const std::string_view tools =
      named == nullptr ? asked.tools->rendered.get(ollama_tools, asked.tools->tools) : alone;
  if (tools == "[]")
    return;
  append_raw(out, R"(,"tools":)");
  append_raw(out, tools);
}

std::string make_body(const model_request& asked) {
  auto wanted = read_parameters(asked);
  json_buffer out;
  append_raw(out, R"({"model":)");
  append_json(out, model_name(asked.model));
  append_raw(out, R"(,"messages":)");
  append_ollama_messages(out, asked);
  append_tools(out, asked, wanted);
  append_ollama_parameters(out, asked, wanted);
  append_raw(out, streams(asked) ? R"(,"stream":true})" : R"(,"stream":false})");
  return std::string{view(out)};
}

http_request make_request(const model_request& asked) {
  const auto& key = asked.model.api_key;
  auto bearer = key.empty() ? header{} : header{"authorization", "Bearer " + key};
  return json_request(asked, method_url(ollama_address(asked.model.base_url), "/api/chat"),
                      std::move(bearer), make_body(asked));
}

std::unique_ptr<model_decoder> make_decoder(const model_config& model, std::string id_prefix) {
  return std::make_unique<answer_decoder>(std::make_unique<ollama_answer>(
      std::move(id_prefix), model.start_with_reasoning, ollama_context_tokens(model)));
}

std::string check(const model_config& model) {
  auto base = std::string_view{model.base_url}.substr(0, model.base_url.find('?'));
  while (base.ends_with('/'))
    base.remove_suffix(1);
  if (base.ends_with("/v1"))
    return R"(base_url: at /v1 Ollama speaks chat completions; leave /v1 out, or set "provider" )"
           R"(to "openai")";
  if (model.documents)
    return "documents: Ollama takes images, but no documents; leave it out";
  if (model.audio)
    return "audio: Ollama takes images, but no audio; leave it out";
  return {};
}

} // namespace

const provider ollama{
    .name = "ollama",
    .make_request = make_request,
    .make_decoder = make_decoder,
    .base_url = "http://127.0.0.1:11434",
    .environment = {.base_url = "OLLAMA_HOST", .to_url = ollama_address},
    .files = {},
    .check = check,
};

} // namespace troupe
