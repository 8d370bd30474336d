#include "apps/model/gemini/gemini_contents_check.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/model/dialect/request_fields.hpp"
#include "apps/model/dialect/seal.hpp"

namespace troupe::scripted {

namespace {

constexpr std::string_view skips_the_check = "skip_thought_signature_validator";

/// The walk over the contents; the views point into the parsed request.
class content_walk {
public:
  failure content(element what);
  failure end() const;

private:
  failure part(element what, const std::string& place);
  failure one_content(object part, const std::string& place) const;
  failure call(object part, const std::string& place);
  failure response(object part, const std::string& place);
  failure after_parts() const;

  failure refused(std::string_view why) const {
    return invalid_request(fmt::format("contents[{}]: {}", index_, why));
  }

  size_t index_ = 0;
  std::string_view role_;
  std::string_view last_;
  std::vector<std::string_view> asked_;     // names of calls in this content
  std::vector<std::string_view> open_;      // of the content before
  std::vector<std::string_view> responses_; // in this content
};

failure content_walk::call(object part, const std::string& place) {
  object call;
  element args;
  if (role_ != "model")
    return refused("only a model calls functions");
  if (part["functionCall"].get(call) != simdjson::SUCCESS)
    return refused("functionCall must be an object");
  if (auto bad = unknown_name(unknown_key(call, {"name", "args", "id"}), place + ".function_call"))
    return bad;
  const auto name = string_in(call, "name");
  if (!fits_gemini_name(name))
    return refused("Invalid function name. Must start with a letter or an underscore.");
  if (find(call, "args", args) && !args.is_object())
    return invalid_request(fmt::format("Invalid value at '{}.function_call.args'", place));
  asked_.push_back(name);
  std::string_view signature;
  const bool has_signature = get_string(part, "thoughtSignature", signature);
  return has_signature && signature != skips_the_check && signature != seal_of(name)
             ? refused("Thought signature is not valid.")
             : failure{};
}

failure content_walk::response(object part, const std::string& place) {
  object response;
  element value;
  if (role_ == "model")
    return refused("a model does not answer calls");
  if (part["functionResponse"].get(response) != simdjson::SUCCESS ||
      !find(response, "response", value) || !value.is_object())
    return invalid_request(fmt::format("Invalid value at '{}.function_response.response'", place));
  if (auto bad = unknown_name(unknown_key(response, {"name", "response", "id", "parts"}),
                              place + ".function_response"))
    return bad;
  responses_.push_back(string_in(response, "name"));
  return {};
}

failure content_walk::one_content(object part, const std::string& place) const {
  size_t found = 0;
  element value;
  for (const char* key : {"text", "inlineData", "fileData", "functionCall", "functionResponse",
                          "executableCode", "codeExecutionResult"})
    found += find(part, key, value) ? 1 : 0;
  std::string_view text;
  const bool is_empty =
      get_string(part, "text", text) && text.empty() && string_in(part, "thoughtSignature").empty();
  if (found != 1 || is_empty)
    return invalid_request(
        fmt::format("{}: required oneof field 'data' must have one initialized field", place));
  object data;
  if (part["inlineData"].get(data) != simdjson::SUCCESS)
    return {};
  const auto type = string_in(data, "mimeType");
  const bool is_known =
      is_image_type(type) || is_one_of(type, {"application/pdf", "audio/wav", "audio/mp3"});
  return is_known && is_base64(string_in(data, "data"))
             ? failure{}
             : invalid_request(fmt::format("Unable to process the data of {}", place));
}

failure content_walk::part(element what, const std::string& place) {
  object fields;
  element found;
  if (what.get(fields) != simdjson::SUCCESS)
    return refused("a part must be an object");
  if (auto bad = unknown_name(
          unknown_key(fields, {"text", "inlineData", "fileData", "functionCall", "functionResponse",
                               "executableCode", "codeExecutionResult", "thought",
                               "thoughtSignature", "videoMetadata"}),
          place))
    return bad;
  if (auto bad = one_content(fields, place))
    return bad;
  if (find(fields, "functionCall", found))
    return call(fields, place);
  return find(fields, "functionResponse", found) ? response(fields, place) : failure{};
}

failure content_walk::after_parts() const {
  if (responses_.size() != open_.size())
    return invalid_request("Please ensure that the number of function response parts is equal to "
                           "the number of function call parts of the function call turn.");
  for (size_t i = 0; i < open_.size(); ++i)
    if (open_[i] != responses_[i])
      return refused(fmt::format("the function response {} is of '{}', not of '{}'", i,
                                 responses_[i], open_[i]));
  if (!asked_.empty() && last_ != "user")
    return invalid_request("Please ensure that function call turn comes immediately after a user "
                           "turn or after a function response turn.");
  return {};
}

failure content_walk::content(element what) {
  object fields;
  if (what.get(fields) != simdjson::SUCCESS)
    return refused("must be an object");
  if (auto bad =
          unknown_name(unknown_key(fields, {"role", "parts"}), fmt::format("contents[{}]", index_)))
    return bad;
  std::string_view role;
  role_ = get_string(fields, "role", role) ? role : std::string_view{"user"};
  if (role_ != "user" && role_ != "model")
    return invalid_request("Please use a valid role: user, model.");
  if (last_.empty() && role_ != "user")
    return refused("a user begins");
  array parts;
  if (fields["parts"].get(parts) != simdjson::SUCCESS || parts.size() == 0)
    return refused("contents.parts must not be empty.");
  responses_.clear();
  asked_.clear();
  size_t at = 0;
  for (element each : parts)
    if (auto bad = part(each, fmt::format("contents[{}].parts[{}]", index_, at++)))
      return bad;
  auto bad = after_parts();
  open_ = std::move(asked_);
  last_ = role_;
  ++index_;
  return bad;
}

failure content_walk::end() const {
  if (index_ == 0)
    return invalid_request("contents is not specified");
  return last_ == "user" ? failure{} : refused("the last content must be a user's");
}

} // namespace

bool fits_gemini_name(std::string_view name) {
  return fits_name(name) && name.front() != '-' && !(name.front() >= '0' && name.front() <= '9');
}

failure unknown_name(std::string_view name, const std::string& place) {
  if (name.empty())
    return {};
  return invalid_request(fmt::format("Invalid JSON payload received. Unknown name \"{}\" at '{}': "
                                     "Cannot find field.",
                                     name, place));
}

failure check_gemini_contents(array contents) {
  content_walk walk;
  for (element each : contents)
    if (auto bad = walk.content(each))
      return bad;
  return walk.end();
}

} // namespace troupe::scripted
