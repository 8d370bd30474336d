#include "messages/wire/multipart.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace multipart_test {

using namespace troupe;

namespace {

struct recorder final : multipart_reader {
  void begin(multipart_field field) override {
    seen.push_back(field.name + '|' + field.filename + '|' + field.media_type + '|' +
                   (field.is_file ? "file|" : "text|"));
  }
  void take(std::string_view bytes) override { seen.back() += bytes; }
  void end() override { seen.back() += '.'; }

  std::vector<std::string> seen;
};

/// Reads `form` in two pieces.
std::vector<std::string> read(std::string_view form, size_t cut, std::string* fault = nullptr,
                              bool* over = nullptr) {
  recorder to;
  multipart reader{"xyz", to};
  std::string why{reader.feed(form.substr(0, cut))};
  why = reader.feed(form.substr(cut));
  if (fault != nullptr)
    *fault = why;
  if (over != nullptr)
    *over = reader.is_over();
  return to.seen;
}

} // namespace

TEST_CASE("a form is the same wherever its bytes are cut", "[messages][multipart]") {
  const std::string form = "a preamble\r\n--xyz\r\n"
                           "Content-Disposition: form-data; name=\"purpose\"\r\n\r\nuser_data\r\n"
                           "--xyz  \r\ncontent-disposition: form-data; name=file; "
                           "filename=\"a \\\"b\\\" %22c%22.png\"\r\nContent-Type: image/png\r\n\r\n"
                           "\r\n--xy\r\n-\r\n--xyz\r\n"
                           "Content-Disposition: form-data; name=\"empty\"\r\n\r\n\r\n"
                           "--xyz--\r\nan epilogue";
  const std::vector<std::string> expected{"purpose|||text|user_data.",
                                          "file|a \"b\" \"c\".png|image/png|file|\r\n--xy\r\n-.",
                                          "empty|||text|."};
  for (size_t cut = 0; cut <= form.size(); ++cut) {
    bool over = false;
    CAPTURE(cut);
    CHECK(read(form, cut, nullptr, &over) == expected);
    CHECK(over);
  }
}

TEST_CASE("a file name may be given in the extended form", "[messages][multipart]") {
  const auto seen = read("--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"; "
                         "filename*=UTF-8''caf%C3%A9.pdf\r\n\r\n1\r\n--xyz--",
                         0);
  CHECK(seen == std::vector<std::string>{"file|caf\xC3\xA9.pdf||file|1."});
}

TEST_CASE("a broken form says what is wrong", "[messages][multipart]") {
  const auto fault_of = [](const std::string& form) {
    std::string fault;
    read(form, form.size() / 2, &fault);
    return fault;
  };
  CHECK(fault_of("--xyz\r\nContent-Type: a/b\r\n\r\nx\r\n--xyz--") == "a field has no name");
  CHECK(fault_of("--xyz\r\n\r\nx\r\n--xyz--") == "a field has no name");
  CHECK(fault_of("--xyz and more\r\n") == "a border is not a line of its own");
  CHECK(fault_of("--xyz\r\n" + std::string(20'000, 'a')) == "the head of a field is too long");
}

TEST_CASE("a form without its end is not over", "[messages][multipart]") {
  bool over = true;
  read("--xyz\r\nContent-Disposition: form-data; name=file\r\n\r\nhalf", 3, nullptr, &over);
  CHECK_FALSE(over);
}

TEST_CASE("a boundary is that of a form only", "[messages][multipart]") {
  CHECK(form_boundary("multipart/form-data; boundary=abc") == "abc");
  CHECK(form_boundary("Multipart/Form-Data; charset=x; Boundary=\"a b\"") == "a b");
  CHECK(form_boundary("multipart/form-data").empty());
  CHECK(form_boundary("multipart/mixed; boundary=abc").empty());
  CHECK(form_boundary("multipart/form-data; boundary=" + std::string(71, 'a')).empty());
  CHECK(form_boundary("image/png").empty());
}

} // namespace multipart_test
