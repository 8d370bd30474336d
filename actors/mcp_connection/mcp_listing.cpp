#include "actors/mcp_connection/mcp_listing.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "messages/wire/mcp/prompts.hpp"
#include "messages/wire/mcp/resources.hpp"
#include "messages/wire/mcp/tools_list.hpp"

namespace troupe {

namespace {

using offer = mcp::server_capabilities;

constexpr std::array<mcp_list_row, 4> rows{
    mcp_list_row{"tools/list", "notifications/tools/list_changed", &offer::tools},
    mcp_list_row{"resources/list", "notifications/resources/list_changed", &offer::resources},
    mcp_list_row{"resources/templates/list", "notifications/resources/list_changed",
                 &offer::resources},
    mcp_list_row{"prompts/list", "notifications/prompts/list_changed", &offer::prompts},
};

/// Appends the entries of one page.
template <class Page, class Entry>
failure read_page(std::string_view result, std::vector<Entry> Page::*entries,
                  std::vector<Entry>& into, std::string& cursor,
                  std::vector<std::string>& left_out) {
  Page page;
  if (auto bad = mcp::parse(result, page))
    return bad;
  auto& more = page.*entries;
  std::move(more.begin(), more.end(), std::back_inserter(into));
  cursor = std::move(page.next_cursor);
  for (auto& each : page.left_out)
    if (left_out.size() < mcp_listing::max_notes)
      left_out.push_back(std::move(each));
  return {};
}

} // namespace

const mcp_list_row& row_of(mcp_list what) {
  return rows.at(static_cast<size_t>(what));
}

/// A change that comes sooner after a run than that one had waited belongs to a storm.
void mcp_listing::change(time_point now) {
  if (due_ != never)
    return;
  auto storms = again_ != time_point{} && now - again_ < wait_;
  wait_ = storms ? std::min(2 * wait_, longest_debounce) : debounce;
  due_ = now + wait_;
}

void mcp_listing::start(time_point now) {
  give_up();
  again_ = due_ == never ? time_point{} : now;
  due_ = never;
  running_ = true;
}

failure mcp_listing::read(std::string_view result) {
  switch (what_) {
  case mcp_list::tools:
    return read_page(result, &mcp::tools_page::tools, found_.tools, cursor_, left_out_);
  case mcp_list::resources:
    return read_page(result, &mcp::resources_page::resources, found_.resources, cursor_, left_out_);
  case mcp_list::templates:
    return read_page(result, &mcp::templates_page::templates, found_.templates, cursor_, left_out_);
  case mcp_list::prompts:
    return read_page(result, &mcp::prompts_page::prompts, found_.prompts, cursor_, left_out_);
  }
  return {};
}

size_t mcp_listing::entries() const noexcept {
  return found_.tools.size() + found_.resources.size() + found_.templates.size() +
         found_.prompts.size();
}

failure mcp_listing::add(const jsonrpc::response& answer) {
  auto method = row_of(what_).method;
  if (answer.is_error)
    return {errc::server_protocol, fmt::format("{} was refused: {} (code {})", method,
                                               answer.error_message, answer.error_code)};
  if (auto bad = read(answer.result))
    return bad;
  fingerprint_ = fingerprint_ * 31 + std::hash<std::string_view>{}(answer.result);
  if (!cursor_.empty() && !cursors_.insert(cursor_).second)
    return {errc::server_protocol, fmt::format("{} does not end: it repeats its cursor", method)};
  if (cursors_.size() >= max_pages || entries() > max_entries)
    return {errc::server_protocol, fmt::format("{} does not end: {} pages, {} entries", method,
                                               cursors_.size() + 1, entries())};
  return {};
}

bool mcp_listing::finish() {
  auto same = std::exchange(complete_, true) && last_ == fingerprint_;
  last_ = fingerprint_;
  over_ = true;
  running_ = false;
  return !same;
}

void mcp_listing::abandon() {
  give_up();
  due_ = never;
}

void mcp_listing::give_up() {
  over_ = over_ || running_;
  running_ = false;
  found_ = {};
  left_out_.clear();
  cursors_.clear();
  cursor_.clear();
  fingerprint_ = 0;
}

} // namespace troupe
