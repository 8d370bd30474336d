// A model request that has no report yet.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "actors/turn/planned_call.hpp"
#include "messages/chat/chat_message.hpp"
#include "messages/chat/turn_report.hpp"

namespace troupe {

/// A turn's facts about the request whose answer runs. When it is broken off nobody has counted its
/// tokens: the provider does that at the end. Therefore they are estimated. Not thread safe.
class open_request {
public:
  using time_point = planned_call::time_point;

  /// One token of most models is about so many bytes of text.
  static constexpr size_t token_bytes = 4;

  void begin(time_point now) {
    end();
    began_ = now;
    is_open_ = true;
  }

  /// The model has sent something. @param now is asked for the first time only
  template <class Clock>
  void read(size_t text_bytes, const Clock& now) {
    if (!std::exchange(answers_, true))
      first_ = now();
    bytes_ += text_bytes;
  }

  /// The report has come.
  void end() { *this = open_request{}; }

  bool is_open() const noexcept { return is_open_; }

  /// Returns what is known. Before the first piece of an answer no token is counted: the request
  /// may not have reached the provider. @param history as it was sent, or longer
  model_report report(const std::string& model, errc error,
                      const std::vector<chat_message>& history, time_point now) const;

private:
  time_point began_{};
  time_point first_{};
  bool is_open_ = false;
  bool answers_ = false; ///< something of the answer has come
  size_t bytes_ = 0;     ///< of text, reasoning and arguments
};

} // namespace troupe
