// Reading the members of requests, for the checks of all dialects.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>

#include <simdjson.h>

#include "apps/model/script/chat_call.hpp"
#include "messages/errors.hpp"

namespace troupe::scripted {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

/// Returns errc::request_invalid with this text.
failure invalid_request(std::string text);

/// Returns the member, or nothing where it is absent or null; the APIs take both for the same.
bool find(object in, std::string_view key, element& out);

/// Reads a string; false if there is none.
bool get_string(object in, std::string_view key, std::string_view& out);

/// Returns the string, or "" if there is none.
std::string_view string_in(object in, std::string_view key);

/// Reads true or false, if the member is there.
failure read_bool(object in, std::string_view key, bool& out);

/// Returns whether there is a whole number of at least `least`.
bool is_count(element value, int64_t least);

/// Returns the whole number, or 0 if there is none.
int64_t number_in(object in, std::string_view key);

/// Returns the first key that is not known; "" if there is none.
std::string_view unknown_key(object in, std::initializer_list<std::string_view> known);

bool is_blank(std::string_view text);
bool is_one_of(std::string_view name, std::initializer_list<std::string_view> list);

/// Returns whether it is base64 of at least one byte.
bool is_base64(std::string_view data);

/// Returns whether models read images of this type: PNG, JPEG, GIF, WebP.
bool is_image_type(std::string_view type);

/// Returns whether vision models read it: a data: URL of such an image, or a URL that they fetch.
bool is_readable_image(std::string_view url);

/// Returns whether providers take it as a tool's name: 1 to 64 of [A-Za-z0-9_-].
bool fits_name(std::string_view name);

/// Returns whether it is an id of a call: 1 or more of [A-Za-z0-9_-].
bool fits_id(std::string_view id);

/// Returns a string, or the texts of a list of parts, joined.
std::string joined_text(element content);

/// Collects a conversation from the messages of a history, in their order.
class talk_collector {
public:
  void user(std::string text);
  void begin_answer() {
    counted_ = false;
    sealed_ = false;
  }

  /// Tells that the answer has its sealed reasoning with it, in front of its calls.
  void seal() { sealed_ = true; }
  void call(std::string_view id, std::string_view name);
  void result(std::string_view id, std::string text);
  void named_result(std::string_view name, std::string text);
  void tool(std::string_view name, element schema, bool has_schema);

  /// Adds the tools of the request's member `tools`. @param wrapper the member of a tool that has
  /// its name and schema; "": the tool itself
  void tools(object request, std::string_view wrapper, std::string_view schema_key);
  conversation& talk() noexcept { return talk_; }

private:
  conversation talk_;
  std::unordered_map<std::string, std::string> names_; // of calls, by id
  bool counted_ = false;                               // the answer is one with calls
  bool sealed_ = false;                                // the answer has sealed reasoning
};

} // namespace troupe::scripted
