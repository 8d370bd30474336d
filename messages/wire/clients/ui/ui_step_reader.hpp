// The steps of an assistant's UI message as messages for a model.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/shown_layout.hpp"
#include "messages/wire/clients/ui/ui_parts.hpp"
#include "messages/wire/clients/ui/ui_tool_part.hpp"

namespace troupe {

/// Reads the parts of one message, in their order. Not thread safe.
class ui_step_reader {
public:
  /// @param out outlives this
  explicit ui_step_reader(std::vector<chat_message>& out) : out_{out}, first_{out.size()} {
    begin(false);
  }

  /// Adds a part. @param index of the part, for the failure's text
  failure add(const ui_part& part, std::string_view type, size_t index, ui_rest& rest);

  /// Ends the step: appends its message and its results. A step with nothing for a model joins a
  /// neighbour, or `rest.silent`.
  /// @param rest its answered calls become those of the step, unless that says nothing
  void end(ui_rest& rest);

private:
  void begin(bool has_start);
  void text(const ui_part& part);
  void reasoning(const ui_part& part);
  void file(const ui_part& part);
  void other(const ui_part& part);
  failure tool(const ui_part& part, std::string_view name, size_t index);
  void call(ui_tool_call read);
  void end_silent(ui_rest& rest);

  std::vector<chat_message>& out_;
  size_t first_;    ///< number of the first message that this one brings
  size_t runs_ = 0; ///< texts and thoughts of earlier steps
  chat_message assistant_;
  std::vector<chat_message> results_;
  std::vector<tool_approval> approvals_; ///< of the calls; an empty id: no answer
  shown_layout layout_;
};

} // namespace troupe
