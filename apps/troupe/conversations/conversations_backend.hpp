// The backends of `troupe conversations`: a data folder, or a server.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "apps/engine/config.hpp"
#include "apps/engine/conversations.hpp"
#include "apps/troupe/conversations/conversations_options.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// The answer to a request.
struct backend_answer {
  failure error;
  std::string body;     ///< JSON, as the HTTP interface has it (docs/conversations.md)
  uint64_t version = 0; ///< of the conversation, in answers to overrides()
};

/// All requests of the verbs. Both backends answer with the same bodies. One thread at a time. What
/// has `if_version` is refused with conversation_changed unless it has this version; 0: any.
class conversations_backend {
public:
  virtual ~conversations_backend() = default;

  /// @param limit 0: the default
  virtual backend_answer list(uint32_t limit, const std::string& cursor) = 0;
  virtual backend_answer search(const std::string& words, uint32_t limit,
                                const std::string& cursor) = 0;
  virtual backend_answer show(const std::string& id) = 0;
  virtual backend_answer export_file(const std::string& id) = 0;
  /// @param id empty: that of the file
  virtual backend_answer import_file(std::string json, const std::string& id) = 0;
  virtual backend_answer rename(const std::string& id, const std::string& title) = 0;
  virtual backend_answer remove(const std::string& id, uint64_t if_version) = 0;
  virtual backend_answer branch(const std::string& id, const branch_options& how) = 0;
  virtual backend_answer overrides(const std::string& id) = 0;
  virtual backend_answer set_overrides(const std::string& id, const chat_overrides& what,
                                       uint64_t if_version) = 0;
  virtual backend_answer usage(const std::string& from, const std::string& to) = 0;
};

/// Opens what the options name; nullptr with the reason.
/// @param makes_folder a data folder that is not there is made; else it is a typing mistake
std::unique_ptr<conversations_backend> open_backend(const conversations_options& options,
                                                    bool makes_folder, failure& why);

/// Asks a `troupe serve`.
std::unique_ptr<conversations_backend> server_backend(const std::string& url);

/// Opens a data folder; a process of root works as its owner from then on.
/// @param config its folder, and the quota of owners @return nullptr with the reason, as
/// store_locked
std::unique_ptr<conversations_backend> folder_backend(engine_config config,
                                                      const std::string& owner, failure& why);

} // namespace troupe
