#include "messages/message_pieces.hpp"

#include "tests/support/catch.hpp"

using namespace troupe;

namespace {

/// Texts in quotes, files by their names.
std::string order_of(const chat_message& message) {
  std::string out;
  for (const auto& piece : pieces_of(message.text, message.files))
    out += piece.file != nullptr ? piece.file->filename : "'" + std::string{piece.text} + "'";
  return out;
}

struct user_message : chat_message {
  user_message& says(std::string_view more) {
    append_behind(more, text, files);
    return *this;
  }
  user_message& shows(const std::string& name) {
    files.push_back({"image/png", "http://h/", name});
    return *this;
  }
};

} // namespace

TEST_CASE("files stand where they were added to the text", "[messages][pieces]") {
  CHECK(order_of(user_message{}).empty());
  CHECK(order_of(user_message{}.says("one")) == "'one'");
  CHECK(order_of(user_message{}.shows("a").shows("b")) == "ab");
  CHECK(order_of(user_message{}.shows("a").says("one")) == "a'one'");
  CHECK(order_of(user_message{}.says("one").shows("a").shows("b").says("\ntwo").shows("c")) ==
        "'one'ab'two'c");
}

TEST_CASE("one line end between texts is none of theirs, others are", "[messages][pieces]") {
  CHECK(order_of(user_message{}.says("one\n").shows("a").says("\n\ntwo")) == "'one\n'a'\ntwo'");
  CHECK(order_of(user_message{}.shows("a").says("\ntwo")) == "a'\ntwo'");
  CHECK(order_of(user_message{}.says("one\n").shows("a")) == "'one\n'a");
  CHECK(order_of(user_message{}.says("one").shows("a").says("\n")) == "'one'a");
}

TEST_CASE("a file that stands before the text's beginning stands there", "[messages][pieces]") {
  chat_message wrong;
  wrong.text = "one";
  wrong.files = {{"image/png", "http://h/", "a", "", 99}, {"image/png", "http://h/", "b", "", 1}};
  CHECK(order_of(wrong) == "a'on'b'e'");
}
