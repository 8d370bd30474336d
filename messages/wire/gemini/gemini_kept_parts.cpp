#include "messages/wire/gemini/gemini_kept_parts.hpp"

#include <utility>

#include "messages/wire/gemini/gemini_chunk.hpp"
#include "messages/wire/gemini/gemini_names.hpp"
#include "messages/wire/gemini/gemini_parts.hpp"
#include "messages/wire/history/sealed_blocks.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Compares kept parts with a message.
class comparison {
public:
  explicit comparison(const chat_message& message) : message_{message} {}

  /// Returns whether the part is in the message.
  bool read(std::string_view json) {
    const auto part = read_gemini_part(json);
    if (!part.call.empty())
      return read_call(part);
    if (!part.other.empty())
      add_gemini_kind(kinds_, json, part.other);
    else if (!part.is_thought)
      text_ += json_string(part.text);
    return true;
  }

  /// Returns whether nothing of the message is missing in the parts.
  bool is_complete() const {
    const auto all = text_.empty() && ids_.empty() ? gemini_note(kinds_) : text_;
    return all == message_.text && ids_.size() == message_.tool_calls.size();
  }

  std::vector<std::string>& ids() { return ids_; }
  bool is_signed() const { return signed_; }

private:
  bool read_call(const gemini_part& part) {
    std::string_view id, name;
    read_members(part.call, {{"id", &id}, {"name", &name}});
    if (ids_.size() == message_.tool_calls.size())
      return false;
    signed_ = ids_.empty() ? !part.signature.empty() : signed_;
    const auto& call = message_.tool_calls[ids_.size()];
    ids_.emplace_back(is_nothing(id) ? std::string_view{} : id);
    return tool_name_of_gemini(json_string(name)) == call.name &&
           (is_nothing(id) || json_string(id) == call.id);
  }

  const chat_message& message_;
  std::string text_;
  std::string kinds_;
  std::vector<std::string> ids_;
  bool signed_ = true;
};

} // namespace

std::optional<gemini_kept_parts> kept_gemini_parts(const chat_message& message,
                                                   std::string_view model) {
  if (message.provider_metadata.empty() || !message.files.empty())
    return std::nullopt;
  const auto blocks = sealed_blocks(message.provider_metadata, "gemini", model);
  const json_source source{blocks};
  const auto list = source.root();
  if (list.size() <= 2)
    return std::nullopt;
  comparison compared{message};
  const auto matches =
      for_each_element(list, [&](std::string_view each) { return compared.read(each); });
  if (!matches || !compared.is_complete())
    return std::nullopt;
  return gemini_kept_parts{std::string{list.substr(1, list.size() - 2)}, std::move(compared.ids()),
                           compared.is_signed()};
}

} // namespace troupe
