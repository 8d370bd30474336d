// Exports to files, and imports from them: one conversation on a line.
#include "apps/troupe/conversations/conversations_verbs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/conversations/listed_chats.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe {

namespace {

/// A file that takes its place in one step, when it is whole: until then it is FILE.new, for its
/// owner alone. A file that is in its place stays as it was up to then, also if the export fails.
/// Standard output, a device and a pipe get each line as it comes. One thread.
class exported_file {
public:
  /// @param name of the file; empty, "-": standard output
  explicit exported_file(std::string name);
  ~exported_file();

  exported_file(const exported_file&) = delete;
  exported_file& operator=(const exported_file&) = delete;

  /// @return config_invalid: it cannot be written
  failure open();

  failure write_line(const std::string& line);

  /// Puts the file in its place. Without this it is removed.
  failure keep();

  /// Returns whether the file is not in its place before keep().
  bool waits() const noexcept { return !fresh_.empty(); }

  /// Returns whether keep() would take away what a file in this place holds.
  bool replaces_something() const noexcept { return replaces_; }

private:
  failure fault() const;

  std::string name_;
  std::string place_; ///< behind links
  std::string fresh_; ///< empty: the lines go to their place at once
  std::FILE* to_ = nullptr;
  bool replaces_ = false;
};

exported_file::exported_file(std::string name) : name_{std::move(name)} {
  if (name_ == "-")
    name_.clear();
}

exported_file::~exported_file() {
  if (!name_.empty() && to_ != nullptr)
    std::fclose(to_);
  if (!fresh_.empty())
    ::unlink(fresh_.c_str());
}

failure exported_file::open() {
  if (name_.empty()) {
    to_ = stdout;
    return {};
  }
  struct stat found {};
  const bool is_there = ::stat(name_.c_str(), &found) == 0;
  if (is_there && !S_ISREG(found.st_mode)) { // a rename would replace the device itself
    to_ = std::fopen(name_.c_str(), "wbe");
    return to_ == nullptr ? fault() : failure{};
  }
  std::error_code none;
  const auto real = std::filesystem::canonical(name_, none); // the link itself stays
  place_ = none ? name_ : real.string();
  replaces_ = is_there && found.st_size > 0;
  const auto fresh = place_ + ".new";
  ::unlink(fresh.c_str()); // of an export that was killed
  const auto fd = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return fault();
  fresh_ = fresh;
  to_ = ::fdopen(fd, "wb");
  return to_ == nullptr ? fault() : failure{};
}

failure exported_file::write_line(const std::string& line) {
  const bool done =
      std::fwrite(line.data(), 1, line.size(), to_) == line.size() && std::fputc('\n', to_) != EOF;
  return done ? failure{} : fault();
}

failure exported_file::keep() {
  if (std::fflush(to_) != 0)
    return fault();
  if (fresh_.empty())
    return {};
  if (::fsync(::fileno(to_)) != 0 || std::rename(fresh_.c_str(), place_.c_str()) != 0)
    return fault();
  fresh_.clear();
  return {};
}

failure exported_file::fault() const {
  const auto why = std::strerror(errno);
  return {errc::config_invalid,
          fmt::format("{}: {}", name_.empty() ? "standard output" : name_, why)};
}

/// A file with a conversation on each line, or with a single one on many lines. One conversation is
/// in memory at a time, as soon as its line is there; a file whose first line is none is read as a
/// whole. One thread.
class imported_file {
public:
  /// @param name of the file; empty, "-": standard input
  explicit imported_file(std::string name);
  ~imported_file();

  imported_file(const imported_file&) = delete;
  imported_file& operator=(const imported_file&) = delete;

  /// @return config_invalid: it cannot be read
  failure open();

  /// Reads the next conversation; "" at the end. @return config_invalid: it cannot be read further
  failure read(std::string& text);

  /// Returns whether read() has no more.
  bool is_over();

  /// Returns what messages call it.
  const std::string& name() const noexcept { return name_; }

private:
  bool fill();
  std::string next_line();
  failure fault() const;

  std::string name_;
  int from_ = -1;
  std::string bytes_;
  std::string_view ahead_; ///< of the bytes: not read yet
  bool begun_ = false;
  failure broken_;
};

constexpr size_t read_at_once_bytes = 65536;
constexpr std::string_view blanks = " \t\r\n";

bool is_standard(const std::string& name) {
  return name.empty() || name == "-";
}

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

/// A file that lacks something, or everything, takes the place of no better one.
/// @param done so many were written @param code of what went wrong; 0: nothing
int end_export(exported_file& to, const std::string& file, size_t done, int code) {
  if (code == 0 && done == 0 && to.replaces_something())
    return complain({errc::conversation_unknown,
                     fmt::format("there is nothing to export; {} stays as it was", file)});
  if (code == 0 || !to.waits()) {
    const auto bad = to.keep();
    return bad ? complain(bad) : code;
  }
  fmt::print(stderr, "Something is missing, so {} was not written.\n", terminal_text(file));
  return code;
}

} // namespace

int export_conversations(const conversations_options& options, conversations_backend& all) {
  if (options.ids.empty() != options.all)
    return complain({errc::request_invalid, "name the conversations, or say --all"});
  std::vector<listed_chat> chats;
  for (const auto& id : options.ids)
    chats.push_back({id});
  if (options.all)
    if (auto bad = list_chats(all, {}, chats))
      return complain(bad);
  exported_file to{options.file};
  if (auto bad = to.open())
    return complain(bad);
  int code = 0;
  size_t done = 0;
  for (const auto& each : chats) {
    const auto& id = each.id;
    auto answer = all.export_file(id);
    if (answer.error.code == errc::conversation_unknown && options.all)
      continue; // deleted since it was listed
    if (answer.error)
      code = complain({answer.error.code, id + ": " + answer.error.text()});
    else if (auto bad = to.write_line(answer.body))
      return complain(bad);
    else
      ++done;
  }
  return end_export(to, options.file, done, code);
}

int import_conversations(const conversations_options& options, conversations_backend& all) {
  imported_file from{options.file};
  std::string text;
  if (auto bad = from.open())
    return complain(bad);
  if (auto bad = from.read(text))
    return complain(bad);
  if (!options.new_id.empty() && !from.is_over())
    return complain({errc::request_invalid, "--id is for a file with one conversation"});
  int code = 0;
  if (text.empty())
    code = complain({errc::request_invalid, from.name() + ": there is nothing in it"});
  size_t seen = 0;
  size_t done = 0;
  while (!text.empty()) {
    auto answer = all.import_file(std::move(text), options.new_id);
    done += answer.error ? 0 : 1;
    if (++seen; answer.error)
      code = complain({answer.error.code, fmt::format("{}, conversation {}: {}", from.name(), seen,
                                                      answer.error.text())});
    if (auto bad = from.read(text))
      code = complain(bad);
  }
  fmt::print(stderr, "{} of {} imported\n", done, seen);
  return code;
}

} // namespace troupe
