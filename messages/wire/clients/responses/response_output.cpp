#include "messages/wire/clients/responses/response_output.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

#include "messages/errors.hpp"
#include "messages/wire/clients/completions/completions_json.hpp"
#include "messages/wire/clients/responses/item_id.hpp"

namespace troupe {

// -- response events ------------------------------------------------------------------------------

/// Writes events of a response as SSE, each with the next number; nothing where there is nowhere to
/// write. `index` is the item's place in the output. Not thread safe.
class response_events {
public:
  /// @param out nullptr: nothing is written @param sequence the next number; outlives this
  response_events(json_buffer* out, uint64_t& sequence) : out_(out), sequence_(sequence) {}

  /// @param type "response.created"
  void response(std::string_view type, const response_head& head, const response_outcome& outcome,
                const std::vector<response_item>& items);
  void error(const failure& why);

  /// An item begins, and with it the part that its text grows in.
  void item_added(const response_item& item, size_t index);
  void delta(const response_item& item, size_t index, std::string_view text);
  /// The text is complete, and so is its part.
  void text_done(const response_item& item, size_t index);
  void item_done(const response_item& item, size_t index);

private:
  void begin(std::string_view type, std::string_view more = {}, std::string_view last = {});
  void begin_text(const response_item& item, size_t index, std::string_view end);
  void part(const response_item& item, size_t index, std::string_view end_word,
            std::string_view text);
  void whole_item(std::string_view type, const response_item& item, size_t index);
  void mcp_state(const response_item& item, size_t index, std::string_view state);
  void place(const response_item& item, size_t index);
  void end();

  json_buffer* out_;
  uint64_t& sequence_;
};

namespace {

bool is_call(response_kind kind) {
  return kind != response_kind::message && kind != response_kind::reasoning;
}

/// Returns the member that holds the whole text when it is done.
std::string_view text_key(response_kind kind) {
  if (!is_call(kind))
    return "text";
  return kind == response_kind::custom_call ? "input" : "arguments";
}

} // namespace

void response_events::response(std::string_view type, const response_head& head,
                               const response_outcome& outcome,
                               const std::vector<response_item>& items) {
  if (out_ == nullptr)
    return;
  begin(type);
  append_raw(*out_, R"(,"response":)");
  append_response(*out_, head, outcome, items);
  end();
}

void response_events::error(const failure& why) {
  if (out_ == nullptr)
    return;
  begin("error");
  append_raw(*out_, R"(,"code":)");
  append_json(*out_, why.code);
  append_raw(*out_, R"(,"message":)");
  append_json(*out_, why.text());
  append_raw(*out_, R"(,"param":null)");
  end();
}

void response_events::item_added(const response_item& item, size_t index) {
  if (out_ == nullptr)
    return;
  whole_item("response.output_item.added", item, index);
  if (item.kind == response_kind::mcp_call)
    mcp_state(item, index, "in_progress");
  else if (!is_call(item.kind))
    part(item, index, "added", "");
}

void response_events::delta(const response_item& item, size_t index, std::string_view text) {
  if (out_ == nullptr)
    return;
  begin_text(item, index, ".delta");
  append_raw(*out_, R"(,"delta":)");
  append_json(*out_, text);
  end();
}

void response_events::text_done(const response_item& item, size_t index) {
  if (out_ == nullptr)
    return;
  begin_text(item, index, ".done");
  append_raw(*out_, ",\"");
  append_raw(*out_, text_key(item.kind));
  append_raw(*out_, "\":");
  append_json(*out_, item.text);
  if (item.kind == response_kind::function_call) {
    append_raw(*out_, R"(,"name":)");
    append_json(*out_, item.name);
  }
  end();
  if (!is_call(item.kind))
    part(item, index, "done", item.text);
}

void response_events::item_done(const response_item& item, size_t index) {
  if (out_ == nullptr)
    return;
  if (item.kind == response_kind::mcp_call)
    mcp_state(item, index, item.failed ? "failed" : "completed");
  whole_item("response.output_item.done", item, index);
}

/// Begins an event; its type comes in up to three pieces.
void response_events::begin(std::string_view type, std::string_view more, std::string_view last) {
  append_raw(*out_, "event: ");
  for (auto each : {type, more, last})
    append_raw(*out_, each);
  append_raw(*out_, "\ndata: {\"type\":\"");
  for (auto each : {type, more, last})
    append_raw(*out_, each);
  append_raw(*out_, "\",\"sequence_number\":");
  append_json(*out_, sequence_++);
}

/// Begins an event about an item's text.
void response_events::begin_text(const response_item& item, size_t index, std::string_view end) {
  begin("response.", text_events_of(item.kind), end);
  place(item, index);
  if (item.kind == response_kind::reasoning)
    append_raw(*out_, R"(,"summary_index":0)");
  if (item.kind == response_kind::message)
    append_raw(*out_, R"(,"content_index":0,"logprobs":[])");
}

/// Writes an event about the part of an item that holds its text.
void response_events::part(const response_item& item, size_t index, std::string_view end_word,
                           std::string_view text) {
  const auto is_message = item.kind == response_kind::message;
  begin(is_message ? "response.content_part." : "response.reasoning_summary_part.", end_word);
  place(item, index);
  append_raw(*out_, is_message
                        ? R"(,"content_index":0,"part":{"type":"output_text","annotations":[],)"
                          R"("logprobs":[],"text":)"
                        : R"(,"summary_index":0,"part":{"type":"summary_text","text":)");
  append_json(*out_, text);
  out_->push_back('}');
  end();
}

void response_events::whole_item(std::string_view type, const response_item& item, size_t index) {
  begin(type);
  append_raw(*out_, R"(,"output_index":)");
  append_json(*out_, index);
  append_raw(*out_, R"(,"item":)");
  append_response_item(*out_, item);
  end();
}

void response_events::mcp_state(const response_item& item, size_t index, std::string_view state) {
  begin("response.mcp_call.", state);
  place(item, index);
  end();
}

void response_events::place(const response_item& item, size_t index) {
  append_raw(*out_, R"(,"item_id":)");
  append_json(*out_, item.id);
  append_raw(*out_, R"(,"output_index":)");
  append_json(*out_, index);
}

void response_events::end() {
  append_raw(*out_, "}\n\n");
}

// -- response output ------------------------------------------------------------------------------

class response_output::reader {
public:
  reader(response_output& self, json_buffer* out) : self_(self), events_{out, self.sequence_} {}

  void operator()(const model_response_waiting&) {
    self_.apart_ = true;
    ++self_.rounds_;
    self_.round_begin_ = self_.items_.size();
  }

  void operator()(const text_delta& e) { piece(response_kind::message, e.text); }
  void operator()(const reasoning_delta& e) { piece(response_kind::reasoning, e.text); }

  /// A call for the client is shown when it is complete: only then it is known whether the client
  /// must run it. One for the engine is shown when it begins.
  void operator()(const tool_args_complete& e) {
    const auto number = self_.calls_++;
    if (e.error != errc::none)
      return; // the model is told and continues
    if (!e.client_side) {
      self_.asked_.push_back({e, number});
      return;
    }
    const auto& special = self_.head_.special;
    const auto known = std::ranges::find(special, e.tool_name, &response_tool::shown);
    const auto custom = known != special.end() && known->custom;
    response_item made;
    made.kind = custom ? response_kind::custom_call : response_kind::function_call;
    made.id = make_item_id(made.kind, {number}, self_.head_.place);
    made.call_id = e.tool_call_id;
    made.name = known == special.end() ? e.tool_name : known->name;
    made.name_space = known == special.end() ? "" : known->name_space;
    made.extra = e.provider_metadata.text;
    begin(std::move(made), custom ? custom_input(e.arguments.text) : e.arguments.text);
    end(self_.items_.size() - 1);
  }

  void operator()(const mcp_tool_start& e) { begin_mcp(e.tool_call_id, e.server); }

  void operator()(const mcp_tool_success& e) { end_mcp(e.tool_call_id, e.server, e.text, false); }

  void operator()(const mcp_tool_error& e) {
    end_mcp(e.tool_call_id, e.server, e.error_text, true);
  }

  void operator()(const session_end& e) {
    if (self_.outcome_.state == response_state::failed)
      return; // after ABORT
    const auto is_call = [](const response_item& each) {
      return each.kind == response_kind::function_call || each.kind == response_kind::custom_call;
    };
    close();
    self_.outcome_ = outcome_of(e.reason, e.used, std::ranges::any_of(self_.items_, is_call));
    end_response();
  }

  void operator()(const abort_event& e) { fail({errc::aborted, aborted_text(e)}); }
  void operator()(const session_error& e) { fail({e.error, e.error_text}); }

  template <class Other>
  void operator()(const Other&) {}

private:
  void piece(response_kind kind, std::string_view text) {
    const auto grows =
        self_.open_ != none && self_.items_[self_.open_].kind == kind && !self_.apart_;
    self_.apart_ = false;
    if (!grows) {
      response_item made;
      made.kind = kind;
      made.id = make_item_id(kind, number_of(kind), self_.head_.place);
      begin(std::move(made), "");
      self_.open_ = self_.items_.size() - 1;
    }
    auto& item = self_.items_[self_.open_];
    item.text += text;
    events_.delta(item, self_.open_, text);
  }

  /// Returns the number of the next message or reasoning. Before the model was asked there is none.
  item_number number_of(response_kind kind) const {
    const auto round = self_.items_.begin() + static_cast<ptrdiff_t>(self_.round_begin_);
    const auto before = std::count_if(round, self_.items_.end(),
                                      [kind](const auto& each) { return each.kind == kind; });
    return {self_.rounds_ > 0 ? self_.rounds_ - 1 : 0, static_cast<size_t>(before)};
  }

  /// Begins an item. @param text all of it; "" = it grows
  void begin(response_item made, std::string text) {
    close();
    begin_response();
    self_.items_.push_back(std::move(made));
    const auto index = self_.items_.size() - 1;
    auto& item = self_.items_.back();
    events_.item_added(item, index);
    item.text = std::move(text);
    if (!item.text.empty())
      events_.delta(item, index, item.text);
  }

  void end(size_t index) {
    auto& item = self_.items_[index];
    events_.text_done(item, index);
    item.done = true;
    events_.item_done(item, index);
  }

  void close() {
    if (self_.open_ != none)
      end(std::exchange(self_.open_, none));
  }

  /// Begins the item of a call that runs here, unless it has begun. Returns its place, or none.
  size_t begin_mcp(const std::string& id, const std::string& server) {
    const auto& items = self_.items_;
    const auto found = std::ranges::find_if(items, [&id](const auto& each) {
      return each.kind == response_kind::mcp_call && each.call_id == id;
    });
    if (found != items.end())
      return static_cast<size_t>(found - items.begin());
    const auto asked = std::ranges::find_if(
        self_.asked_, [&id](const auto& each) { return each.call.tool_call_id == id; });
    if (asked == self_.asked_.end())
      return none;
    response_item made;
    made.kind = response_kind::mcp_call;
    const auto& place = self_.head_.place;
    made.id = place.empty() ? id : make_item_id(made.kind, {asked->number}, place);
    made.call_id = id;
    made.name = asked->call.tool_name;
    made.server = server;
    auto arguments = std::move(asked->call.arguments.text);
    self_.asked_.erase(asked);
    begin(std::move(made), std::move(arguments));
    return self_.items_.size() - 1;
  }

  void end_mcp(const std::string& id, const std::string& server, const std::string& text,
               bool failed) {
    const auto index = begin_mcp(id, server);
    if (index == none || self_.items_[index].done)
      return;
    self_.items_[index].output = text;
    self_.items_[index].failed = failed;
    end(index);
  }

  void begin_response() {
    if (std::exchange(self_.begun_, true))
      return;
    response("response.created");
    response("response.in_progress");
  }

  void end_response() {
    begin_response();
    response("response." + std::string{to_string(self_.outcome_.state)});
  }

  void fail(failure why) {
    begin_response();
    events_.error(why);
    self_.outcome_ = {response_state::failed, "", std::move(why), {}};
    end_response();
  }

  void response(std::string_view type) {
    events_.response(type, self_.head_, self_.outcome_, self_.items_);
  }

  response_output& self_;
  response_events events_;
};

void response_output::take(const event_batch& batch, json_buffer* out) {
  for (const auto& each : batch.events)
    std::visit(reader{*this, out}, each);
}

std::string response_output::body() const {
  json_buffer out;
  append_response(out, head_, outcome_, items_);
  return std::string{view(out)};
}

} // namespace troupe
