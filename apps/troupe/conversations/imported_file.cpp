#include "apps/troupe/conversations/imported_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "messages/wire/json/json_check.hpp"

namespace troupe {

namespace {

constexpr size_t read_at_once_bytes = 65536;
constexpr std::string_view blanks = " \t\r\n";

bool is_standard(const std::string& name) {
  return name.empty() || name == "-";
}

} // namespace

imported_file::imported_file(std::string name) : name_{std::move(name)} {
  if (is_standard(name_)) {
    name_ = "standard input";
    from_ = STDIN_FILENO;
  }
}

imported_file::~imported_file() {
  if (from_ > STDIN_FILENO)
    ::close(from_);
}

failure imported_file::open() {
  if (from_ < 0)
    from_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
  return from_ < 0 ? fault() : failure{};
}

failure imported_file::read(std::string& text) {
  text = next_line();
  if (!std::exchange(begun_, true) && !text.empty() && !is_json_object(text)) {
    text += '\n';
    for (; fill(); ahead_ = {})
      text += ahead_;
    if (!is_json_object(text)) { // each line says what is wrong with it
      bytes_ = std::move(text);
      ahead_ = bytes_;
      text = next_line();
    }
  }
  if (broken_)
    text.clear();
  return broken_;
}

bool imported_file::is_over() {
  while (fill()) {
    ahead_.remove_prefix(std::min(ahead_.find_first_not_of(blanks), ahead_.size()));
    if (!ahead_.empty())
      return false;
  }
  return true;
}

/// Reads on if nothing is ahead. @return false at the end, or where the file breaks off
bool imported_file::fill() {
  if (!ahead_.empty())
    return true;
  bytes_.resize(read_at_once_bytes);
  auto count = ::read(from_, bytes_.data(), bytes_.size());
  while (count < 0 && errno == EINTR)
    count = ::read(from_, bytes_.data(), bytes_.size());
  if (count < 0)
    broken_ = fault();
  ahead_ = {bytes_.data(), static_cast<size_t>(std::max<ssize_t>(count, 0))};
  return !ahead_.empty();
}

/// Returns the next line that is not blank, from what stands on it; "" if there is none.
std::string imported_file::next_line() {
  std::string line;
  bool goes_on = !is_over();
  while (goes_on && fill()) {
    const auto part = ahead_.substr(0, ahead_.find('\n'));
    goes_on = part.size() == ahead_.size();
    line += part;
    ahead_.remove_prefix(part.size() + (goes_on ? 0 : 1));
  }
  return line;
}

failure imported_file::fault() const {
  return {errc::config_invalid, fmt::format("{}: {}", name_, std::strerror(errno))};
}

} // namespace troupe
