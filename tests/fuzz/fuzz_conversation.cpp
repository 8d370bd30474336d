// Files of conversations: what is imported is exported, imported again and shown without a loss.
// The last byte chooses what the text is: 0 a conversation, 1 the overrides of a chat.
#include <string>

#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/clients/conversation/ui_conversation.hpp"
#include "messages/wire/clients/ui/ui_messages.hpp"
#include "messages/wire/json/json_source.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"

using namespace troupe;

namespace {

/// Reads the messages of a page as a client sends them back, whatever a file says they were shown
/// as.
void show(const conversation& what) {
  const auto page = ui_conversation_json(what);
  require_object(page);
  json_source source{page};
  std::string_view messages;
  read_members(source.root(), {{"messages", &messages}});
  ui_history history;
  require(!read_ui_messages(messages, history), "what a page shows can be sent back");
}

void import_and_export(std::string_view text) {
  conversation read;
  if (const auto bad = import_conversation(std::string{text}, read))
    return require_refusal(bad, errc::request_invalid);
  require(listing{read}.is_utf8(), "all texts of a conversation are UTF-8");
  for (const auto& each : read.turns)
    require(each.state != turn_state::running, "no turn runs in a file");
  const auto file = export_json(read);
  require(file.find('\n') == std::string::npos, "an export is one line");
  conversation again;
  require(!import_conversation(file, again), "what is exported is imported");
  require(listing{again}.text() == listing{read}.text(), "an import is what was exported");
  require(export_json(again) == file, "an export is what was imported");
  show(read);
}

void read_overrides(std::string_view text) {
  chat_overrides read;
  if (const auto bad = parse_overrides(text, read))
    return require_refusal(bad, errc::request_invalid);
  const auto written = overrides_json(read);
  require_object(written);
  chat_overrides again;
  require(!parse_overrides(written, again), "what is written is read");
  require(listing{again}.text() == listing{read}.text(), "as it was");
}

constexpr void (*readers[])(std::string_view) = {import_and_export, read_overrides};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return read_by_choice(readers, data, size);
}
