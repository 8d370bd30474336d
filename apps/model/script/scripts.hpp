// The scripts of the scripted model: a name, what it is for, and what it answers.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "apps/model/script/answer.hpp"
#include "apps/model/script/chat_call.hpp"

namespace troupe::scripted {

/// The inputs of a script.
struct script_input {
  const conversation& talk; ///< empty where the script does not read it
  double tokens_per_second; ///< of paced scripts
  size_t tokens;            ///< of paced scripts
};

/// One row of the list.
struct script {
  std::string_view name;
  std::string_view description;
  bool reads_talk; ///< false: the answer is the same for every request
  answer (*make)(const script_input&);
  bool seals = false; ///< its thoughts have to come back where a provider seals them
};

/// A script with the numbers that stood in its name ("paced-20-100").
struct chosen_script {
  const script* row = nullptr; ///< nullptr: there is no such script
  double tokens_per_second = 5;
  size_t tokens = 50;
};

/// Returns all scripts, in the order of the documentation.
std::span<const script> all_scripts();

/// Returns the script with that name; the names "paced-N" and "paced-N-M" are made on demand, with
/// N tokens per second from 1 to 1000000 and M tokens from 0 to 1000000.
chosen_script find_script(std::string_view name);

/// Fifty tokens: the answer of the script `text`, and the text that longer answers repeat.
std::string_view fifty_tokens();

} // namespace troupe::scripted
