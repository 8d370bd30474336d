#include "transport/store/silent_answers.hpp"

namespace troupe {

void add_silent_ids(std::string_view body, std::unordered_set<std::string>& to) {
  for (auto at = body.find(silent_answer); at != body.npos; at = body.find(silent_answer, at)) {
    at += silent_answer.size();
    auto end = at + 1;
    while (end < body.size() && body[end] != '"')
      end += body[end] == '\\' ? 2 : 1;
    to.emplace(body.substr(at, end + 1 - at));
  }
}

} // namespace troupe
