#include "messages/chat/message_layout.hpp"

#include "tests/support/catch.hpp"

namespace message_layout_test {

using namespace troupe;

namespace {

/// Texts in quotes, files by their names.
std::string order_of(const chat_message& message) {
  std::string out;
  for (const auto& piece : pieces_of(message.text, message.files))
    out += piece.file != nullptr ? piece.file->filename : "'" + std::string{piece.text} + "'";
  return out;
}

struct user_message {
  user_message& says(std::string_view more) {
    pieces.text(more);
    return *this;
  }
  user_message& lines(std::string_view more) {
    pieces.line(more);
    return *this;
  }
  user_message& shows(const std::string& name) {
    whole.files.push_back({"image/png", "http://h/", name});
    return *this;
  }

  chat_message whole;
  piece_collector pieces{whole.text, whole.files};
};

std::string order_of(user_message& message) {
  message.pieces.end();
  return order_of(message.whole);
}

} // namespace

TEST_CASE("files stand where they were added to the text", "[messages][pieces]") {
  CHECK(order_of(chat_message{}).empty());
  CHECK(order_of(user_message{}.says("one")) == "'one'");
  CHECK(order_of(user_message{}.shows("a").shows("b")) == "ab");
  CHECK(order_of(user_message{}.shows("a").says("one")) == "a'one'");
  CHECK(order_of(user_message{}.says("one").shows("a").shows("b").says("two").shows("c")) ==
        "'one'ab'two'c");
  CHECK(order_of(user_message{}.says("o").says("ne").shows("a").says("t").says("wo")) ==
        "'one'a'two'");
}

TEST_CASE("one line end between texts is none of theirs, others are", "[messages][pieces]") {
  CHECK(order_of(user_message{}.says("one\n").shows("a").says("\ntwo")) == "'one\n'a'\ntwo'");
  CHECK(order_of(user_message{}.shows("a").says("\ntwo")) == "a'\ntwo'");
  CHECK(order_of(user_message{}.says("one\n").shows("a")) == "'one\n'a");
}

TEST_CASE("the text alone has each line, and those behind files, on a line", "[messages][pieces]") {
  user_message message;
  message.lines("one").lines("two").shows("a").says("three").says("!").lines("");
  CHECK(order_of(message) == "'one\ntwo'a'three!\n'");
  CHECK(message.whole.text == "one\ntwo\nthree!\n");
}

TEST_CASE("an empty text behind a file is none", "[messages][pieces]") {
  user_message message;
  message.lines("one").shows("a").lines("").says("");
  CHECK(order_of(message) == "'one'a");
  CHECK(message.whole.text == "one");
}

TEST_CASE("a file that stands before the text's beginning stands there", "[messages][pieces]") {
  chat_message wrong;
  wrong.text = "one";
  wrong.files = {{"image/png", "http://h/", "a", "", 99}, {"image/png", "http://h/", "b", "", 1}};
  CHECK(order_of(wrong) == "a'on'b'e'");
}

TEST_CASE("an empty line at the beginning is one, too", "[messages][pieces]") {
  user_message message;
  message.lines("").lines("a").lines("").pieces.end();
  CHECK(message.whole.text == "\na\n");
}

} // namespace message_layout_test
