#include "apps/troupe/conversations/exported_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace troupe {

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

} // namespace troupe
