#include "apps/troupe/editor/input_history.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "messages/json.hpp"
#include "messages/private_files.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// A file that is open, and closed with this.
class open_file {
public:
  open_file(const std::string& path, int flags) : fd_{::open(path.c_str(), flags, 0600)} {}
  ~open_file() {
    if (fd_ >= 0)
      ::close(fd_);
  }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;

  int fd() const { return fd_; }

  bool write(std::string_view text) const {
    while (!text.empty()) {
      const auto count = ::write(fd_, text.data(), text.size());
      if (count < 0 && errno != EINTR)
        return false;
      text.remove_prefix(count < 0 ? 0 : static_cast<size_t>(count));
    }
    return true;
  }

  std::string content() const {
    std::string out;
    char bytes[65536];
    for (ssize_t count = 0; (count = ::read(fd_, bytes, sizeof bytes)) > 0;)
      out.append(bytes, static_cast<size_t>(count));
    return out;
  }

private:
  int fd_;
};

std::string last_error() {
  return std::strerror(errno);
}

/// Returns why the file must not be used, and takes the rights of others away.
std::string fault_of(const std::string& path, int fd) {
  struct stat found {};
  if (fd < 0 || fstat(fd, &found) != 0)
    return path + ": " + last_error();
  const file_rights rights{found.st_uid, found.st_mode, found.st_nlink};
  if (auto fault = file_fault(path, rights, geteuid()); !fault.empty())
    return fault;
  if (is_open_to_others(rights) && fchmod(fd, 0600) != 0)
    return path + ": " + last_error();
  return {};
}

} // namespace

input_history::input_history(std::string file) : file_{std::move(file)} {
  if (file_.empty())
    return;
  namespace fs = std::filesystem;
  const auto before = umask(077);
  std::error_code ignored;
  fs::create_directories(fs::path{file_}.parent_path(), ignored);
  umask(before);
  const open_file opened{file_, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK};
  fault_ = fault_of(file_, opened.fd());
  if (fault_.empty())
    read(opened.content());
  else
    file_.clear();
}

void input_history::read(std::string_view content) {
  size_t lines = 0;
  for (size_t at = 0; at < content.size(); ++lines) {
    const auto end = std::min(content.find('\n', at), content.size());
    json_source source{content.substr(at, end - at)};
    if (auto text = json_string(source.root()); !text.empty()) // a line that was cut is passed over
      messages_.push_back(std::move(text));
    if (messages_.size() > most_messages)
      messages_.pop_front();
    at = end + 1;
  }
  if (lines > 2 * most_messages)
    shorten();
}

void input_history::shorten() {
  std::string content;
  for (const auto& each : messages_)
    content += to_json(each) + '\n';
  const auto fresh = fmt::format("{}.{}", file_, getpid());
  const open_file made{fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC};
  if (made.fd() < 0 || !made.write(content) || std::rename(fresh.c_str(), file_.c_str()) != 0)
    ::unlink(fresh.c_str()); // the long file is as good
}

bool input_history::add(const std::string& text) {
  if (text.empty() || (!messages_.empty() && messages_.back() == text))
    return false;
  messages_.push_back(text);
  if (messages_.size() > most_messages)
    messages_.pop_front();
  if (file_.empty() || text.size() > most_bytes)
    return true;
  const open_file opened{file_, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC};
  if (auto fault = fault_of(file_, opened.fd()); !fault.empty())
    fault_ = fault;
  else if (!opened.write(to_json(text) + '\n'))
    fault_ = file_ + ": " + last_error();
  return true;
}

} // namespace troupe
