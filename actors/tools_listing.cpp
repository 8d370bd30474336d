#include "actors/tools_listing.hpp"

#include <iterator>

namespace troupe {

bool tools_listing::start() {
  if (running_) {
    again_ = true;
    return false;
  }
  reset();
  running_ = true;
  return true;
}

failure tools_listing::add(const jsonrpc::response& answer) {
  if (answer.is_error)
    return {errc::server_protocol, "tools/list was refused: " + answer.error_message};
  mcp::tools_page page;
  if (auto bad = mcp::parse(answer.result, page))
    return bad;
  std::move(page.tools.begin(), page.tools.end(), std::back_inserter(found_.tools));
  next_cursor_ = page.next_cursor;
  if (!next_cursor_.empty() &&
      (!cursors_.insert(next_cursor_).second || cursors_.size() > max_pages))
    return {errc::server_protocol, "tools/list does not end: it repeats its cursor"};
  return {};
}

server_tools tools_listing::take() {
  running_ = false;
  return std::exchange(found_, {});
}

} // namespace troupe
