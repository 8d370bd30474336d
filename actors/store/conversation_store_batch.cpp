#include "actors/store/conversation_store_batch.hpp"

#include <algorithm>
#include <chrono>
#include <unordered_set>
#include <utility>

namespace troupe {

namespace {

using std::chrono::steady_clock;

/// Returns the saves that stand together from a place on, none of a chat that another is of.
std::vector<const save_chat*> saves_from(const std::vector<std::unique_ptr<store_write>>& writes,
                                         size_t at) {
  std::vector<const save_chat*> out;
  std::unordered_set<std::string_view> chats;
  for (; at < writes.size(); ++at) {
    const auto* save = writes[at]->save();
    if (save == nullptr || !chats.insert(save->session_id).second)
      break;
    out.push_back(save);
  }
  return out;
}

/// Returns whether a single write may be at fault. A full disk may have room for a smaller write,
/// and an unclassified error may concern one write only. All other errors concern every write.
bool may_be_of_one(const failure& why) {
  return why.code == errc::store_full || why.code == errc::store_failed;
}

} // namespace

store_batch::~store_batch() {
  answer_all({errc::store_failed, "the store broke off before this was kept"});
}

failure store_batch::add(std::unique_ptr<store_write> what) {
  if (on_.gathers()) {
    writes_.push_back(std::move(what));
    return {};
  }
  auto bad = writes_.empty() ? on_.begin() : failure{};
  auto begun = !bad;
  writes_.push_back(std::move(what));
  if (begun)
    bad = writes_.back()->run(on_);
  if (!bad)
    return {};
  if (begun)
    on_.roll_back();
  return each_alone(std::move(bad));
}

failure store_batch::commit() {
  if (writes_.empty())
    return {};
  if (auto bad = on_.gathers() ? do_gathered() : commit_transaction(writes_.size()))
    return each_alone(bad);
  answer_all({});
  return {};
}

bool store_batch::changes(std::string_view session_id) const {
  return std::any_of(writes_.begin(), writes_.end(),
                     [=](const auto& each) { return each->changes(session_id); });
}

failure store_batch::commit_transaction(size_t writes) {
  return count(writes, [this] { return on_.commit(); });
}

template <class Commit>
failure store_batch::count(size_t writes, Commit commit) {
  auto begun = steady_clock::now();
  auto bad = commit();
  auto took = steady_clock::now() - begun;
  counts_.commit_us += std::chrono::duration_cast<std::chrono::microseconds>(took).count();
  if (bad)
    return bad;
  ++counts_.commits;
  counts_.saves += writes;
  counts_.largest_commit = std::max<uint64_t>(counts_.largest_commit, writes);
  return {};
}

/// Does all that waits, in its order. Saves alone need no transaction around them.
failure store_batch::do_gathered() {
  size_t at = 0;
  if (saves_from(writes_, at).size() == writes_.size())
    return count(writes_.size(), [this, &at] { return do_from(at); });
  auto bad = on_.begin();
  if (bad)
    return bad;
  while (!bad && at < writes_.size())
    bad = do_from(at);
  if (!bad)
    return commit_transaction(writes_.size());
  on_.roll_back();
  return bad;
}

/// Does the write at a place, and if it is a save, all that can be done in the same call.
failure store_batch::do_from(size_t& at) {
  const auto saves = saves_from(writes_, at);
  if (saves.empty())
    return writes_[at++]->run(on_);
  std::vector<save_answer> answers;
  if (auto bad = on_.save_all(saves, answers))
    return bad;
  if (answers.size() != saves.size())
    return {errc::store_failed, "the store has not answered each save"};
  for (auto& each : answers) {
    if (of_store(each.error)) { // of this save only: the others are done
      ++counts_.failures;
      last_failure_ = each.error;
    }
    writes_[at++]->take(std::move(each));
  }
  return {};
}

failure store_batch::run_alone(store_write& what) {
  if (auto bad = on_.begin())
    return bad;
  if (auto bad = what.run(on_)) {
    on_.roll_back();
    return bad;
  }
  return commit_transaction(1);
}

/// Tries each write in a transaction of its own, after the shared one was rolled back.
failure store_batch::each_alone(failure why) {
  last_failure_ = why;
  if (writes_.size() == 1 || !may_be_of_one(why)) {
    counts_.failures += writes_.size();
    answer_all(why);
    return why;
  }
  auto any = false;
  for (auto& each : std::exchange(writes_, {})) {
    auto bad = run_alone(*each);
    each->answer(bad);
    any = any || !bad;
    if (bad) {
      ++counts_.failures;
      last_failure_ = std::move(bad);
    }
  }
  return any ? failure{} : last_failure_;
}

void store_batch::answer_all(const failure& why) {
  for (auto& each : std::exchange(writes_, {}))
    each->answer(why);
}

} // namespace troupe
