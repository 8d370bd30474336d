// Uploaded files in a PostgreSQL of the test program's own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "messages/ids.hpp"
#include "tests/transport/postgres/postgres_fixture.hpp"
#include "transport/postgres/postgres_files.hpp"

namespace troupe::test {

/// A text of which every part is another one.
inline std::string many_bytes(size_t count) {
  std::string out;
  while (out.size() < count)
    out += std::to_string(out.size()) + " \0"[out.size() % 2];
  out.resize(count);
  return out;
}

inline stored_file file_of(const std::string& owner, int64_t created = 100) {
  stored_file out;
  out.id = make_id(file_id_prefix);
  out.owner = owner;
  out.filename = "a \"b\".png";
  out.media_type = "image/png";
  out.purpose = "vision";
  out.created_at = created;
  return out;
}

/// Keeps a file with these bytes.
inline stored_file keep(file_shelf& in, stored_file file, const std::string& bytes) {
  failure why;
  file.bytes = bytes.size();
  const auto writer = in.create(file.id, why);
  REQUIRE(writer != nullptr);
  for (size_t at = 0; at < bytes.size(); at += 100'000)
    REQUIRE_FALSE(writer->write(std::string_view{bytes}.substr(at, 100'000)));
  REQUIRE_FALSE(writer->end());
  REQUIRE_FALSE(in.keep(file));
  return file;
}

/// A database, and the shelf of its files.
struct opened_files {
  file_shelf& operator*() const { return *files; }
  int64_t count(const char* question) const { return folder.number(question); }

  postgres_folder folder;
  std::unique_ptr<file_shelf> files = (folder.open(), folder.port->open_files());
};

} // namespace troupe::test
