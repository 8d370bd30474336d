#include "messages/wire/mcp/images.hpp"

#include "messages/wire/mcp/prompts.hpp"
#include "tests/support/catch.hpp"

namespace mcp_images_test {

using namespace troupe;

namespace {

std::string image(const std::string& data, const std::string& type = "image/png") {
  return R"({"type":"image","data":")" + data + R"(","mimeType":")" + type + R"("})";
}

std::string result(const std::string& parts) {
  return R"({"content":[)" + parts + "]}";
}

} // namespace

TEST_CASE("the images of a result become data URLs in their order", "[messages][mcp]") {
  auto images = mcp::images_of(result(R"({"type":"text","text":"an \"image\""},)" + image("AAAA") +
                                      "," + image("BBB=", "image/svg+xml")));
  REQUIRE(images.size() == 2);
  CHECK(images[0].media_type == "image/png");
  CHECK(images[0].url == "data:image/png;base64,AAAA");
  CHECK(images[1].url == "data:image/svg+xml;base64,BBB=");
}

TEST_CASE("what is no image, or could end a URL, is left out", "[messages][mcp]") {
  CHECK(mcp::images_of("").empty());
  CHECK(mcp::images_of(R"({"content":"image"})").empty());
  CHECK(mcp::images_of(R"({"content":[{"type":"image")").empty());
  CHECK(mcp::images_of(result(R"({"type":"text","text":"image"})")).empty());
  CHECK(mcp::images_of(result(image("AAAA", "text/html"))).empty());
  CHECK(mcp::images_of(result(image("AAAA", "image/png;x"))).empty());
  CHECK(mcp::images_of(result(image("AA\\\"AA"))).empty());
  CHECK(mcp::images_of(result(image(""))).empty());
}

TEST_CASE("images beyond the bound are left out", "[messages][mcp]") {
  std::string large(mcp::max_image_bytes / 2, 'A');
  auto images = mcp::images_of(result(image(large) + "," + image(large) + "," + image("AAAA")));
  CHECK(images.size() == 1);
  CHECK(mcp::images_of(result(image(large + large + large))).empty());
}

TEST_CASE("images of a prompt's user are files, those of an assistant notes", "[messages][mcp]") {
  mcp::prompt_result read;
  REQUIRE_FALSE(mcp::parse(R"({"messages":[{"role":"user","content":)" + image("AAAA") +
                               R"(},{"role":"assistant","content":)" + image("AAAA") + "}]}",
                           read));
  REQUIRE(read.messages.size() == 2);
  CHECK(read.messages[0].text.empty());
  CHECK(read.messages[0].files.at(0).url == "data:image/png;base64,AAAA");
  CHECK(read.messages[1].files.empty());
  CHECK(read.messages[1].text == "[image image/png, 3 bytes]");
}

TEST_CASE("the params of a prompt take arguments as they stand", "[messages][mcp]") {
  CHECK(mcp::raw_prompt_params("p", raw_json{R"({"a":"b"})"}) ==
        R"({"name":"p","arguments":{"a":"b"}})");
  CHECK(mcp::raw_prompt_params("p", raw_json{}) == R"({"name":"p","arguments":{}})");
}

} // namespace mcp_images_test
