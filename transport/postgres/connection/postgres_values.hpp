// The values of a statement, in PostgreSQL's binary form.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The types that are sent. Texts go as bytes: PostgreSQL's own texts cannot hold a zero or broken
/// UTF-8, and a chat may have both.
enum class postgres_type : uint32_t {
  bytes = 17,
  number = 20,
  bytes_list = 1001,
  number_list = 1016,
  words_list = 3643 ///< of tsvector
};

/// A list of values, for unnest(). All of a list have one type.
class postgres_list {
public:
  explicit postgres_list(postgres_type type);

  void add(std::string_view bytes);
  template <std::integral T>
  void add(T number) {
    add_number(static_cast<int64_t>(number));
  }

  size_t size() const noexcept { return count_; }
  postgres_type type() const noexcept { return type_; }
  /// Returns it as it is sent.
  std::string encoded() const;

private:
  void add_number(int64_t number);

  postgres_type type_;
  uint32_t count_ = 0;
  std::string body_;
};

/// A list of that type, made with its type's name.
struct number_list : postgres_list {
  number_list() : postgres_list{postgres_type::number_list} {}
};
struct bytes_list : postgres_list {
  bytes_list() : postgres_list{postgres_type::bytes_list} {}
};
/// The words of texts, each as tsvector_of() makes them.
struct words_list : postgres_list {
  words_list() : postgres_list{postgres_type::words_list} {}
};

/// The values of one statement, in the order of its parameters.
class postgres_values {
public:
  postgres_values() = default;
  template <class... Ts>
  explicit postgres_values(const Ts&... values) {
    (add(values), ...);
  }

  void add(std::string_view bytes) { keep(postgres_type::bytes, std::string{bytes}); }
  void add(const std::string& bytes) { add(std::string_view{bytes}); }
  void add(const char* bytes) { add(std::string_view{bytes}); }
  void add(const postgres_list& list) { keep(list.type(), list.encoded()); }
  template <std::integral T>
  void add(T number) {
    add_number(static_cast<int64_t>(number));
  }

  size_t size() const noexcept { return types_.size(); }
  const std::vector<uint32_t>& types() const noexcept { return types_; }
  const std::string& bytes(size_t at) const { return bytes_[at]; }

private:
  void add_number(int64_t number);
  void keep(postgres_type type, std::string bytes);

  std::vector<uint32_t> types_;
  std::vector<std::string> bytes_;
};

/// Returns the words of a text as a tsvector without places, in the form that a words_list takes.
/// @param words without zeros; a longer one than 2000 bytes is cut off there, and what does not fit
/// into a tsvector is left out
std::string tsvector_of(std::vector<std::string> words);

/// A statement that waits to be sent.
struct postgres_statement {
  const char* sql; ///< a literal
  postgres_values values;
  bool prepares = false; ///< it was sent with its preparation
};

} // namespace troupe
