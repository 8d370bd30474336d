#include "tests/messages/wire/gemini/gemini_request_check.hpp"

#include <optional>
#include <set>
#include <vector>

#include "messages/wire/data_url.hpp"
#include "messages/wire/json/json_check.hpp"
#include "tests/support/gemini_schema_check.hpp"

namespace troupe::test {

namespace {

/// Checks one body.
class gemini_request_check {
public:
  gemini_request_check(const json_node& body, gemini_rules rules) : body_{body}, rules_{rules} {}

  std::string fault() {
    if (auto found =
            member_fault(body_, {"contents", "systemInstruction", "tools", "toolConfig",
                                 "generationConfig", "safetySettings", "cachedContent", "labels"});
        !found.empty())
      return found;
    if (auto found = tools_fault(); !found.empty())
      return "tools: " + found;
    if (auto found = config_fault(); !found.empty())
      return "generationConfig: " + found;
    if (auto found = system_fault(); !found.empty())
      return found;
    return contents_fault();
  }

private:
  static bool is_name(std::string_view name) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    constexpr std::string_view more = "0123456789.:-";
    return !name.empty() && name.size() <= 64 && letters.find(name.front()) != name.npos &&
           std::ranges::all_of(name, [&](char c) {
             return letters.find(c) != name.npos || more.find(c) != name.npos;
           });
  }

  static std::string text_of(const json_node& object, std::string_view key) {
    const auto* found = object.find(key);
    return found != nullptr && found->kind == json_kind::string ? found->text : std::string{};
  }

  std::string system_fault() const {
    const auto* system = body_.find("systemInstruction");
    if (system == nullptr)
      return {};
    const auto* parts = system->find("parts");
    if (parts == nullptr || parts->children.size() != 1 ||
        text_of(parts->children.front(), "text").empty())
      return "systemInstruction has no text";
    return {};
  }

  std::string tools_fault() {
    const auto* tools = body_.find("tools");
    const auto* config = body_.find("toolConfig");
    if (tools == nullptr)
      return config == nullptr ? "" : "Function calling config is set without declarations";
    if (tools->kind != json_kind::array || tools->children.size() != 1)
      return "not one list of declarations";
    const auto* list = tools->children.front().find("functionDeclarations");
    if (list == nullptr || list->children.empty())
      return "functionDeclarations is empty";
    for (const auto& each : list->children)
      if (auto fault = declaration_fault(each); !fault.empty())
        return text_of(each, "name") + ": " + fault;
    return config == nullptr ? "" : tool_config_fault(*config);
  }

  std::string declaration_fault(const json_node& each) {
    if (auto fault =
            member_fault(each, {"name", "description", "parameters", "parametersJsonSchema"});
        !fault.empty())
      return fault;
    const auto name = text_of(each, "name");
    if (!is_name(name) || !names_.insert(name).second)
      return "an invalid name, or a second one";
    if (text_of(each, "description").empty())
      return "no description";
    const auto* reduced = each.find("parameters");
    const auto* whole = each.find("parametersJsonSchema");
    if (whole != nullptr && (reduced != nullptr || !rules_.takes_json_schema))
      return "parametersJsonSchema";
    return reduced == nullptr ? "" : gemini_schema_fault(*reduced);
  }

  std::string tool_config_fault(const json_node& config) const {
    const auto* calling = config.find("functionCallingConfig");
    if (calling == nullptr)
      return {};
    if (!is_one_of(text_of(*calling, "mode"), {"AUTO", "ANY", "NONE", "VALIDATED"}))
      return "an unknown mode";
    const auto* allowed = calling->find("allowedFunctionNames");
    if (allowed == nullptr)
      return {};
    if (!is_one_of(text_of(*calling, "mode"), {"ANY", "VALIDATED"}))
      return "allowedFunctionNames without ANY";
    for (const auto& each : allowed->children)
      if (!names_.contains(each.text))
        return "allowedFunctionNames has what no tool is called";
    return {};
  }

  std::string config_fault() const {
    const auto* config = body_.find("generationConfig");
    if (config == nullptr)
      return {};
    if (auto fault = member_fault(
            *config, {"maxOutputTokens", "temperature", "topP", "topK", "stopSequences", "seed",
                      "candidateCount", "presencePenalty", "frequencyPenalty", "responseLogprobs",
                      "logprobs", "responseMimeType", "responseSchema", "responseJsonSchema",
                      "responseModalities", "mediaResolution", "thinkingConfig"});
        !fault.empty())
      return fault;
    const auto* stops = config->find("stopSequences");
    if (stops != nullptr && (stops->children.empty() || stops->children.size() > 5))
      return "stopSequences are none, or more than 5";
    const auto* reduced = config->find("responseSchema");
    const auto* whole = config->find("responseJsonSchema");
    const auto has_format = config->find("responseMimeType") != nullptr;
    if ((reduced != nullptr || whole != nullptr) && !has_format)
      return "a schema without responseMimeType";
    if (whole != nullptr && (reduced != nullptr || !rules_.takes_json_schema))
      return "responseJsonSchema";
    if (has_format && body_.find("tools") != nullptr && !rules_.wants_signatures)
      return "Function calling with a response mime type is unsupported";
    if (const auto* thinking = config->find("thinkingConfig"))
      if (thinking->find("thinkingBudget") != nullptr && thinking->find("thinkingLevel") != nullptr)
        return "thinkingBudget and thinkingLevel";
    return reduced == nullptr ? "" : gemini_schema_fault(*reduced);
  }

  std::string contents_fault() {
    const auto* contents = body_.find("contents");
    if (contents == nullptr || contents->kind != json_kind::array || contents->children.empty())
      return "contents are not specified";
    size_t at = 0;
    for (const auto& each : contents->children) {
      if (auto fault = content_fault(each); !fault.empty())
        return fmt::format("contents[{}]: {}", at, fault);
      ++at;
    }
    if (!calls_.empty())
      return "at the end: calls without responses";
    return last_role_ == "user" ? "" : "at the end: the last content is the model's";
  }

  std::string content_fault(const json_node& content) {
    if (auto fault = member_fault(content, {"role", "parts"}); !fault.empty())
      return fault;
    const auto role = text_of(content, "role");
    const auto* parts = content.find("parts");
    if (!is_one_of(role, {"user", "model"}) || parts == nullptr || parts->children.empty())
      return "no valid role, or no parts";
    std::vector<const json_node*> calls, responses;
    for (const auto& each : parts->children) {
      if (auto fault = part_fault(each, role); !fault.empty())
        return fault;
      if (const auto* call = each.find("functionCall"))
        calls.push_back(call);
      if (const auto* response = each.find("functionResponse"))
        responses.push_back(response);
    }
    if (auto fault = order_fault(role, responses.size()); !fault.empty())
      return fault;
    if (!responses.empty() && responses.size() != parts->children.size())
      return "other parts beside function responses";
    if (auto fault = responses_fault(responses); !fault.empty())
      return fault;
    if (auto fault = signature_fault(*parts); !fault.empty())
      return fault;
    calls_ = calls;
    last_role_ = role;
    last_had_responses_ = !responses.empty();
    return {};
  }

  std::string order_fault(std::string_view role, size_t responses) const {
    if (last_role_.empty() && role != "user")
      return "the first content is not the user's";
    if (role == last_role_ && !(last_had_responses_ && responses == 0))
      return "two contents of one role";
    return {};
  }

  std::string responses_fault(const std::vector<const json_node*>& responses) const {
    if (responses.size() != calls_.size())
      return fmt::format("the number of function response parts is {}, that of the calls {}",
                         responses.size(), calls_.size());
    for (size_t i = 0; i < calls_.size(); ++i)
      for (const auto* key : {"name", "id"})
        if (text_of(*calls_[i], key) != text_of(*responses[i], key))
          return fmt::format("response {} has another {} than its call", i, key);
    return {};
  }

  std::string signature_fault(const json_node& parts) const {
    if (!rules_.wants_signatures)
      return {};
    for (const auto& each : parts.children)
      if (each.find("functionCall") != nullptr)
        return text_of(each, "thoughtSignature").empty()
                   ? "Function call is missing a thought_signature in functionCall parts"
                   : "";
    return {};
  }

  std::string part_fault(const json_node& part, std::string_view role) const {
    if (auto fault = member_fault(part, {"text", "inlineData", "fileData", "functionCall",
                                         "functionResponse", "executableCode",
                                         "codeExecutionResult", "thought", "thoughtSignature"});
        !fault.empty())
      return fault;
    size_t data = 0;
    for (const auto& each : part.children)
      data += is_one_of(each.key, {"thought", "thoughtSignature"}) ? 0 : 1;
    const auto is_signed = !text_of(part, "thoughtSignature").empty();
    const auto* text = part.find("text");
    if (data != 1 || (text != nullptr && text->text.empty() && !is_signed))
      return "required oneof field 'data' must have one initialized field";
    if (is_signed && role == "user")
      return "a signature of a user";
    if (const auto* call = part.find("functionCall"))
      return role == "model" ? call_fault(*call) : "a call of a user";
    if (const auto* response = part.find("functionResponse"))
      return role == "user" ? response_fault(*response) : "a response of the model";
    return file_fault(part);
  }

  static std::string call_fault(const json_node& call) {
    const auto* arguments = call.find("args");
    const auto right = arguments == nullptr || arguments->kind == json_kind::object;
    auto fault = member_fault(call, {"name", "args", "id"});
    return !fault.empty() ? fault : right && is_name(text_of(call, "name")) ? "" : "a broken call";
  }

  std::string response_fault(const json_node& response) const {
    const auto* said = response.find("response");
    if (auto fault = member_fault(response, {"name", "response", "id", "parts"}); !fault.empty())
      return fault;
    if (said == nullptr || said->kind != json_kind::object || said->children.size() != 1 ||
        !is_name(text_of(response, "name")))
      return "a broken response";
    const auto* parts = response.find("parts");
    if (parts == nullptr)
      return {};
    if (!rules_.wants_signatures || parts->children.empty())
      return "parts of a response";
    for (const auto& each : parts->children)
      if (auto fault = file_fault(each); !fault.empty())
        return fault;
    return {};
  }

  static std::string file_fault(const json_node& part) {
    if (const auto* bytes = part.find("inlineData")) {
      if (!is_one_of(text_of(*bytes, "mimeType"), {"image/png", "image/jpeg", "image/webp",
                                                   "application/pdf", "audio/wav", "audio/mp3"}))
        return "Unsupported MIME type: " + text_of(*bytes, "mimeType");
      return is_strict_base64(text_of(*bytes, "data")) ? "" : "inlineData is no base64";
    }
    if (const auto* file = part.find("fileData"))
      return text_of(*file, "fileUri").starts_with("http") ? "" : "fileUri is no address";
    return {};
  }

  const json_node& body_;
  gemini_rules rules_;
  std::set<std::string> names_;
  std::vector<const json_node*> calls_; ///< of the content before
  std::string last_role_;
  bool last_had_responses_ = false;
};

} // namespace

std::string gemini_body_fault(std::string_view body, gemini_rules rules) {
  const auto tree = read_json_tree(body, 1'000'000);
  if (!tree || tree->kind != json_kind::object)
    return "the body is no JSON object: " + json_fault(body);
  return gemini_request_check{*tree, rules}.fault();
}

} // namespace troupe::test
