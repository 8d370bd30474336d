#include "apps/model/script/answer.hpp"

#include "apps/model/script/tokens.hpp"

namespace troupe::scripted {

size_t tokens_of(const answer& what) {
  size_t tokens = count_tokens(what.reasoning);
  tokens += what.tokens == 0 || what.text.empty() ? count_tokens(what.text) : what.tokens;
  for (const auto& call : what.calls)
    tokens += count_tokens(call.arguments);
  return tokens;
}

std::string text_of(const answer& what) {
  if (what.tokens == 0)
    return what.text;
  std::string made;
  std::string_view rest;
  for (size_t i = 0; i < what.tokens && !what.text.empty(); ++i) {
    if (rest.empty()) {
      rest = what.text;
      made.append(i > 0 ? " " : "");
    }
    const auto token = first_token(rest);
    made += token;
    rest.remove_prefix(token.size());
  }
  return made;
}

} // namespace troupe::scripted
