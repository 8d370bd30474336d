#include "apps/model/gemini/gemini_request.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/model/dialect/request_fields.hpp"
#include "apps/model/dialect/schema_check.hpp"
#include "apps/model/gemini/gemini_contents_check.hpp"

namespace troupe::scripted {

// -- gemini tools check ---------------------------------------------------------------------------

namespace {

/// Checks `tools`: lists of declarations that are not empty, each with `parameters`, in the subset
/// of OpenAPI that there is, or with `parametersJsonSchema`. Any thread.
failure check_gemini_tools(simdjson::dom::element tools);

failure check_openapi(element schema, const std::string& place);

failure check_inner(object schema, const std::string& place) {
  element found;
  object properties;
  array list;
  if (find(schema, "items", found))
    if (auto bad = check_openapi(found, place + ".items"))
      return bad;
  if (find(schema, "properties", found) && found.get(properties) == simdjson::SUCCESS)
    for (auto [key, value] : properties)
      if (auto bad = check_openapi(value, fmt::format("{}.properties.{}", place, key)))
        return bad;
  if (find(schema, "anyOf", found) && found.get(list) == simdjson::SUCCESS)
    for (element each : list)
      if (auto bad = check_openapi(each, place + ".any_of"))
        return bad;
  return {};
}

/// Everything else than these is an error in `parameters`.
failure check_openapi(element schema, const std::string& place) {
  object fields;
  element found;
  if (schema.get(fields) != simdjson::SUCCESS)
    return invalid_request(fmt::format("Invalid value at '{}'", place));
  if (auto bad = unknown_name(unknown_key(fields, {"type",          "format",    "title",
                                                   "description",   "nullable",  "enum",
                                                   "items",         "minItems",  "maxItems",
                                                   "properties",    "required",  "minProperties",
                                                   "maxProperties", "minimum",   "maximum",
                                                   "minLength",     "maxLength", "pattern",
                                                   "example",       "anyOf",     "propertyOrdering",
                                                   "default"}),
                              place))
    return bad;
  if (find(fields, "type", found) && !found.is_string())
    return invalid_request(
        fmt::format("Proto field is not repeating, cannot start list: {}.type", place));
  if (is_one_of(string_in(fields, "type"), {"array", "ARRAY"}) && !find(fields, "items", found))
    return invalid_request(place + ".items: missing field.");
  return check_inner(fields, place);
}

failure check_declaration(element what, const std::string& place,
                          std::vector<std::string_view>& names) {
  object fields;
  element parameters;
  element schema;
  if (what.get(fields) != simdjson::SUCCESS)
    return invalid_request(fmt::format("Invalid value at '{}'", place));
  if (auto bad = unknown_name(
          unknown_key(fields, {"name", "description", "parameters", "parametersJsonSchema",
                               "response", "responseJsonSchema", "behavior"}),
          place))
    return bad;
  names.push_back(string_in(fields, "name"));
  if (!fits_gemini_name(names.back()))
    return invalid_request(place + ".name: Invalid function name. Must start with a letter or an "
                                   "underscore.");
  const bool is_plain = find(fields, "parameters", parameters);
  if (is_plain && find(fields, "parametersJsonSchema", schema))
    return invalid_request(place + ": parameters and parametersJsonSchema are mutually exclusive");
  return is_plain ? check_openapi(parameters, place + ".parameters") : failure{};
}

failure check_gemini_tools(element tools) {
  array list;
  if (tools.get(list) != simdjson::SUCCESS)
    return invalid_request("Invalid value at 'tools'");
  std::vector<std::string_view> names;
  for (element each : list) {
    object fields;
    array declarations;
    if (each.get(fields) != simdjson::SUCCESS ||
        fields["functionDeclarations"].get(declarations) != simdjson::SUCCESS ||
        declarations.size() == 0)
      return invalid_request("tools: function_declarations must not be empty");
    for (element declared : declarations)
      if (auto bad = check_declaration(
              declared, fmt::format("tools.function_declarations[{}]", names.size()), names))
        return bad;
  }
  const auto twice = repeated_name(std::move(names));
  return twice.empty()
             ? failure{}
             : invalid_request(fmt::format("Duplicate function declaration found: {}", twice));
}

// -- gemini request -------------------------------------------------------------------------------

failure check_generation(object request) {
  element found;
  object config;
  object thinking;
  if (!find(request, "generationConfig", found))
    return {};
  if (found.get(config) != simdjson::SUCCESS)
    return invalid_request("Invalid value at 'generation_config'");
  if (auto bad = unknown_name(
          unknown_key(config,
                      {"maxOutputTokens", "temperature", "topP", "topK", "stopSequences", "seed",
                       "candidateCount", "presencePenalty", "frequencyPenalty", "responseLogprobs",
                       "logprobs", "responseMimeType", "responseSchema", "responseJsonSchema",
                       "responseModalities", "mediaResolution", "thinkingConfig", "speechConfig"}),
          "generation_config"))
    return bad;
  if (find(config, "maxOutputTokens", found) && !is_count(found, 1))
    return invalid_request("generation_config.max_output_tokens must be positive");
  if (!find(config, "thinkingConfig", found) || found.get(thinking) != simdjson::SUCCESS)
    return {};
  element other;
  if (find(thinking, "thinkingBudget", found) && find(thinking, "thinkingLevel", other))
    return invalid_request("You can only set only one of thinking budget and thinking level.");
  return unknown_name(unknown_key(thinking, {"includeThoughts", "thinkingBudget", "thinkingLevel"}),
                      "generation_config.thinking_config");
}

failure check_instruction(object request) {
  element found;
  object instruction;
  array parts;
  if (!find(request, "systemInstruction", found))
    return {};
  if (found.get(instruction) != simdjson::SUCCESS ||
      instruction["parts"].get(parts) != simdjson::SUCCESS || parts.size() == 0)
    return invalid_request("system_instruction.parts must not be empty.");
  for (element each : parts) {
    object part;
    if (each.get(part) != simdjson::SUCCESS || string_in(part, "text").empty())
      return invalid_request("system_instruction.parts: only texts that are not empty");
  }
  return {};
}

/// Returns the text of a function's response: its one value if that is a text, else its JSON.
std::string text_of_response(object response) {
  element value;
  if (!find(response, "response", value))
    return {};
  object fields;
  if (value.get(fields) == simdjson::SUCCESS)
    for (const char* key : {"output", "result", "content", "error"}) {
      std::string_view text;
      if (get_string(fields, key, text))
        return std::string{text};
    }
  return simdjson::minify(value);
}

struct content_texts {
  std::string text;
  bool has_responses = false;
};

/// Calls have no ids here: a name stands for them.
void add_part(object part, content_texts& in, talk_collector& out) {
  object inner;
  if (part["functionCall"].get(inner) == simdjson::SUCCESS) {
    if (!string_in(part, "thoughtSignature").empty())
      out.seal();
    const auto name = string_in(inner, "name");
    out.call(name, name);
  } else if (part["functionResponse"].get(inner) == simdjson::SUCCESS) {
    in.has_responses = true;
    out.result(string_in(inner, "name"), text_of_response(inner));
  } else {
    in.text += string_in(part, "text");
  }
}

void add_gemini_tools(object request, talk_collector& out) {
  element tools;
  array list;
  if (!find(request, "tools", tools) || tools.get(list) != simdjson::SUCCESS)
    return;
  for (object tool : list) {
    array declarations;
    if (tool["functionDeclarations"].get(declarations) != simdjson::SUCCESS)
      continue;
    for (object each : declarations) {
      element schema;
      const bool has_schema =
          find(each, "parameters", schema) || find(each, "parametersJsonSchema", schema);
      out.tool(string_in(each, "name"), schema, has_schema);
    }
  }
}

} // namespace

failure check_gemini(object request, chat_call& out) {
  out = {};
  if (auto bad = unknown_name(
          unknown_key(request, {"contents", "systemInstruction", "tools", "toolConfig",
                                "generationConfig", "safetySettings", "cachedContent", "labels"}),
          ""))
    return bad;
  array contents;
  if (request["contents"].get(contents) != simdjson::SUCCESS)
    return invalid_request("contents is not specified");
  if (auto bad = check_gemini_contents(contents))
    return bad;
  if (auto bad = check_instruction(request))
    return bad;
  if (auto bad = check_generation(request))
    return bad;
  element tools;
  return find(request, "tools", tools) ? check_gemini_tools(tools) : failure{};
}

conversation talk_of_gemini(object request) {
  talk_collector out;
  array contents;
  if (request["contents"].get(contents) == simdjson::SUCCESS)
    for (object content : contents) {
      array parts;
      content_texts in;
      out.begin_answer();
      if (content["parts"].get(parts) == simdjson::SUCCESS)
        for (object part : parts)
          add_part(part, in, out);
      if (string_in(content, "role") != "model" && (!in.has_responses || !in.text.empty()))
        out.user(std::move(in.text));
    }
  add_gemini_tools(request, out);
  return std::move(out.talk());
}

} // namespace troupe::scripted
