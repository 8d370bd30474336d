// The model's side of an HTTP exchange, played by the test.
#pragma once

#include <string>

#include "messages/json.hpp"

namespace troupe::test {

/// A piece of an answer of the model, as OpenAI's API sends it.
inline std::string text_chunk(const std::string& text) {
  return R"({"choices":[{"index":0,"delta":{"content":)" + to_json(text) + "}}]}";
}

inline std::string call_chunk(int index, const std::string& id, const std::string& tool,
                              const std::string& arguments) {
  return R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":)" + std::to_string(index) +
         R"(,"id":")" + id + R"(","type":"function","function":{"name":")" + tool +
         R"(","arguments":)" + to_json(arguments) + "}}]}}]}";
}

} // namespace troupe::test
