// What people bring in files. The last byte chooses what the text is: 0 a file of another program,
// 1 JSON with comments, 2 a file of variables, 3 a string with variables.
#include <map>
#include <string>

#include "apps/engine/configuration/object_reader.hpp"
#include "apps/engine/configuration/server_entry.hpp"
#include "apps/troupe/mcp_import/third_party_file.hpp"
#include "messages/wire/json/commented_json.hpp"
#include "messages/wire/json/json_check.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"

using namespace troupe;

namespace {

void read_file(std::string_view text) {
  imported_file found;
  if (const auto bad = read_third_party_file(text, found)) {
    require(!bad.message.empty() && found.servers.empty(), "a refused file has no servers");
    return;
  }
  require(!found.servers.empty() || !found.left_out.empty(),
          "a file that is taken holds something");
  for (const auto& each : found.servers)
    require(is_json_object(each.entry), "an entry is a JSON object");
}

void read_comments(std::string_view text) {
  const auto plain = plain_json(text);
  require(plain.size() == text.size(), "every byte stays where it is");
  require(plain_json(plain) == plain, "what is plain stays as it is");
  if (json_fault(text).empty())
    require(plain == text, "JSON stays as it is");
  const auto place = place_of(text, text.size() / 2);
  require(place.line >= 1 && place.column >= 1, "a place is counted from 1");
}

void read_variables(std::string_view text) {
  std::map<std::string, std::string> found;
  const auto fault = parse_env_file(text, found);
  for (const auto& [name, value] : found)
    require(!name.empty() && value.find('\0') == value.npos, "a variable can be set");
}

void expand(std::string_view text) {
  const auto [value, lacking] = expand_variables(text);
  if (text.find("${") == text.npos)
    require(value == text && lacking.empty(), "a text without variables stays as it is");
}

constexpr void (*readers[])(std::string_view) = {read_file, read_comments, read_variables, expand};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return read_by_choice(readers, data, size);
}
