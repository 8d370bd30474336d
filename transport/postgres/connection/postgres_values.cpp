#include "transport/postgres/connection/postgres_values.hpp"

#include <algorithm>
#include <utility>

#include "transport/postgres/connection/postgres_words.hpp"

namespace troupe {

namespace {

template <class T>
void append_big_endian(std::string& out, T number) {
  for (size_t shift = sizeof(T) * 8; shift > 0; shift -= 8)
    out += static_cast<char>(static_cast<uint64_t>(number) >> (shift - 8) & 0xff);
}

uint32_t element_of(postgres_type list) {
  switch (list) {
  case postgres_type::number_list:
    return static_cast<uint32_t>(postgres_type::number);
  case postgres_type::words_list:
    return 3614;
  default:
    return static_cast<uint32_t>(postgres_type::bytes);
  }
}

/// The most bytes of all words of a tsvector; it takes less than 1 MiB, with some bytes per word.
constexpr size_t most_word_bytes = size_t{900} * 1024;

} // namespace

postgres_list::postgres_list(postgres_type type) : type_{type} {}

void postgres_list::add(std::string_view bytes) {
  append_big_endian(body_, static_cast<uint32_t>(bytes.size()));
  body_ += bytes;
  ++count_;
}

void postgres_list::add_number(int64_t number) {
  append_big_endian(body_, static_cast<uint32_t>(sizeof number));
  append_big_endian(body_, number);
  ++count_;
}

std::string postgres_list::encoded() const {
  constexpr size_t head_bytes = 20;
  std::string out;
  out.reserve(head_bytes + body_.size());
  append_big_endian(out, uint32_t{count_ == 0 ? 0U : 1U}); // dimensions
  append_big_endian(out, uint32_t{0});                     // no NULL among them
  append_big_endian(out, element_of(type_));
  if (count_ == 0)
    return out;
  append_big_endian(out, count_);
  append_big_endian(out, uint32_t{1}); // the first index
  return out += body_;
}

void postgres_values::add_number(int64_t number) {
  std::string bytes;
  append_big_endian(bytes, number);
  keep(postgres_type::number, std::move(bytes));
}

void postgres_values::keep(postgres_type type, std::string bytes) {
  types_.push_back(static_cast<uint32_t>(type));
  bytes_.push_back(std::move(bytes));
}

std::string tsvector_of(std::vector<std::string> words) {
  for (auto& each : words)
    each.resize(std::min(each.size(), clipped_word(each).size()));
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::string body;
  uint32_t count = 0;
  for (const auto& each : words) {
    if (body.size() + each.size() > most_word_bytes)
      break;
    body.append(each).push_back('\0');
    append_big_endian(body, uint16_t{0}); // no places
    ++count;
  }
  std::string out;
  append_big_endian(out, count);
  return out += body;
}

} // namespace troupe
