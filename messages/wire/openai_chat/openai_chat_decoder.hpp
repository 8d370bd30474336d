// The decoder of a chat-completions answer: finds out the kind of the body, and its end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/wire/openai_chat/openai_answer.hpp"
#include "messages/wire/provider/provider.hpp"
#include "messages/wire/sse.hpp"

namespace troupe {

/// Decodes an event stream, a plain completion or a refusal:
///
///     head: status >= 300 ------------------------------> refusal --.
///       |   text/html                                      ^        |
///       v                                                  |        |
///     sniffing --- first byte '<' -------------------------'        |
///       |   '--- first byte '{' or '[' ----> document --------------+--> over
///       '------- anything else ------------> stream ----------------'
///
/// A stream is complete with [DONE], or at the end of the body once a finish_reason came.
class openai_chat_decoder final : public model_decoder {
public:
  static constexpr size_t max_event_bytes = size_t{4} * 1024 * 1024; ///< of one event of the stream
  static constexpr size_t max_document_bytes = size_t{16} * 1024 * 1024; ///< of a plain completion

  /// @param starts_with_reasoning model_config::start_with_reasoning
  explicit openai_chat_decoder(std::string id_prefix, bool starts_with_reasoning = false);

  void head(uint16_t status, std::string_view content_type, std::string_view retry_after) override;
  model_end feed(std::string_view bytes, std::vector<event>& out) override;
  model_end finish(const failure& cut, std::vector<event>& out) override;

private:
  enum class mode : uint8_t { sniffing, stream, document, refusal, over };

  void sniff(std::string_view bytes, std::vector<event>& out);
  void feed_stream(std::string_view bytes, std::vector<event>& out);
  void feed_document(std::string_view bytes, std::vector<event>& out);
  void feed_refusal(std::string_view bytes);
  bool on_event(const sse_event& shown, bool at_end, std::vector<event>& out);
  void finish_stream(const failure& cut, std::vector<event>& out);
  void finish_document(const failure& cut, std::vector<event>& out);
  void refuse();
  void complete_stream(std::vector<event>& out);
  void complete(std::vector<event>& out);
  void fail(failure why, std::vector<event>& out);
  void fail_cut(const failure& cut, std::vector<event>& out);

  openai_answer answer_;
  sse_parser events_{max_event_bytes};
  /// Sniffing, document, refusal: the bytes so far. Stream: its first text, if that has no choices.
  std::string body_;
  std::string content_type_;
  std::string retry_after_;
  uint16_t status_ = 0;
  mode mode_ = mode::sniffing;
  model_end end_;
};

} // namespace troupe
