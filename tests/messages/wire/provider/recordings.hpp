// Recorded answers of real providers, which lie outside of the tree: <folder>/<protocol>/ has
// bodies
// (.sse, .ndjson, .json, .<status>.json), and beside each <stem>.expect.json what it means.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/wire/json/json_tree.hpp"
#include "tests/messages/wire/provider/decoded_body.hpp"

namespace troupe::test {

/// One body, and what it means. The nodes are absent where nothing is said.
struct recording {
  std::string name;
  std::string body;
  body_frame frame;
  json_node expected;

  const json_node* find(std::string_view key) const { return expected.find(key); }
  std::string text_of(std::string_view key) const {
    const auto* found = find(key);
    return found == nullptr ? std::string{} : found->text;
  }
};

/// Returns where the recordings of a protocol lie; nothing where TROUPE_FIXTURES is not set.
std::optional<std::filesystem::path> recordings_of(std::string_view protocol);

/// Returns the recordings of a folder, by their names.
std::vector<recording> read_recordings(const std::filesystem::path& folder);

/// Decodes every recording of the protocol, whole and in pieces of 1, 3 and 7 bytes. Without
/// TROUPE_FIXTURES it only says so.
/// @param at_least so many recordings are there
void check_recordings(std::string_view protocol, std::string_view provider, size_t at_least);

} // namespace troupe::test
