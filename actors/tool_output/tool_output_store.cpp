#include "actors/tool_output/tool_output_store.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <caf/all.hpp>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actors/quiet.hpp"
#include "messages/ids.hpp"
#include "messages/private_files.hpp"

namespace troupe {

// -- tool output folder ---------------------------------------------------------------------------

namespace {

constexpr std::string_view prefix = "tool-";
constexpr std::string_view suffix = ".txt";
constexpr size_t max_id = 40;

/// The model chose the id, so only letters and digits of it go into the file name.
std::string file_name(std::string_view call_id) {
  std::string name{prefix};
  for (char c : call_id.substr(0, max_id))
    name.push_back(
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_');
  return name.append(make_id("-")).append(suffix);
}

bool is_safe(const std::string& path, int folder) {
  struct stat about {};
  return ::fstat(folder, &about) == 0 &&
         folder_fault(path, {about.st_uid, about.st_mode}, ::geteuid()).empty();
}

std::string absolute(std::string_view path) {
  std::error_code bad;
  auto full = std::filesystem::absolute(path, bad);
  return bad ? std::string{path} : full.lexically_normal().string();
}

} // namespace

tool_output_folder::tool_output_folder(std::string_view path, uint64_t max_bytes)
    : path_{absolute(path)}, max_bytes_{max_bytes} {
  while (path_.size() > 1 && path_.ends_with('/'))
    path_.pop_back();
}

tool_output_folder::~tool_output_folder() {
  close();
}

std::string tool_output_folder::write(std::string_view call_id, std::string_view text) {
  if (!open() || !make_room(text.size()))
    return {};
  auto name = file_name(call_id);
  if (!write_file(name, text)) {
    close(); // the folder may have been deleted: the next write makes it again
    return {};
  }
  files_.push_back({name, text.size(), 0});
  bytes_ += text.size();
  return path_ + '/' + name;
}

bool tool_output_folder::open() {
  struct stat about {};
  if (folder_ >= 0 && ::fstat(folder_, &about) == 0 && about.st_nlink > 0)
    return true;
  close();
  if (path_.empty())
    return false;
  std::error_code ignored; // a failure shows in open() below
  std::filesystem::create_directories(std::filesystem::path{path_}.parent_path(), ignored);
  ::mkdir(path_.c_str(), S_IRWXU);
  folder_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder_ < 0 || !is_safe(path_, folder_)) {
    close();
    return false;
  }
  list_files();
  return true;
}

void tool_output_folder::close() {
  if (folder_ >= 0)
    ::close(folder_);
  folder_ = -1;
  files_.clear();
  bytes_ = 0;
}

void tool_output_folder::list_files() {
  auto end_listing = [](DIR* listing) { ::closedir(listing); };
  std::unique_ptr<DIR, decltype(end_listing)> listing{::opendir(path_.c_str()), end_listing};
  if (!listing)
    return;
  while (const auto* each = ::readdir(listing.get())) {
    std::string name{each->d_name};
    struct stat about {};
    if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
        ::fstatat(folder_, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(about.st_mode))
      continue;
    auto bytes = static_cast<uint64_t>(about.st_size);
    files_.push_back(
        {std::move(name), bytes, about.st_mtim.tv_sec * 1'000'000'000 + about.st_mtim.tv_nsec});
    bytes_ += bytes;
  }
  std::sort(files_.begin(), files_.end(),
            [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
}

/// Deletes the oldest files until `bytes` more fit.
bool tool_output_folder::make_room(uint64_t bytes) {
  if (bytes > max_bytes_)
    return false;
  while (!files_.empty() && bytes_ + bytes > max_bytes_) {
    ::unlinkat(folder_, files_.front().name.c_str(), 0);
    bytes_ -= files_.front().bytes;
    files_.pop_front();
  }
  return true;
}

bool tool_output_folder::write_file(const std::string& name, std::string_view text) const {
  auto out = ::openat(folder_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      S_IRUSR | S_IWUSR);
  if (out < 0)
    return false;
  while (!text.empty()) {
    auto written = ::write(out, text.data(), text.size());
    if (written < 0 && errno != EINTR)
      break;
    text.remove_prefix(written < 0 ? 0 : static_cast<size_t>(written));
  }
  auto complete = ::close(out) == 0 && text.empty();
  if (!complete)
    ::unlinkat(folder_, name.c_str(), 0);
  return complete;
}

// -- tool output store ----------------------------------------------------------------------------

namespace {

struct tool_output_store_state {
  static inline const char* name = "troupe.tool_output_store";

  std::string on_text(const std::string& call_id, const std::string& text) {
    self->mailbox().fetch_more();
    if (self->mailbox().size() > max_waiting)
      return {}; // the disk is too slow, and waiting texts are held in memory
    return folder->write(call_id, text);
  }

  tool_output_store_actor::pointer self = nullptr;
  std::unique_ptr<tool_output_folder> folder;
  size_t max_waiting = 0;
};

tool_output_store_actor::behavior_type
tool_output_store(tool_output_store_actor::stateful_pointer<tool_output_store_state> self,
                  const tool_output_config& config) {
  auto& state = self->state;
  quiet(self);
  state.self = self;
  state.folder = std::make_unique<tool_output_folder>(config.folder, config.max_bytes);
  state.max_waiting = config.max_waiting;
  return {
      [&state](const std::string& call_id, const std::string& text) {
        return state.on_text(call_id, text);
      },
  };
}

} // namespace

tool_output_store_actor spawn_tool_output_store(caf::local_actor& parent,
                                                tool_output_config config) {
  return parent.spawn<caf::linked + caf::detached>(tool_output_store, std::move(config));
}

} // namespace troupe
