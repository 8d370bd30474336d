#include "apps/model/chat/chat_error.hpp"

#include "messages/json_object.hpp"

namespace troupe::scripted {

namespace {

openai_error usual_error(refusal_kind kind) {
  constexpr std::string_view invalid = "invalid_request_error";
  switch (kind) {
  case refusal_kind::invalid:
    return {400, "Invalid value for 'messages': the script refuses every request.", invalid,
            "invalid_value"};
  case refusal_kind::unauthorized:
    return {401, "Incorrect API key provided.", invalid, "invalid_api_key"};
  case refusal_kind::unknown_model:
    return {404, "The model does not exist.", invalid, "model_not_found"};
  case refusal_kind::unknown_path:
    return {404, "Unknown path.", invalid, "unknown_url"};
  case refusal_kind::wrong_method:
    return {405, "This method is not allowed here.", invalid, "method_not_allowed"};
  case refusal_kind::rate_limited:
    return {429, "Rate limit reached. Please try again in 1s.", "requests", "rate_limit_exceeded"};
  case refusal_kind::no_quota:
    return {429, "You exceeded your current quota, please check your plan and billing details.",
            "insufficient_quota", "insufficient_quota"};
  case refusal_kind::overloaded:
    return {503, "The engine is currently overloaded, please try again later.", "server_error",
            "server_is_overloaded"};
  case refusal_kind::failed:
    break;
  }
  return {500, "The server had an error while processing your request.", "server_error", ""};
}

} // namespace

openai_error openai_error_of(const refusal& why) {
  auto made = usual_error(why.kind);
  if (why.message.empty())
    return made;
  made.message = why.message;
  if (why.kind == refusal_kind::invalid)
    made.code = {};
  return made;
}

void append_openai_error(json_buffer& out, const openai_error& what) {
  json_object{out}
      .member("message", what.message)
      .member("type", what.type)
      .raw("param", "null")
      .or_null("code", what.code);
}

http_answer refuse_chat(const refusal& why) {
  const auto error = openai_error_of(why);
  json_buffer out;
  append_openai_error(json_object{out}.key("error"), error);
  http_answer made{error.status, {{"content-type", "application/json"}}, std::string{view(out)}};
  if (why.kind == refusal_kind::rate_limited) {
    made.fields.push_back({"retry-after", "1"});
    made.fields.push_back({"x-ratelimit-limit-requests", "60"});
    made.fields.push_back({"x-ratelimit-remaining-requests", "0"});
    made.fields.push_back({"x-ratelimit-reset-requests", "1s"});
  }
  return made;
}

} // namespace troupe::scripted
