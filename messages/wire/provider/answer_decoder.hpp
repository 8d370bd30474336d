// The decoder of any provider's answer: finds out the kind of the body, and its end.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "messages/wire/provider/answer_frames.hpp"
#include "messages/wire/provider/provider_answer.hpp"

namespace troupe {

/// Decodes a stream in any frames, a plain answer or a refusal:
///
///     head: status >= 300 ---------> refusal --.
///       |   text/html                   ^      |
///       v                               |      v
///     frames --- the body is markup ----'      over
///       '--- end, error, no answer ------------^
///
/// A stream is complete with the provider's terminator, or at the end of the body once the model
/// was finished; a plain answer, when its object is closed and the body ends. Both are finished
/// with their reason, unless more of the answer follows it.
class answer_decoder final : public model_decoder {
public:
  static constexpr size_t max_event_bytes = size_t{4} * 1024 * 1024; ///< of one event of the stream
  static constexpr size_t max_document_bytes = size_t{16} * 1024 * 1024; ///< of a plain answer

  /// @param answer reads the texts @param lists whether a JSON array is a stream of its elements
  explicit answer_decoder(std::unique_ptr<provider_answer> answer,
                          list_reading lists = list_reading::refused);

  void head(uint16_t status, std::string_view content_type, std::string_view retry_after) override;
  model_end feed(std::string_view bytes, std::vector<event>& out) override;
  model_end finish(const failure& cut, std::vector<event>& out) override;

private:
  enum class mode : uint8_t { frames, refusal, over };

  void feed_frames(std::string_view bytes, std::vector<event>& out);
  void hold_whole(size_t first, std::vector<event>& out);
  void release(std::vector<event>& out);
  void feed_refusal(std::string_view bytes);
  bool on_text(const sse_event& shown, bool may_be_cut, std::vector<event>& out);
  void finish_frames(const failure& cut, std::vector<event>& out);
  bool is_whole() const noexcept;
  bool is_finished() const noexcept;
  void refuse();
  void complete_stream(std::vector<event>& out);
  void complete(std::vector<event>& out);
  void fail(failure why, std::vector<event>& out, std::string_view told = {});
  void fail_cut(const failure& cut, std::vector<event>& out);

  std::unique_ptr<provider_answer> answer_;
  answer_frames frames_;
  std::vector<event> held_; ///< of an answer in one piece
  /// Refusal: the bytes so far. Frames: the first text, if that is no answer.
  std::string body_;
  std::string content_type_;
  std::string retry_after_;
  uint16_t status_ = 0;
  mode mode_ = mode::frames;
  model_end end_;
};

} // namespace troupe
