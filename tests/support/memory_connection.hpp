// One way into a store without a disk.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/memory_disk.hpp"

namespace troupe::test {

/// Sees what is committed, and in a transaction what it wrote itself.
class memory_connection : public store_connection {
public:
  /// @param node that asks; 0: there are no others
  explicit memory_connection(memory_disk& store, uint64_t node = 0);
  ~memory_connection() override;

  failure begin() override;
  failure commit() override;
  void roll_back() override;

  chat_record load(const load_chat& ask) override;
  bool load_at_once(const load_chat& ask, chat_record& out) override;
  save_answer save(const save_chat& ask) override;
  bool gathers() const override { return store_.gathers; }
  failure save_all(const std::vector<const save_chat*>& asks,
                   std::vector<save_answer>& out) override;
  info_answer change(const change_conversation& ask) override;
  std::unique_ptr<staged_change> stage(change_conversation& ask) override;

  /// The cursor is the number of the first one.
  conversation_page list(const list_conversations& ask) override;
  /// Finds the query as it is.
  search_page search(const search_conversations& ask) override;
  conversation_answer get(const get_conversation& ask) override;
  usage_table used(const usage_query& ask) override;

  setting_list settings(const list_settings& ask) override;
  failure put(const setting& value) override;
  key_list keys(const list_keys& ask) override;
  failure put(const api_key& key) override;

  owner_list owners(const list_owners& ask) override;
  failure put(const owner_usage& what) override;

  failure close_running_turns(uint64_t& out) override;
  failure tidy(bool& more) override;
  failure in_place() override;
  failure probe() override;
  uint64_t keys_version() override;

private:
  class memory_change;

  memory_data& data() { return mine_ ? *mine_ : store_.data; }
  void forget();
  template <class Answer, class Change>
  Answer write(const std::string& session_id, Change change);

  memory_disk& store_;
  uint64_t node_;
  std::unique_ptr<memory_data> mine_; ///< in a transaction: what is committed, and its own writes
  std::vector<std::string> written_;
};

} // namespace troupe::test
