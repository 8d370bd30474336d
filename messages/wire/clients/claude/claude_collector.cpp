#include <utility>
#include <variant>

#include "messages/wire/clients/claude/claude_stream.hpp"
#include "messages/wire/clients/completions/completions_json.hpp"

namespace troupe {

class claude_collector::reader {
public:
  explicit reader(claude_collector& self) : self_(self) {}

  void operator()(const model_response_waiting&) { self_.apart_ = true; }
  void operator()(const text_delta& e) { piece(claude_growing::text, e.text); }
  void operator()(const reasoning_delta& e) { piece(claude_growing::thinking, e.text); }
  void operator()(const tool_args_complete& e) {
    if (is_for_client(e))
      self_.blocks_.push_back({claude_growing::nothing, {}, e});
  }

  template <class Other>
  void operator()(const Other& e) {
    self_.outcome_.take(e);
  }

private:
  void piece(claude_growing kind, std::string_view text) {
    const auto apart = std::exchange(self_.apart_, false);
    if (self_.blocks_.empty() || self_.blocks_.back().kind != kind)
      self_.blocks_.push_back({kind, {}, {}});
    else if (apart)
      self_.blocks_.back().text += "\n\n";
    self_.blocks_.back().text += text;
  }

  claude_collector& self_;
};

namespace {

void append_block(json_buffer& out, const claude_answer_block& block) {
  if (block.kind == claude_growing::text) {
    append_raw(out, R"({"type":"text","text":)");
    append_json(out, block.text);
  } else if (block.kind == claude_growing::thinking) {
    append_raw(out, R"({"type":"thinking","thinking":)");
    append_json(out, block.text);
    append_raw(out, R"(,"signature":"")");
  } else {
    append_raw(out, R"({"type":"tool_use",)");
    append_claude_call(out, block.call);
    append_raw(out, R"(,"input":)");
    append_json(out, block.call.arguments);
  }
  out.push_back('}');
}

} // namespace

void claude_collector::take(const event_batch& batch) {
  for (const auto& each : batch.events)
    std::visit(reader{*this}, each);
}

std::string claude_collector::body() const {
  json_buffer out;
  bool has_calls = false;
  append_claude_head(out, identity_);
  append_raw(out, R"("content":[)");
  for (size_t i = 0; i < blocks_.size(); ++i) {
    append_raw(out, i == 0 ? "" : ",");
    append_block(out, blocks_[i]);
    has_calls = has_calls || blocks_[i].kind == claude_growing::nothing;
  }
  append_raw(out, "],");
  append_claude_stop(out, outcome_.reason, has_calls, outcome_.stop_sequence);
  append_raw(out, R"(,"usage":)");
  append_claude_usage(out, outcome_.used);
  out.push_back('}');
  return std::string{view(out)};
}

} // namespace troupe
