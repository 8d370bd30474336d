#include "messages/wire/clients/responses/response_output.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

#include "messages/errors.hpp"
#include "messages/wire/clients/completions/completions_json.hpp"
#include "messages/wire/clients/responses/item_id.hpp"
#include "messages/wire/clients/responses/response_events.hpp"

namespace troupe {

// -- response output ------------------------------------------------------------------------------

class response_output::reader {
public:
  reader(response_output& self, const event_batch& batch, json_buffer* out)
      : self_(self), batch_(batch), streams_(out != nullptr), events_{out, self.sequence_} {}

  void operator()(const model_response_waiting&) {
    self_.apart_ = true;
    ++self_.rounds_;
    self_.round_begin_ = self_.items_.size();
  }

  void operator()(const text_delta& e) { piece(response_kind::message, e.text); }
  void operator()(const reasoning_delta& e) { piece(response_kind::reasoning, e.text); }

  void operator()(const tool_args_start& e) {
    if (streams_ && !is_custom(e.tool_name)) // whose input is a string in the arguments
      self_.pieces_.start(e);
  }

  void operator()(const tool_args_delta& e) {
    const auto is_first = !self_.pieces_.has_shown();
    const auto piece = self_.pieces_.take(e, batch_);
    if (piece.empty())
      return;
    const auto& call = self_.pieces_.call();
    if (is_first) {
      begin(item_of(call.tool_call_id, call.tool_name, self_.calls_), "");
      self_.open_ = self_.items_.size() - 1;
    }
    more_arguments(piece);
  }

  /// A call for the client of which nothing was shown is written whole. One for the engine is shown
  /// when it begins.
  void operator()(const tool_args_complete& e) {
    const auto number = self_.calls_++;
    if (const auto rest = self_.pieces_.complete(e)) {
      if (!rest->empty())
        more_arguments(*rest);
      if (is_call_open())
        self_.items_[self_.open_].extra = e.provider_metadata.text;
      return close();
    }
    if (e.error != errc::none)
      return; // the model is told and continues
    if (!e.client_side) {
      self_.asked_.push_back({e, number});
      return;
    }
    auto made = item_of(e.tool_call_id, e.tool_name, number);
    made.extra = e.provider_metadata.text;
    const auto custom = made.kind == response_kind::custom_call;
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
  void operator()(const session_error& e) { fail(e.why()); }

  template <class Other>
  void operator()(const Other&) {}

private:
  bool is_custom(std::string_view shown) const {
    return std::ranges::any_of(self_.head_.special, [shown](const auto& each) {
      return each.custom && each.shown == shown;
    });
  }

  response_item item_of(const std::string& id, const std::string& name, size_t number) const {
    const auto& special = self_.head_.special;
    const auto known = std::ranges::find(special, name, &response_tool::shown);
    const auto custom = known != special.end() && known->custom;
    response_item made;
    made.kind = custom ? response_kind::custom_call : response_kind::function_call;
    made.id = make_item_id(made.kind, {number}, self_.head_.place);
    made.call_id = id;
    made.name = known == special.end() ? name : known->name;
    made.name_space = known == special.end() ? "" : known->name_space;
    return made;
  }

  bool is_call_open() const {
    return self_.open_ != none && self_.items_[self_.open_].kind == response_kind::function_call;
  }

  void more_arguments(std::string_view piece) {
    if (!is_call_open())
      return;
    auto& item = self_.items_[self_.open_];
    item.text += piece;
    events_.delta(item, self_.open_, piece);
  }

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
  const event_batch& batch_;
  bool streams_;
  response_events events_;
};

void response_output::take(const event_batch& batch, json_buffer* out) {
  for (const auto& each : batch.events)
    std::visit(reader{*this, batch, out}, each);
}

std::string response_output::body() const {
  json_buffer out;
  append_response(out, head_, outcome_, items_);
  return std::string{view(out)};
}

} // namespace troupe
