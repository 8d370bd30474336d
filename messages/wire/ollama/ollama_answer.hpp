// One answer in Ollama's JSON: the sum of its lines, or one plain answer, which is a line as well.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/wire/provider/answer_pieces.hpp"
#include "messages/wire/provider/provider_answer.hpp"
#include "messages/wire/provider/think_tags.hpp"
#include "messages/wire/provider/tool_call_assembler.hpp"

namespace troupe {

struct ollama_line;

/// Collects one answer. Calls come whole and count wherever they come; each element is a call of
/// its own, whatever its id and index say. Within a line the events are in the order reasoning,
/// text, calls. Not thread safe.
class ollama_answer final : public provider_answer {
public:
  /// @param id_prefix makes ids for calls that come without one
  /// @param starts_with_reasoning model_config::start_with_reasoning
  /// @param context_tokens num_ctx of the request; 0: the server's default, which is not known
  explicit ollama_answer(std::string id_prefix, bool starts_with_reasoning = false,
                         uint64_t context_tokens = 0);

  failure read(const answer_text& text, std::vector<event>& out) override;
  void complete(std::vector<event>& out) override;
  void complete_started(std::vector<event>& out) override;

  bool begun() const noexcept override { return begun_; }
  bool finished() const noexcept override { return done_; }
  bool ended() const noexcept override { return done_; }

  /// A plain answer ends like the last line of a stream.
  bool whole() const noexcept override { return false; }

  model_end end() const override;
  const usage& used() const noexcept override { return used_; }

private:
  failure take(const ollama_line& line, std::vector<event>& out);
  void take_text(std::string_view literal, bool as_reasoning, std::vector<event>& out);
  failure take_calls(std::string_view list, std::vector<event>& out);
  void take_end(const ollama_line& line);
  void show_held(std::vector<event>& out);
  finish_reason reason() const noexcept;

  answer_pieces pieces_;
  think_tags tags_;
  tool_call_assembler calls_;
  int64_t calls_seen_ = 0;
  usage used_;
  std::string raw_reason_;
  uint64_t context_tokens_;
  bool has_content_ = false;
  bool begun_ = false;
  bool done_ = false;
};

} // namespace troupe
