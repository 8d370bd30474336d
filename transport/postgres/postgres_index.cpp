#include "transport/postgres/postgres_index.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/store/search_words.hpp"
#include "transport/postgres/connection/postgres_values.hpp"

namespace troupe {

std::string owner_word(int64_t owner) {
  return fmt::format("#{}", owner);
}

std::string index_entry(int64_t owner, const chat_message& message) {
  const bool searched = message.who == role::user || message.who == role::assistant;
  if (!searched || message.text.empty())
    return {};
  std::vector<std::string> words{owner_word(owner)};
  for_each_word(searched_part(message.text),
                [&words](const search_word& each) { words.emplace_back(each.word); });
  return words.size() > 1 ? tsvector_of(std::move(words)) : std::string{};
}

} // namespace troupe
