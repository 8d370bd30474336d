#include "apps/troupe/folder_owner.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/catch.hpp"

namespace folder_owner_test {

using namespace troupe;

TEST_CASE("root becomes the owner of a folder that its owner could use", "[apps][folder_owner]") {
  constexpr uint32_t root = 0;
  CHECK(should_become_owner("/d", {1000, S_IFDIR | 0700}, root));
  CHECK(should_become_owner("/d", {1000, S_IFDIR | 0755}, root));
  CHECK_FALSE(should_become_owner("/d", {root, S_IFDIR | 0700}, root));
  CHECK_FALSE(should_become_owner("/d", {1000, S_IFREG | 0600}, root));
  // What others may write in is refused, whoever runs.
  CHECK_FALSE(should_become_owner("/d", {1000, S_IFDIR | 0770}, root));
  CHECK_FALSE(should_become_owner("/d", {1000, S_IFDIR | 0777}, root));
  CHECK_FALSE(should_become_owner("/d", {1000, S_IFDIR | 01777}, root));
}

TEST_CASE("no other user becomes anybody", "[apps][folder_owner]") {
  for (const uint32_t user : {1000U, 1001U, 65534U})
    CHECK_FALSE(should_become_owner("/d", {1000, S_IFDIR | 0700}, user));
}

TEST_CASE("a process stays who it is without a folder of somebody else", "[apps][folder_owner]") {
  std::string name = "/tmp/troupe-owner-XXXXXX";
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  const auto user = ::geteuid();
  for (const auto& folder : {std::string{}, name, name + "/new", std::string{"/tmp"}}) {
    std::string told;
    CHECK_FALSE(become_owner_of(folder, told));
    CHECK(told.empty());
    CHECK(::geteuid() == user);
  }
  std::filesystem::remove(name);
}

} // namespace folder_owner_test
