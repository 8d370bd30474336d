#include "actors/files/file_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/private_files.hpp"
#include "messages/wire/json/json_fields.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr std::string_view bytes_end = ".bin";
constexpr std::string_view text_end = ".json";
constexpr std::string_view unfinished = ".new";
constexpr size_t max_description = 16 << 20;
constexpr mode_t private_file = S_IRUSR | S_IWUSR;

std::string name_of(std::string_view id, std::string_view end) {
  return std::string{id}.append(end);
}

/// Reads at most `most` bytes. Returns whether it could.
bool read_some(int from, uint64_t offset, size_t most, std::string& out) {
  while (most > 0) {
    std::array<char, 64 * 1024> piece;
    const auto got =
        ::pread(from, piece.data(), std::min(piece.size(), most), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got == 0;
    out.append(piece.data(), static_cast<size_t>(got));
    offset += static_cast<uint64_t>(got);
    most -= static_cast<size_t>(got);
  }
  return true;
}

std::vector<std::string> names_in(int folder) {
  std::vector<std::string> out;
  const auto again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  auto close = [](DIR* listing) { ::closedir(listing); };
  std::unique_ptr<DIR, decltype(close)> listing{again < 0 ? nullptr : ::fdopendir(again), close};
  if (!listing)
    return out;
  while (const auto* each = ::readdir(listing.get()))
    out.emplace_back(each->d_name);
  return out;
}

/// Returns the description, if it is one of a file of this id.
std::optional<stored_file> parse_description(const std::string& text, std::string_view id) {
  const json_source json{text};
  stored_file out;
  uint64_t read = 0;
  json_misfit bad;
  const auto is_whole = for_each_member(json.root(), [&](std::string_view key, json_value value) {
    bad = read_json_member(key, value, out, read);
    return !bad;
  });
  return is_whole && out.id == id ? std::optional{std::move(out)} : std::nullopt;
}

/// Writes all of it. @return whether it did; else errno says why not
bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return false;
    bytes.remove_prefix(written < 0 ? 0 : static_cast<size_t>(written));
  }
  return true;
}

class descriptor_writer final : public file_writer {
public:
  explicit descriptor_writer(int to) : to_{to} {}
  ~descriptor_writer() override { ::close(to_); }
  descriptor_writer(const descriptor_writer&) = delete;
  descriptor_writer& operator=(const descriptor_writer&) = delete;

  failure write(std::string_view bytes) override { return judge(write_all(to_, bytes)); }
  failure end() override { return judge(::fdatasync(to_) == 0); }

private:
  static failure judge(bool well) {
    return well ? failure{} : disk_failure("write", "an uploaded file", errno);
  }

  int to_;
};

} // namespace

failure disk_failure(std::string_view doing, std::string_view path, int number) {
  const bool full = number == ENOSPC || number == EDQUOT;
  return {full ? errc::store_full : errc::store_read_only,
          fmt::format("cannot {} {}: {}; {}", doing, path, std::strerror(number),
                      full ? "make room on the disk" : "let the server's user write there")};
}

file_folder::~file_folder() {
  if (folder_ >= 0)
    ::close(folder_);
}

failure file_folder::open() {
  if (folder_ >= 0)
    return {};
  if (::mkdir(path_.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return disk_failure("make the folder", path_, errno);
  const auto opened = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0)
    return disk_failure("open the folder", path_, errno);
  struct stat about {};
  auto why = ::fstat(opened, &about) != 0
                 ? std::string{"cannot look at the folder "} + path_
                 : folder_fault(path_, {about.st_uid, about.st_mode}, ::geteuid());
  if (!why.empty()) {
    ::close(opened);
    return {errc::store_failed, std::move(why)};
  }
  folder_ = opened;
  return {};
}

std::vector<stored_file> file_folder::load() {
  std::vector<stored_file> out;
  if (open())
    return out;
  std::unordered_set<std::string> whole;
  const auto names = names_in(folder_);
  for (const auto& name : names) {
    if (!name.ends_with(text_end))
      continue;
    const auto id = name.substr(0, name.size() - text_end.size());
    whole.insert(id); // also if it was written by another version, and is not read here
    std::string text;
    const auto from = ::openat(folder_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    const bool got = from >= 0 && read_some(from, 0, max_description, text);
    if (from >= 0)
      ::close(from);
    if (auto read = got && is_file_id(id) ? parse_description(text, id) : std::nullopt)
      out.push_back(std::move(*read));
  }
  for (const auto& name : names)
    if (const auto id = name.substr(0, name.find('.'));
        is_file_id(id) && (!whole.contains(id) || name.ends_with(unfinished)))
      ::unlinkat(folder_, name.c_str(), 0);
  return out;
}

std::unique_ptr<file_writer> file_folder::create(const std::string& id, failure& why) {
  if (why = open(); why)
    return nullptr;
  const auto opened = ::openat(folder_, name_of(id, bytes_end).c_str(),
                               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, private_file);
  if (opened >= 0)
    return std::make_unique<descriptor_writer>(opened);
  why = disk_failure("make a file in", path_, errno);
  return nullptr;
}

failure file_folder::describe(const stored_file& file) {
  return write_whole(name_of(file.id, text_end), to_json(file));
}

int64_t file_folder::described_at(std::string_view id) const {
  struct stat about {};
  const auto name = name_of(id, text_end);
  return ::fstatat(folder_, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 ? about.st_mtime : 0;
}

/// The text is written beside its place and renamed: no reader sees half of it.
failure file_folder::write_whole(const std::string& name, std::string_view text) {
  if (auto bad = open())
    return bad;
  const auto beside = std::string{name}.append(unfinished);
  const auto to = ::openat(folder_, beside.c_str(),
                           O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, private_file);
  if (to < 0)
    return disk_failure("make a file in", path_, errno);
  const bool written = write_all(to, text) && ::fdatasync(to) == 0;
  const auto number = errno;
  ::close(to);
  if (written && ::renameat(folder_, beside.c_str(), folder_, name.c_str()) == 0)
    return {};
  const auto why = written ? errno : number;
  ::unlinkat(folder_, beside.c_str(), 0);
  return disk_failure("write to", path_, why);
}

/// Without its description a file is not there: that goes first.
failure file_folder::remove(const std::string& id) {
  if (auto bad = open())
    return bad;
  ::unlinkat(folder_, name_of(id, text_end).c_str(), 0);
  ::unlinkat(folder_, name_of(id, bytes_end).c_str(), 0);
  return {};
}

failure file_folder::read(std::string_view id, uint64_t offset, size_t most,
                          std::string& out) const {
  const auto from =
      ::openat(folder_, name_of(id, bytes_end).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (from < 0)
    return file_bytes_gone();
  const bool got = read_some(from, offset, most, out);
  const auto number = errno;
  ::close(from);
  return got ? failure{} : disk_failure("read in", path_, number);
}

} // namespace troupe
