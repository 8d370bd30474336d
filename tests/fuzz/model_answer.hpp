// Any body that a provider's decoder gets, in any pieces, gives the same well-formed events.
#pragma once

#include <map>
#include <string>

#include "messages/json.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/providers.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace troupe::fuzz {

/// Checks the grammar of a model's events: parts are opened, filled and closed, in this order.
class grammar {
public:
  void operator()(const text_delta& it) { require(!it.text.empty(), "text is not empty"); }
  void operator()(const reasoning_delta& it) {
    require(!it.text.empty(), "reasoning is not empty");
  }

  void operator()(const tool_args_start& it) {
    require(!it.tool_call_id.empty(), "a call has an id");
    require(calls_.emplace(it.tool_call_id, "").second, "a call starts once");
  }

  void operator()(const tool_args_delta& it) {
    auto open = calls_.find(it.tool_call_id);
    require(open != calls_.end() && !it.delta.empty(), "a delta belongs to a call");
    open->second += it.delta;
  }

  void operator()(const tool_args_complete& it) {
    auto open = calls_.find(it.tool_call_id);
    require(open != calls_.end() && !closed_[it.tool_call_id], "a call is completed once");
    closed_[it.tool_call_id] = true;
    require(it.arguments.text == open->second || it.arguments.text == "{}",
            "the arguments are the deltas");
    require(it.provider_metadata.text.empty() || is_json_object(it.provider_metadata.text),
            "metadata are an object");
  }

  template <class Other>
  void operator()(const Other&) {
    require(false, "a decoder makes no other event");
  }

  void finish() {
    for (const auto& [id, arguments] : calls_)
      require(closed_[id], "every call is completed");
  }

private:
  std::map<std::string, std::string> calls_;
  std::map<std::string, bool> closed_;
};

/// Decodes one body with a provider's decoder. The choice decides on status, content type and the
/// end of the transfer.
class decoding {
public:
  decoding(std::string_view provider, std::string_view usual_type, uint8_t choice)
      : choice_(choice), decoder_(find_provider(provider)->make_decoder({}, "made-")) {
    static constexpr uint16_t statuses[] = {200, 200, 200, 429, 500};
    static constexpr std::string_view types[] = {"text/event-stream", "application/json",
                                                 "text/html", ""};
    decoder_->head(choice % 16 < 11 ? 200 : statuses[choice % 5],
                   choice % 16 < 11 ? usual_type : types[choice % 4], choice % 3 == 0 ? "7" : "");
  }

  void feed(std::string_view bytes) {
    auto before = events_.size();
    bool over = end_.over;
    end_ = decoder_->feed(bytes, events_);
    require(!over || (end_.over && events_.size() == before), "nothing follows the end");
  }

  std::string finish() {
    failure cut;
    if (choice_ >= 200)
      cut = {errc::connection_cut, "cut"};
    end_ = decoder_->finish(cut, events_);
    require(end_.over, "finish ends the answer");
    require((end_.reason == finish_reason::error) || !end_.error, "a failure ends with an error");
    require(end_.provider_metadata.empty() || is_json_object(end_.provider_metadata),
            "metadata are an object");
    std::string lines;
    grammar check;
    for (const auto& each : events_) {
      std::visit([&check](const auto& what) { check(what); }, each);
      lines += std::visit([](const auto& what) { return to_json(what); }, each) + "\n";
    }
    check.finish();
    return lines + to_json(end_.reason) + to_json(end_.used) + to_json(end_.error.code) +
           end_.error.message + end_.raw_reason + end_.provider_metadata;
  }

private:
  uint8_t choice_;
  std::unique_ptr<model_decoder> decoder_;
  std::vector<event> events_;
  model_end end_;
};

/// Reads one input of a fuzzer; its last byte chooses, and decides how the bytes are cut.
/// @param usual_type content type of the provider's streams
inline int read_model_answer(std::string_view provider, std::string_view usual_type,
                             const uint8_t* data, size_t size) {
  if (size == 0)
    return 0;
  const auto bytes = text_of(data, size - 1);
  decoding whole{provider, usual_type, data[size - 1]};
  std::vector<char> copy(bytes.begin(), bytes.end());
  whole.feed({copy.data(), copy.size()});
  decoding cut{provider, usual_type, data[size - 1]};
  feed_in_pieces(bytes, data[size - 1], [&cut](std::string_view piece) { cut.feed(piece); });
  require(whole.finish() == cut.finish(), "the events do not depend on the pieces");
  return 0;
}

} // namespace troupe::fuzz
