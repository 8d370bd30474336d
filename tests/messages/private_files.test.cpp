#include "messages/private_files.hpp"

#include <sys/stat.h>

#include "tests/support/catch.hpp"

namespace private_files_test {

using namespace troupe;

TEST_CASE("a folder is safe if it is ours and only we write in it", "[messages][private_files]") {
  for (const uint32_t mode : {0700U, 0755U, 0750U, 0500U, 02755U, 01700U})
    CHECK(folder_fault("/d", {7, S_IFDIR | mode}, 7).empty());
  for (const uint32_t mode : {0777U, 0775U, 0720U, 0702U, 02775U})
    CHECK(folder_fault("/d", {7, S_IFDIR | mode}, 7).find("chmod go-w /d") != std::string::npos);
  CHECK(folder_fault("/d", {8, S_IFDIR | 0700}, 7).find("chown 7 /d") != std::string::npos);
  CHECK(folder_fault("/d", {8, S_IFDIR | 0755}, 0).find("belongs to user 8") != std::string::npos);
  CHECK(folder_fault("/d", {0, S_IFDIR | 0755}, 7).find("belongs to user 0") != std::string::npos);
}

TEST_CASE("a folder for everybody is no place, whoever runs", "[messages][private_files]") {
  for (const uint32_t user : {0U, 7U})
    CHECK(folder_fault("/tmp", {0, S_IFDIR | 01777}, user).find("as /tmp/troupe") !=
          std::string::npos);
}

TEST_CASE("a file is safe if it is plain, ours, and has one name", "[messages][private_files]") {
  CHECK(file_fault("/f", {7, S_IFREG | 0644}, 7).empty());
  CHECK(file_fault("/f", {7, S_IFREG | 0600, 0}, 7).empty()); // deleted a moment ago
  CHECK(file_fault("/f", {7, S_IFLNK | 0777}, 7).find("is a link") != std::string::npos);
  for (const uint32_t kind : {S_IFDIR, S_IFIFO, S_IFSOCK, S_IFCHR, S_IFBLK})
    CHECK(file_fault("/f", {7, kind | 0600}, 7).find("not a regular") != std::string::npos);
  CHECK(file_fault("/f", {8, S_IFREG | 0600}, 7).find("belongs to user 8") != std::string::npos);
  CHECK(file_fault("/f", {7, S_IFREG | 0600, 2}, 7).find("2 names") != std::string::npos);
}

TEST_CASE("a mode shows who may use a file", "[messages][private_files]") {
  CHECK_FALSE(is_open_to_others({7, S_IFREG | 0600}));
  for (const uint32_t mode : {0640U, 0604U, 0620U, 0602U, 0601U, 0666U})
    CHECK(is_open_to_others({7, S_IFREG | mode}));
  CHECK(mode_text(S_IFREG | 0644) == "0644");
  CHECK(mode_text(S_IFDIR | 01777) == "1777");
}

} // namespace private_files_test
