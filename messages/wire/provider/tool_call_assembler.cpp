#include "messages/wire/provider/tool_call_assembler.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/wire/json/json_slice.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/tool_call_id.hpp"

namespace troupe {

// -- parallel calls -------------------------------------------------------------------------------

/// One of the calls inside.
struct inner_call {
  std::string name;
  std::string arguments; ///< JSON text
};

namespace {

constexpr std::string_view tools_space = "functions.";

} // namespace

/// Returns whether it is the name of a tool that models of OpenAI make up to call several tools at
/// once.
bool is_parallel_call(std::string_view name) noexcept {
  name = name.substr(0, name.find(':')); // some servers count calls in their names
  return name == "multi_tool_use.parallel" || name == "multi_tool_use_parallel";
}

/// Returns the calls of such a call's arguments, {"tool_uses":[{"recipient_name":"functions.NAME",
/// "parameters":{...}}]}; none if they have any other form.
std::vector<inner_call> inner_calls(std::string_view arguments) {
  const json_source source{arguments};
  std::string_view uses;
  read_members(source.root(), {{"tool_uses", &uses}});
  std::vector<inner_call> calls;
  const auto fits = for_each_element(uses, [&calls](std::string_view each) {
    std::string_view recipient, parameters;
    read_members(each, {{"recipient_name", &recipient}, {"parameters", &parameters}});
    auto name = json_string(recipient);
    if (name.starts_with(tools_space))
      name.erase(0, tools_space.size());
    auto text = kind_of(parameters) == json_kind::string ? json_string(parameters)
                : is_nothing(parameters)                 ? std::string{"{}"}
                                                         : std::string{parameters};
    calls.push_back({std::move(name), std::move(text)});
    const auto& called = calls.back().name;
    return !called.empty() && !is_parallel_call(called);
  });
  return fits ? calls : std::vector<inner_call>{};
}

// -- tool call assembler --------------------------------------------------------------------------

namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Gateways to Bedrock begin every call with it, and send the real arguments after it.
constexpr std::string_view empty_object = "{}";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(blanks) == std::string_view::npos;
}

/// Returns whether the text can be the beginning of arguments.
bool begins_object(std::string_view text) {
  auto first = text.find_first_not_of(blanks);
  return first != std::string_view::npos && text[first] == '{';
}

bool is_closed_json(std::string_view text) {
  json_balance balance;
  balance.read(text);
  return balance.closed();
}

/// Names come whole, repeated, growing ("get_", "get_weather") or split ("get_", "weather").
void merge_name(std::string& known, std::string_view piece) {
  if (piece.starts_with(known))
    known = piece;
  else
    known.append(piece);
}

} // namespace

std::string argument_text(std::string_view slice) {
  if (kind_of(slice) == json_kind::string)
    return json_string_piece(slice);
  return is_nothing(slice) ? std::string{} : std::string{slice};
}

void json_balance::read(std::string_view text) noexcept {
  for (char c : text) {
    if (in_string_) {
      if (escaped_)
        escaped_ = false;
      else if (c == '\\')
        escaped_ = true;
      else if (c == '"')
        in_string_ = false;
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      entered_ = true;
      ++depth_;
    } else if ((c == '}' || c == ']') && depth_ > 0) {
      --depth_;
    }
  }
}

tool_call_assembler::tool_call_assembler(std::string id_prefix)
    : id_prefix_(std::move(id_prefix)) {}

failure tool_call_assembler::add(const tool_call_piece& piece, std::vector<event>& out) {
  bool is_empty = piece.id.empty() && piece.name.empty() && piece.arguments.empty();
  if (is_empty && piece.metadata.empty())
    return {};
  if (piece.id.size() > max_call_id_bytes)
    return {errc::model_answer_invalid,
            fmt::format("The model sent a tool call whose id has more than {} bytes.",
                        max_call_id_bytes)};
  auto* into = find(piece);
  if (into == nullptr && is_empty)
    return {}; // metadata without a call
  if (into == nullptr) {
    complete_closed(out);
    if (calls_.size() == max_calls)
      return {errc::model_answer_invalid,
              fmt::format("The model asked for more than {} tool calls in one answer.", max_calls)};
    into = &begin(piece);
  }
  if (!piece.name.empty() && into->arguments.empty() && !into->started)
    merge_name(into->name, piece.name);
  else if (into->name.empty())
    into->name = piece.name;
  if (!piece.metadata.empty())
    into->metadata = piece.metadata;
  if (into->arguments.size() + piece.arguments.size() > max_argument_bytes)
    return {errc::model_answer_invalid,
            fmt::format("The model sent more than {} bytes of arguments for one tool call.",
                        max_argument_bytes)};
  take_arguments(*into, piece.arguments, out);
  return {};
}

void tool_call_assembler::take_arguments(call& into, std::string_view piece,
                                         std::vector<event>& out) {
  if (!into.started && into.arguments == empty_object && begins_object(piece)) {
    into.arguments.clear();
    into.balance = {};
  }
  // A piece after closed JSON repeats the call, or is padding.
  if (into.completed || (into.balance.closed() && (is_blank(piece) || piece == into.arguments)))
    piece = {};
  auto before = into.arguments.size();
  into.characters.append(into.arguments, piece);
  auto added = std::string_view{into.arguments}.substr(before);
  into.balance.read(added);
  auto may_be_replaced = !into.started && into.arguments == empty_object;
  if (into.name.empty() || into.arguments.empty() || may_be_replaced)
    return; // a name may still grow until arguments begin
  if (is_parallel_call(into.name))
    return; // its calls are shown when all of them are there
  if (!into.started)
    start(into, out);
  else if (!added.empty())
    out.emplace_back(tool_args_delta{into.id, std::string{added}});
}

tool_call_assembler::call* tool_call_assembler::find(const tool_call_piece& piece) {
  if (!piece.id.empty())
    return find_by_id(piece);
  auto* open = latest(piece.index);
  return open != nullptr && begins_another(*open, piece) ? nullptr : open;
}

tool_call_assembler::call* tool_call_assembler::find_by_id(const tool_call_piece& piece) {
  for (auto each = calls_.rbegin(); each != calls_.rend(); ++each)
    if (each->id == piece.id && (piece.index < 0 || each->index < 0 || each->index == piece.index))
      return reuses_id(*each, piece) ? nullptr : &*each;
  auto* open = latest(piece.index);
  if (open == nullptr || (piece.index < 0 && !piece.name.empty()))
    return nullptr;
  if (open->own_id)
    return adopt_id(*open, piece) ? open : nullptr;
  // Some servers make a new id for each piece of one call.
  bool goes_on = (piece.name.empty() || piece.name == open->name) && !piece.arguments.empty() &&
                 !open->balance.closed() &&
                 !(open->arguments.empty() && begins_object(piece.arguments));
  return goes_on ? open : nullptr;
}

/// Decides whether a piece with the id of `known` begins another call: some servers give one id to
/// several whole calls.
bool tool_call_assembler::reuses_id(const call& known, const tool_call_piece& piece) {
  return known.balance.closed() && !piece.name.empty() && begins_object(piece.arguments) &&
         (piece.name != known.name || piece.arguments != known.arguments);
}

/// Decides whether the id in `piece` is the late id of `open`, and takes it unless our own id was
/// already shown.
bool tool_call_assembler::adopt_id(call& open, const tool_call_piece& piece) {
  bool same_name = piece.name.empty() ||
                   (piece.name == open.name && open.arguments.empty() && open.chunk != chunk_);
  if (!open.name.empty() && (!same_name || open.balance.closed()))
    return false;
  if (!open.started)
    take_id(open, piece.id);
  return true;
}

tool_call_assembler::call* tool_call_assembler::latest(int64_t index) {
  if (index < 0)
    return calls_.empty() ? nullptr : &calls_.back();
  auto found = std::find_if(calls_.rbegin(), calls_.rend(),
                            [index](const call& each) { return each.index == index; });
  return found == calls_.rend() ? nullptr : &*found;
}

/// Decides whether a piece without an id begins a new call or belongs to `open`.
bool tool_call_assembler::begins_another(const call& open, const tool_call_piece& piece) const {
  if (piece.name.empty() || open.name.empty())
    return false;
  if (open.chunk == chunk_)
    return true; // two elements of one list are two calls
  if (piece.name == open.name)
    return open.balance.closed() && begins_object(piece.arguments);
  return !open.arguments.empty() || is_closed_json(piece.arguments);
}

tool_call_assembler::call& tool_call_assembler::begin(const tool_call_piece& piece) {
  auto& made = calls_.emplace_back();
  made.index = piece.index;
  made.chunk = chunk_;
  take_id(made, piece.id);
  return made;
}

bool tool_call_assembler::id_taken(std::string_view id) const {
  return std::any_of(calls_.begin(), calls_.end(),
                     [id](const call& each) { return each.id == id; }) ||
         std::find(unpacked_.begin(), unpacked_.end(), id) != unpacked_.end();
}

/// Gives the call the server's id, or one of ours if that is missing or not unique.
void tool_call_assembler::take_id(call& into, std::string_view id) {
  if (!id.empty() && !id_taken(id)) {
    into.id = id;
    into.own_id = false;
    return;
  }
  while (into.id.empty() || into.id == id) {
    auto made = fmt::format("{}{}", id_prefix_, ++ids_made_);
    if (!id_taken(made))
      into.id = std::move(made);
  }
}

void tool_call_assembler::start(call& which, std::vector<event>& out) {
  which.started = true;
  out.emplace_back(tool_args_start{which.id, which.name, false});
  if (!which.arguments.empty())
    out.emplace_back(tool_args_delta{which.id, which.arguments});
}

/// Shows the calls that this one stands for. Returns whether it stands for any.
bool tool_call_assembler::unpack(call& which, std::vector<event>& out) {
  const auto inner = inner_calls(which.arguments);
  if (inner.empty() || unpacked_.size() + calls_.size() + inner.size() > max_calls)
    return false;
  which.started = which.completed = true;
  for (const auto& each : inner) {
    call made;
    made.name = each.name;
    made.arguments = each.arguments;
    for (uint32_t n = 1; made.id.empty() || id_taken(made.id); ++n)
      made.id = fmt::format("{}_{}", which.id, n);
    made.metadata = std::exchange(which.metadata, {});
    unpacked_.push_back(made.id);
    complete(made, out);
  }
  return true;
}

void tool_call_assembler::complete(call& which, std::vector<event>& out, bool cut) {
  if (is_parallel_call(which.name) && !which.started && !cut && unpack(which, out))
    return;
  auto shown = which.arguments.size();
  which.characters.flush(which.arguments);
  if (!which.started)
    start(which, out);
  else if (which.arguments.size() > shown)
    out.emplace_back(tool_args_delta{which.id, which.arguments.substr(shown)});
  which.completed = true;
  tool_args_complete done;
  done.tool_call_id = which.id;
  done.tool_name = which.name;
  done.arguments.text = is_blank(which.arguments) && !cut ? std::string{"{}"} : which.arguments;
  done.provider_metadata.text = which.metadata;
  out.emplace_back(std::move(done));
}

void tool_call_assembler::complete_closed(std::vector<event>& out) {
  for (auto& each : calls_) {
    if (each.completed)
      continue;
    if (!each.balance.closed() || each.name.empty())
      return;
    complete(each, out);
  }
}

void tool_call_assembler::complete_all(bool cut, std::vector<event>& out) {
  std::stable_sort(calls_.begin(), calls_.end(),
                   [](const call& a, const call& b) { return a.index < b.index; });
  for (auto& each : calls_)
    if (!each.completed && (!each.name.empty() || !each.arguments.empty()))
      complete(each, out, cut);
}

void tool_call_assembler::complete_started(std::vector<event>& out) {
  for (auto& each : calls_)
    if (each.started && !each.completed)
      complete(each, out);
}

bool tool_call_assembler::any() const noexcept {
  return std::any_of(calls_.begin(), calls_.end(), [](const call& each) {
    return each.completed || !each.name.empty() || !each.arguments.empty();
  });
}

} // namespace troupe
