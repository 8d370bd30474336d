#include "messages/wire/anthropic/anthropic_sealed.hpp"

#include <utility>

#include "messages/wire/history/sealed_blocks.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/json/json_tree.hpp"

namespace troupe {

namespace {

constexpr size_t max_argument_nodes = 100'000;

bool same_value(std::string_view a, std::string_view b) {
  if (a == b)
    return true;
  const auto left = read_json_tree(a, max_argument_nodes);
  const auto right = read_json_tree(b, max_argument_nodes);
  return left && right && left->hash == right->hash;
}

/// Reads the blocks of one message, and whether they still say what the message says.
class sealed_reader {
public:
  sealed_reader(const chat_message& message, bool thoughts)
      : message_{message}, thoughts_{thoughts} {}

  bool read(std::string_view block);

  /// Returns whether text and calls of the message were found whole.
  bool is_whole() const {
    return text_ == message_.text.size() && calls_ == message_.tool_calls.size();
  }

  anthropic_sealed_blocks take() { return std::move(made_); }

private:
  bool take_text(std::string_view literal);
  bool take_call(std::string_view id, std::string_view name, std::string_view input);

  const chat_message& message_;
  bool thoughts_;
  size_t text_ = 0;  ///< bytes of the text so far
  size_t calls_ = 0; ///< calls so far
  anthropic_sealed_blocks made_;
};

bool sealed_reader::read(std::string_view block) {
  std::string_view type, text, signature, id, name, input, answers;
  read_members(block, {{"type", &type},
                       {"text", &text},
                       {"signature", &signature},
                       {"id", &id},
                       {"name", &name},
                       {"input", &input},
                       {"tool_use_id", &answers}});
  anthropic_sealed_block made{std::string{block}, json_string(type), {}, {}, true};
  if (made.type == "text") {
    if (!take_text(text))
      return false;
    if (lacks_text(json_string(text)))
      return true;
  } else if (made.type == "tool_use") {
    if (!take_call(id, name, input))
      return false;
  } else if (made.type == "thinking" && json_string(signature).empty()) {
    return false;
  } else if (made.type.ends_with("_tool_use")) {
    made.call = json_string(id);
  } else if (made.type.ends_with("_tool_result")) {
    made.answers = json_string(answers);
  } else if (made.type.empty() || made.type == "tool_result" || made.type == "image" ||
             made.type == "document") { // no answer has them
    return false;
  }
  if (thoughts_ || !made.is_thought())
    made_.push_back(std::move(made));
  return true;
}

bool sealed_reader::take_text(std::string_view literal) {
  const auto text = json_string(literal);
  if (kind_of(literal) != json_kind::string || message_.text.compare(text_, text.size(), text) != 0)
    return false;
  text_ += text.size();
  return true;
}

bool sealed_reader::take_call(std::string_view id, std::string_view name, std::string_view input) {
  if (calls_ == message_.tool_calls.size())
    return false;
  const auto& call = message_.tool_calls[calls_++];
  return json_string(id) == call.id && json_string(name) == call.name &&
         call_id_for(call.id, anthropic_call_ids) == call.id &&
         same_value(input, call.arguments.empty() ? std::string_view{"{}"} : call.arguments);
}

} // namespace

anthropic_sealed_blocks anthropic_sealed(const chat_message& message, std::string_view model,
                                         bool thoughts) {
  if (message.provider_metadata.empty() || !message.files.empty())
    return {};
  const json_source blocks{sealed_blocks(message.provider_metadata, anthropic_namespace, model)};
  sealed_reader reader{message, thoughts};
  const auto fits =
      for_each_element(blocks.root(), [&](std::string_view each) { return reader.read(each); });
  return fits && reader.is_whole() ? reader.take() : anthropic_sealed_blocks{};
}

std::string anthropic_pause_mark(std::string sealed, std::string_view model) {
  if (sealed.empty())
    sealed = seal_blocks(anthropic_namespace, model, "[]");
  sealed.insert(sealed.size() - 2, R"(,"paused":true)");
  return sealed;
}

bool has_anthropic_pause(std::string_view metadata, std::string_view model) {
  if (metadata.find(R"("paused")") == std::string_view::npos)
    return false;
  const json_source source{metadata};
  std::string_view own, made_by, paused;
  read_members(source.root(), {{anthropic_namespace, &own}});
  read_members(own, {{"model", &made_by}, {"paused", &paused}});
  return paused == "true" && json_string(made_by) == model;
}

} // namespace troupe
