#include "messages/wire/mcp/resources.hpp"

#include "tests/support/catch.hpp"

namespace mcp_resources_test {

using namespace troupe;

namespace {

/// Says why a text is refused as what is read into `out`.
template <class T>
std::string refusal(std::string_view text) {
  T read;
  auto bad = mcp::parse(text, read);
  CHECK(bad.code == errc::server_protocol);
  return bad.message;
}

} // namespace

TEST_CASE("a page of resources is read", "[messages][mcp_resources]") {
  mcp::resources_page page;
  REQUIRE_FALSE(mcp::parse(R"({"resources":[
    {"uri":"a://1","name":"n","title":"t","description":"d","mimeType":"text/plain","size":12,
     "annotations":{"priority" : 1},"icons":[]},
    {"uri":"a://2","size":-1,"annotations":[],"name":null}],"nextCursor":"c"})",
                           page));
  REQUIRE(page.resources.size() == 2);
  const auto& first = page.resources[0];
  CHECK(first.uri == "a://1");
  CHECK(first.name == "n");
  CHECK(first.title == "t");
  CHECK(first.description == "d");
  CHECK(first.mime_type == "text/plain");
  CHECK(first.size == 12);
  CHECK(first.annotations.text == R"({"priority" : 1})");
  CHECK(page.resources[1].size == 0);
  CHECK(page.resources[1].annotations.text.empty());
  CHECK(page.next_cursor == "c");
  REQUIRE_FALSE(mcp::parse(R"({"resources":[]})", page));
  CHECK(page.resources.empty());
  CHECK(page.next_cursor.empty());
}

TEST_CASE("a page of resource templates is read", "[messages][mcp_resources]") {
  mcp::templates_page page;
  REQUIRE_FALSE(mcp::parse(R"({"resourceTemplates":[{"uriTemplate":"a://{id}","name":"n",
    "title":"t","description":"d","mimeType":"m"},{"uriTemplate":"b://"}],"nextCursor":"c"})",
                           page));
  REQUIRE(page.templates.size() == 2);
  CHECK(page.templates[0].uri_template == "a://{id}");
  CHECK(page.templates[0].name == "n");
  CHECK(page.templates[0].title == "t");
  CHECK(page.templates[0].description == "d");
  CHECK(page.templates[0].mime_type == "m");
  CHECK(page.next_cursor == "c");
}

TEST_CASE("contents are text or binary", "[messages][mcp_resources]") {
  std::vector<mcp::resource_contents> contents(1);
  REQUIRE_FALSE(mcp::parse(R"({"contents":[{"uri":"a","mimeType":"text/plain","text":"h\u00e9"},
    {"uri":"b","mimeType":"image/png","blob":"QUI="},{"blob":""},{"text":""}]})",
                           contents));
  REQUIRE(contents.size() == 4);
  CHECK(contents[0].uri == "a");
  CHECK(contents[0].mime_type == "text/plain");
  CHECK(contents[0].text == "h\xC3\xA9");
  CHECK_FALSE(contents[0].is_binary);
  CHECK(contents[1].blob == "QUI=");
  CHECK(contents[1].is_binary);
  CHECK(mcp::to_text(contents) ==
        "h\xC3\xA9\n[Binary content: image/png]\n[Binary content: unknown type]\n");
  CHECK(mcp::to_text({}).empty());
}

TEST_CASE("an update names its resource", "[messages][mcp_resources]") {
  std::string uri;
  CHECK_FALSE(mcp::parse_updated(R"({"uri":"a://\"1"})", uri));
  CHECK(uri == "a://\"1");
  CHECK(mcp::uri_params(uri) == R"({"uri":"a://\"1"})");
  for (auto text : {"", "[]", "{}", R"({"uri":7})", R"({"uri":"a)"})
    CHECK(mcp::parse_updated(text, uri).code == errc::server_protocol);
}

TEST_CASE("a bad resource in a server's list is left out and named", "[messages][mcp_resources]") {
  mcp::resources_page page;
  REQUIRE_FALSE(mcp::parse(R"({"resources":[{"name":"x"},{"uri":"a"},1]})", page));
  REQUIRE(page.resources.size() == 1);
  CHECK(page.resources[0].uri == "a");
  CHECK(page.left_out == std::vector<std::string>{"resources/list: resource 0 has no uri",
                                                  "resources/list: resource 2 has no uri"});
  mcp::templates_page templates;
  REQUIRE_FALSE(mcp::parse(R"({"resourceTemplates":[{"uri":"x"}]})", templates));
  CHECK(templates.templates.empty());
  CHECK(templates.left_out ==
        std::vector<std::string>{"resources/templates/list: template 0 has no uriTemplate"});
}

TEST_CASE("a bad resource is named", "[messages][mcp_resources]") {
  using contents = std::vector<mcp::resource_contents>;
  CHECK(refusal<mcp::resources_page>("{}") == "resources/list: there is no array \"resources\"");
  CHECK(refusal<mcp::resources_page>("[]") == "resources/list: a JSON object is expected");
  CHECK(refusal<contents>(R"({"contents":[{"text":"x"},{"uri":"x"}]})") ==
        "resources/read: contents[1] has neither text nor blob");
  CHECK(refusal<contents>(R"({"contents":{}})") ==
        "resources/read: there is no array \"contents\"");
}

TEST_CASE("what breaks off is no list of resources", "[messages][mcp_resources]") {
  const std::string list = R"({"resources":[{"uri":"a","name":"\u00e9"}],"nextCursor":"c"})";
  const std::string templates = R"({"resourceTemplates":[{"uriTemplate":"a{b}"}]})";
  const std::string contents = R"({"contents":[{"uri":"a","text":"\ud83d\ude00"}]})";
  for (size_t cut = 0; cut < list.size(); ++cut)
    CHECK(refusal<mcp::resources_page>(std::string{list.data(), cut}).find("not JSON") !=
          std::string::npos);
  for (size_t cut = 0; cut < templates.size(); ++cut)
    CHECK(refusal<mcp::templates_page>(std::string{templates.data(), cut}).find("not JSON") !=
          std::string::npos);
  for (size_t cut = 0; cut < contents.size(); ++cut)
    CHECK(refusal<std::vector<mcp::resource_contents>>(std::string{contents.data(), cut})
              .find("not JSON") != std::string::npos);
}

} // namespace mcp_resources_test
