// Chats of all that can go wrong in one, for the requests of any provider.
#pragma once

#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe::test {

/// Makes chats; the same ones for the same seed. A test derives from it to seal answers as its own
/// provider does.
class random_chat {
public:
  explicit random_chat(uint32_t seed) : random_{seed} {}
  random_chat(const random_chat&) = delete;
  random_chat& operator=(const random_chat&) = delete;
  virtual ~random_chat() = default;

  std::vector<chat_message> make() {
    std::vector<chat_message> chat;
    texts.clear();
    for (auto n = below(14) + 1; n > 0; --n)
      chat.push_back(message());
    return chat;
  }

  std::vector<std::string> texts; ///< that the user wrote in the last chat

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  template <class T>
  T one_of(std::initializer_list<T> list) {
    return *(list.begin() + below(static_cast<uint32_t>(list.size())));
  }

private:
  /// Gives an answer, whose text and calls are there, what the provider wants back with it.
  virtual void seal(chat_message&) {}

  chat_message message() {
    chat_message made;
    made.who = one_of({role::user, role::user, role::assistant, role::assistant, role::tool,
                       role::tool, role::system});
    made.text = below(4) == 0 ? one_of<const char*>({"", " ", "\n", " \t\r\n"})
                              : "text " + std::to_string(++number_) + ".";
    if (made.who == role::user)
      user(made);
    else if (made.who == role::assistant)
      answer(made);
    else if (made.who == role::tool)
      result(made);
    return made;
  }

  void user(chat_message& made) {
    if (made.text.size() > 4)
      texts.push_back(made.text);
    for (auto n = below(8); n > 5; --n)
      made.files.push_back(file());
    if (below(8) == 0)
      made.extras.push_back({"MCP_RESOURCE", "a", "b://", "s", "content", ""});
  }

  /// Answers of any provider, with what these want to have back.
  void answer(chat_message& made) {
    if (below(3) == 0)
      made.reasoning = "thought";
    if (below(8) == 0)
      made.files.push_back(file());
    for (auto n = below(6); n > 3; --n)
      made.tool_calls.push_back(
          {id(), one_of<const char*>({"get", "get", "3d", "no name", "", "имя"}),
           one_of<const char*>({"{}", R"({"a":1})", "", "[]", "null", "{oops", "\"{}\""}),
           below(4) == 0 ? R"({"google":{"thought_signature":"s"}})" : ""});
    if (below(4) == 0)
      made.provider_metadata = one_of<const char*>(
          {R"({"google":{"x":1}})", R"({"anthropic":{"model":"x","blocks":[{"type":"thinking"}]}})",
           R"({"openai_responses":[]})", R"({"gemini":{"model":"x","blocks":[{"text":"y"}]}})"});
    seal(made);
  }

  void result(chat_message& made) {
    made.tool_call_id = id();
    made.failed = below(3) == 0;
    if (below(4) == 0)
      made.files.push_back(file());
  }

  std::string id() {
    return one_of<std::string>(
        {"a", "b", "a_2", "c", "c:1", "", "имя", "toolu_01-x", std::string(70, 'x')});
  }

  message_file file() {
    auto type = one_of<std::string>({"image/png", "image/gif", "image/svg+xml", "image/tiff",
                                     "IMAGE/JPG", "text/plain", "application/pdf", "image/*", ""});
    auto url = one_of<std::string>(
        {"data:image/png;base64,AAAA", "data:image/png;base64,",
         "data:image/png;base64,iVBORw0KGgo=", "data:image/gif;base64,R0lGODlh", "data:,<svg/>",
         "data:image/svg+xml;base64,PHN2Zy8+", "data:application/pdf;base64,JVBERi0xLjQK",
         "https://x.example/a", "https://x.example/a.gif", "https://x.example/a.pdf",
         "http://x.example/b.svg", "http://x.example/b.png", "blob:x"});
    return {type, url, one_of<const char*>({"", "name"}), one_of<const char*>({"", "low", "odd"}),
            below(2) * 1000};
  }

  std::mt19937 random_;
  int number_ = 0;
};

} // namespace troupe::test
