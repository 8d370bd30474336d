// Messages about keys that a configuration does not know.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// A key of another program.
struct third_party_key {
  std::string_view key;
  std::string_view instead; ///< what to do; empty: it means nothing here and is passed over
};

/// Keys that stand beside `mcpServers` in files of other programs.
std::span<const third_party_key> third_party_root_keys();

/// Keys of entries of `mcpServers` in files of other programs. Those that mean something here are
/// read by read_server_entry().
std::span<const third_party_key> third_party_server_keys();

/// Returns the known key that was probably meant; "" if none is near. Case and '_' and '-' do not
/// count.
std::string nearest_key(std::string_view key, const std::vector<std::string>& known);

} // namespace troupe
