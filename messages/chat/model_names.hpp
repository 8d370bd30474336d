// Names by which models are asked for.
#pragma once

#include <map>
#include <string>

#include "messages/chat/model_config.hpp"

namespace troupe {

/// Returns the key of `models` that an asked name stands for: `usual` for "", the name itself where
/// it is a key or nothing is known of it. The result is one of the arguments, or of their values.
/// @param aliases other names of models; "*": of all unknown
inline const std::string& model_key(const std::string& asked, const std::string& usual,
                                    const std::map<std::string, model_config>& models,
                                    const std::map<std::string, std::string>& aliases) {
  if (asked.empty())
    return usual;
  if (aliases.empty() || models.contains(asked))
    return asked;
  auto found = aliases.find(asked);
  if (found == aliases.end())
    found = aliases.find("*");
  return found == aliases.end() ? asked : found->second;
}

} // namespace troupe
