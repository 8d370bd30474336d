#include "actors/session/chat_files.hpp"

#include "messages/ids.hpp"
#include "tests/support/catch.hpp"

namespace chat_files_test {

using namespace troupe;

namespace {

using strings = std::vector<std::string>;

chat_message said(role who, const strings& urls) {
  chat_message out;
  out.who = who;
  for (const auto& url : urls)
    out.files.push_back({"image/png", url});
  return out;
}

std::string url_of(const std::string& id) {
  return "/v1/files/" + id;
}

const strings ids{make_id("file-"), make_id("file-"), make_id("file-")};

} // namespace

TEST_CASE("each file that a history names is named once, the newest last", "[actors][chat_files]") {
  const auto named = files_named_in(
      {said(role::user, {url_of(ids[0]), "data:image/png;base64,AAAA", url_of(ids[1])}),
       said(role::assistant, {}), said(role::user, {url_of(ids[2]), url_of(ids[0])})});
  CHECK(named.ids == strings{ids[1], ids[2], ids[0]});
  CHECK(named.fresh == 2);
}

TEST_CASE("a file that the new message names twice counts once", "[actors][chat_files]") {
  const auto named = files_named_in({said(role::user, {url_of(ids[0]), url_of(ids[0])})});
  CHECK(named.ids == strings{ids[0]});
  CHECK(named.fresh == 1);
}

TEST_CASE("only files of a user's message to be answered are new", "[actors][chat_files]") {
  CHECK(files_named_in({said(role::user, {url_of(ids[0])}), said(role::assistant, {})}).fresh == 0);
  CHECK(files_named_in({}).ids.empty());
}

TEST_CASE("a model gets the bytes of the files that are there", "[actors][chat_files]") {
  const auto told =
      with_contents({said(role::user, {url_of(ids[0]), url_of(ids[1]), "https://host/a.png"})},
                    {{ids[0], "image/jpeg", "a.jpg", "data:image/jpeg;base64,AAAA"}});
  const auto& files = told.at(0).files;
  CHECK(files[0].url == "data:image/jpeg;base64,AAAA");
  CHECK(files[0].media_type == "image/jpeg");
  CHECK(files[0].filename == "a.jpg");
  CHECK(files[1].url == url_of(ids[1]));
  CHECK(files[2].url == "https://host/a.png");
}

} // namespace chat_files_test
