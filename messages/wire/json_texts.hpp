// JSON objects one after another, as some servers stream them: lines of JSON, or one object alone.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace troupe {

/// Cuts a byte stream into its JSON objects, by their brackets: on a line each, several on one
/// line, or over many lines. Between them only space, comments (": ping") and the labels of
/// server-sent events are passed over. Anything else is shown as a text, too, since nothing may get
/// lost unnoticed; the reader finds that it is no JSON. Not thread safe.
class json_texts {
public:
  /// Is shown each text, not validated; returns false to stop. Of a text that lies whole inside one
  /// piece, with space behind it, the bytes up to the end of the piece are readable, which
  /// `readable` counts.
  using visitor = std::function<bool(std::string_view text, size_t readable)>;

  /// @param max_text_bytes longest text; beyond it overflowed() and nothing more is read
  explicit json_texts(size_t max_text_bytes) : max_text_bytes_{max_text_bytes} {}

  /// Reads `bytes` and shows the texts that they complete.
  void feed(std::string_view bytes, const visitor& visit);

  /// Shows what is left, which has no end.
  void finish(const visitor& visit);

  bool overflowed() const noexcept { return overflowed_; }

private:
  size_t read_between(std::string_view bytes, const visitor& visit);
  size_t read_object(std::string_view bytes, const visitor& visit);
  size_t end_of_object(std::string_view bytes);
  void end_line(const visitor& visit);
  void show(std::string_view text, size_t readable, const visitor& visit);
  void keep(std::string& in, std::string_view bytes);

  size_t max_text_bytes_;
  std::string text_; ///< of an object that has begun in an earlier piece
  std::string line_; ///< what stands between objects, since the last line end
  size_t depth_ = 0; ///< open brackets; 0: between objects
  bool in_string_ = false;
  bool escaped_ = false;
  bool overflowed_ = false;
  bool stopped_ = false;
};

} // namespace troupe
