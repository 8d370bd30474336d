#include "messages/wire/openai_chat/openai_embeddings.hpp"

#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_hosts.hpp"
#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

namespace {

/// Returns the base URL without a method that the configuration may have after it.
std::string_view base_of(std::string_view url) {
  for (const std::string_view method : {"/chat/completions", "/responses"})
    if (url.ends_with(method))
      url.remove_suffix(method.size());
  return url;
}

} // namespace

bool has_embeddings(const model_config& model) {
  return model.provider == "openai" || model.provider == "openai-responses";
}

failure read_embedding_model(std::string_view body, std::string& out) {
  const json_source source{body};
  if (!source.fault().empty())
    return {errc::request_invalid, "the body is not valid JSON: " + source.fault()};
  if (kind_of(source.root()) != json_kind::object)
    return {errc::request_invalid, "the body must be a JSON object"};
  std::string_view model;
  read_members(source.root(), {{"model", &model}});
  if (!is_nothing(model) && kind_of(model) != json_kind::string)
    return {errc::request_invalid, "model must be a string"};
  out = json_string(model);
  return {};
}

http_request embedding_request(const model_config& model, std::string_view body) {
  const auto source = json_source::unchecked(body);
  json_buffer out;
  append_raw(out, R"({"model":)");
  append_json(out, model_name(model));
  for_each_member(source.root(), [&out](std::string_view key, std::string_view value) {
    if (key == "model")
      return true;
    out.push_back(',');
    append_json(out, key);
    out.push_back(':');
    append_raw(out, value);
    return true;
  });
  out.push_back('}');
  const std::vector<chat_message> no_history;
  auto request = json_request({.model = model, .history = no_history, .streaming = 0},
                              method_url(base_of(model.base_url), "/embeddings"), openai_key(model),
                              std::string{view(out)});
  const auto& limits = model.timeouts; // no model_stream counts the time here
  request.deadlines = {limits.connect, limits.first_token, limits.idle, limits.total};
  return request;
}

} // namespace troupe
