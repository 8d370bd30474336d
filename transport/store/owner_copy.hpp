// The conversations and the usage of one owner after the other, on their way into another store.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "transport/store/store_copy.hpp"

namespace troupe {

/// Copies what belongs to an owner, the conversation first that was changed last long ago: so lists
/// keep their order. Short ones share a transaction. Not thread safe.
class owner_copy {
public:
  /// @param takes_over the target has nothing but what this copy brings, so what differs from the
  /// source is replaced @param way, watcher, report outlive it
  owner_copy(const copy_way& way, bool takes_over, copy_watcher& watcher, copy_report& report)
      : way_{way}, takes_over_{takes_over}, watcher_{watcher}, report_{report} {}

  /// @return a failure of a store: then nothing is left open in the target
  failure run(const std::string& owner);

private:
  failure copy_usage();
  failure copy_all();
  failure copy(const conversation_info& info);
  failure read(const conversation_info& info, change_conversation& out);
  failure put(change_conversation&& ask, bool replaces);
  failure put_short(const change_conversation& ask, bool replaces);
  failure put_long(change_conversation&& ask, bool replaces);
  failure remove(const std::string& session_id, bool replaces);
  failure remove_gone();
  failure settle(const std::string& id, failure&& why, bool replaces);
  failure begin();
  failure commit();

  const copy_way& way_;
  bool takes_over_;
  copy_watcher& watcher_;
  copy_report& report_;
  std::string owner_;
  std::map<std::string, conversation_info> there_; ///< of the owner in the target, by id
  int64_t place_ = 0;                              ///< of the conversation before
  size_t in_transaction_ = 0;                      ///< conversations
  std::vector<std::string> gone_;                  ///< chats whose files go when it is committed
  copy_report waiting_;                            ///< what counts when it is committed
};

} // namespace troupe
