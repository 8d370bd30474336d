#include "tests/messages/wire/anthropic/anthropic_messages_check.hpp"

#include <set>

#include <fmt/format.h>

#include "tests/support/history_rules.hpp"

namespace troupe::test {

namespace {

/// Walks over the messages of one body.
class anthropic_messages_check {
public:
  anthropic_messages_check(const json_node& body, anthropic_asking asked, anthropic_faults& into)
      : body_{body}, faults_{into}, asked_{asked} {}

  void run() {
    const auto* list = body_.find("messages");
    faults_.require(list != nullptr && list->kind == json_kind::array && !list->children.empty(),
                    "no messages");
    if (list == nullptr)
      return;
    for (size_t i = 0; i < list->children.size(); ++i) {
      faults_.where = fmt::format("messages.{}: ", i);
      const auto& message = list->children[i];
      faults_.only(message, {"role", "content"});
      const auto who = anthropic_text(message, "role");
      faults_.require(who == (i % 2 == 0 ? "user" : "assistant"), "the role is " + who);
      const auto* content = message.find("content");
      faults_.require(content != nullptr && content->kind == json_kind::array &&
                          !content->children.empty(),
                      "no content");
      if (content == nullptr || content->children.empty())
        continue;
      if (who == "user")
        user(*content);
      else
        assistant(*content, i + 1 == list->children.size());
    }
    faults_.where = "at the end: ";
    faults_.require(open_.empty(), "a call has no result");
    faults_.require(!(asked_.by_budget && loop_begun_ && !loop_thinks_),
                    "the answer that began the loop of calls has no thoughts");
    faults_.require(calls_ == 0 || body_.find("tools") != nullptr,
                    "calls in the history, but no tools");
  }

private:
  void user(const json_node& content) {
    bool others = false, results = false;
    for (const auto& each : content.children) {
      const auto type = anthropic_text(each, "type");
      if (type == "tool_result") {
        faults_.require(!others, "a result stands behind another block");
        results = true;
        result(each);
        continue;
      }
      others = true;
      if (type == "text")
        faults_.text(each, {"type", "text", "cache_control"});
      else
        file(each);
    }
    faults_.require(open_.empty(), open_.empty() ? "" : *open_.begin() + " has no result");
    open_.clear();
    if (!results)
      loop_begun_ = false;
  }

  void file(const json_node& block) {
    const auto type = anthropic_text(block, "type");
    faults_.require(type == "image" || type == "document", "a block of the type " + type);
    faults_.only(block, {"type", "source", "title", "cache_control"});
    faults_.require(type == "document" || block.find("title") == nullptr, "an image with a title");
    const auto* source = block.find("source");
    if (source == nullptr)
      return faults_.require(false, "a file without a source");
    if (anthropic_text(*source, "type") == "url") {
      faults_.only(*source, {"type", "url"});
      return faults_.require(anthropic_text(*source, "url").starts_with("https://"),
                             "a URL that is not https:");
    }
    faults_.only(*source, {"type", "media_type", "data"});
    const auto media = anthropic_text(*source, "media_type");
    const auto is_image = media == "image/png" || media == "image/jpeg" || media == "image/gif" ||
                          media == "image/webp";
    faults_.require(type == "image" ? is_image : media == "application/pdf", "the type " + media);
    faults_.require(!anthropic_text(*source, "data").empty(), "a file without data");
  }

  void result(const json_node& block) {
    faults_.only(block, {"type", "tool_use_id", "content", "is_error", "cache_control"});
    const auto id = anthropic_text(block, "tool_use_id");
    faults_.require(open_.erase(id) == 1, "nothing open has the id " + id);
    const auto* failed = block.find("is_error");
    const auto* content = block.find("content");
    if (content == nullptr || content->kind == json_kind::string)
      return;
    for (const auto& each : content->children) {
      const auto is_text = anthropic_text(each, "type") == "text";
      faults_.require(is_text || failed == nullptr || !failed->is(true), "an error with a file");
      if (is_text)
        faults_.text(each, {"type", "text"});
      else
        file(each);
    }
  }

  void assistant(const json_node& content, bool is_last) {
    if (!loop_begun_)
      loop_thinks_ = is_thought(content.children.front());
    loop_begun_ = true;
    const auto last = anthropic_text(content.children.back(), "type");
    faults_.require(last != "thinking" && last != "redacted_thinking",
                    "the last block is a thought");
    faults_.require(!is_last || is_of_provider(last) || asked_.was_paused,
                    "an answer is the last message");
    old_provider_calls_ = provider_calls_.size();
    for (const auto& each : content.children)
      answer_block(each);
    faults_.require(old_provider_calls_ == 0 || provider_calls_.size() < old_provider_calls_,
                    "a call of the provider has no result");
  }

  void answer_block(const json_node& block) {
    const auto type = anthropic_text(block, "type");
    if (type == "text") {
      faults_.text(block, {"type", "text", "citations"});
    } else if (type == "thinking") {
      faults_.only(block, {"type", "thinking", "signature"});
      faults_.require(!anthropic_text(block, "signature").empty(), "a thought without a signature");
    } else if (type == "redacted_thinking") {
      faults_.only(block, {"type", "data"});
    } else if (type == "tool_use") {
      call(block);
    } else {
      faults_.require(is_of_provider(type) && block.find("index") == nullptr,
                      "a block of the type " + type);
      if (type.ends_with("_tool_use"))
        provider_calls_.push_back(anthropic_text(block, "id"));
      else if (type.ends_with("_tool_result"))
        faults_.require(std::erase(provider_calls_, anthropic_text(block, "tool_use_id")) > 0,
                        "a result of the provider without its call");
    }
  }

  void call(const json_node& block) {
    faults_.only(block, {"type", "id", "name", "input", "caller"});
    const auto id = anthropic_text(block, "id");
    const auto* input = block.find("input");
    ++calls_;
    faults_.require(is_anthropic_id(id, ""), "the id " + id);
    faults_.require(ids_.insert(id).second, "the id " + id + " was used before");
    faults_.require(is_tool_name(anthropic_text(block, "name")), "the name of a call");
    faults_.require(input != nullptr && input->kind == json_kind::object, "input is no object");
    open_.insert(id);
  }

  static bool is_thought(const json_node& block) {
    const auto type = anthropic_text(block, "type");
    return type == "thinking" || type == "redacted_thinking";
  }

  static bool is_of_provider(const std::string& type) {
    static const std::set<std::string> others{"text",  "thinking", "redacted_thinking", "tool_use",
                                              "image", "document", "tool_result",       ""};
    return !others.contains(type);
  }

  const json_node& body_;
  anthropic_faults& faults_;
  std::set<std::string> ids_;               ///< of all calls
  std::set<std::string> open_;              ///< of the calls that wait for their results
  std::vector<std::string> provider_calls_; ///< without results so far
  size_t old_provider_calls_ = 0;           ///< of them, those of earlier answers
  size_t calls_ = 0;
  anthropic_asking asked_;
  bool loop_begun_ = false; ///< an answer came behind the user's last words
  bool loop_thinks_ = false;
};

} // namespace

void check_anthropic_messages(const json_node& body, anthropic_asking asked,
                              anthropic_faults& into) {
  anthropic_messages_check{body, asked, into}.run();
}

} // namespace troupe::test
