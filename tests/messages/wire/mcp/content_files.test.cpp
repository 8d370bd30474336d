#include "messages/wire/mcp/content_files.hpp"

#include "messages/wire/mcp/prompts.hpp"
#include "tests/support/catch.hpp"

namespace content_files_test {

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
  auto images = mcp::files_of_result(result(R"({"type":"text","text":"an \"image\""},)" +
                                            image("AAAA") + "," + image("BBB=", "image/svg+xml")));
  REQUIRE(images.size() == 2);
  CHECK(images[0].media_type == "image/png");
  CHECK(images[0].url == "data:image/png;base64,AAAA");
  CHECK(images[1].url == "data:image/svg+xml;base64,BBB=");
}

TEST_CASE("what is no image, or could end a URL, is left out", "[messages][mcp]") {
  CHECK(mcp::files_of_result("").empty());
  CHECK(mcp::files_of_result(R"({"content":"image"})").empty());
  CHECK(mcp::files_of_result(R"({"content":[{"type":"image")").empty());
  CHECK(mcp::files_of_result(result(R"({"type":"text","text":"image"})")).empty());
  CHECK(mcp::files_of_result(result(image("AAAA", "text/html"))).empty());
  CHECK(mcp::files_of_result(result(image("AAAA", "image/png;x"))).empty());
  CHECK(mcp::files_of_result(result(image("AA\\\"AA"))).empty());
  CHECK(mcp::files_of_result(result(image(""))).empty());
}

TEST_CASE("a file is one in every envelope, with line ends, as a data URL, and without a type",
          "[messages][mcp]") {
  const auto resource = [](const std::string& members) {
    return result(R"({"type":"resource","resource":{"uri":"u",)" + members + "}}");
  };
  const auto only = [](const std::string& json) {
    const auto files = mcp::files_of_result(json);
    return files.size() == 1 ? files[0].url : std::to_string(files.size());
  };
  CHECK(only(resource(R"("mimeType":"image/png","blob":"AAAA")")) == "data:image/png;base64,AAAA");
  CHECK(only(resource(R"("mimeType":"application/pdf","blob":"JVBE")")) ==
        "data:application/pdf;base64,JVBE");
  CHECK(only(resource(R"("mimeType":"text/csv; charset=utf-8","blob":"YSxi")")) ==
        "data:text/csv;base64,YSxi");
  CHECK(only(result(R"({"type":"audio","mimeType":"audio/wav","data":"UklG"})")) ==
        "data:audio/wav;base64,UklG");
  CHECK(only(result(image("AA\\nAA\\r\\n"))) == "data:image/png;base64,AAAA");
  CHECK(only(result(image("data:image/gif;base64,R0lGOD", ""))) == "data:image/gif;base64,R0lGOD");
  CHECK(only(resource(R"("blob":"iVBORw0KGgoAAA")")) == "data:image/png;base64,iVBORw0KGgoAAA");
  CHECK(only(resource(R"("mimeType":"application/octet-stream","blob":"/9j/AAAA")")) ==
        "data:image/jpeg;base64,/9j/AAAA");
  CHECK(only(resource(R"("mimeType":"IMAGE/PNG","blob":"AAAA")")) == "data:image/png;base64,AAAA");
  CHECK(only(resource(R"("mimeType":"application/zip","blob":"UEsD")")) == "0");
  CHECK(only(resource(R"("text":"a \"blob\"")")) == "0");
}

TEST_CASE("images beyond the bound are left out", "[messages][mcp]") {
  std::string large(mcp::max_file_bytes / 2, 'A');
  auto images =
      mcp::files_of_result(result(image(large) + "," + image(large) + "," + image("AAAA")));
  CHECK(images.size() == 1);
  CHECK(mcp::files_of_result(result(image(large + large + large))).empty());
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

} // namespace content_files_test
