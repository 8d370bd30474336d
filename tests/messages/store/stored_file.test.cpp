#include "messages/store/stored_file.hpp"

#include "messages/ids.hpp"
#include "tests/support/catch.hpp"

namespace stored_file_test {

using namespace troupe;

TEST_CASE("a file is named by its id, or by its address", "[messages][stored_file]") {
  const auto id = make_id(file_id_prefix);
  CHECK(is_file_id(id));
  CHECK(file_id_in(id) == id);
  CHECK(file_id_in("/v1/files/" + id) == id);
  CHECK(file_id_in("/v1/files/" + id + "/content") == id);
  CHECK(file_url(id) == "/v1/files/" + id);
  CHECK(file_url("/v1/files/" + id + "/content") == "/v1/files/" + id);
}

TEST_CASE("anything else is no file, and stays as it is", "[messages][stored_file]") {
  const auto id = make_id(file_id_prefix);
  for (const auto& each :
       {std::string{}, std::string{"file-"}, "file-" + std::string(24, '.'), id + "x",
        "/v1/files/../" + id, "/v1/files/" + id + "/other", "https://host/v1/files/" + id,
        std::string{"data:image/png;base64,AAAA"}, std::string{"file-ABCDEFGHIJKLMNOPQRSTUVWX"}}) {
    CAPTURE(each);
    CHECK(file_id_in(each).empty());
    CHECK(file_url(each) == each);
  }
}

} // namespace stored_file_test
