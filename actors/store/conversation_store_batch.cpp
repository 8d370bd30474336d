#include "actors/store/conversation_store_batch.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace troupe {

namespace {

using std::chrono::steady_clock;

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
  if (auto bad = commit_transaction(writes_.size()))
    return each_alone(bad);
  answer_all({});
  return {};
}

bool store_batch::changes(std::string_view session_id) const {
  return std::any_of(writes_.begin(), writes_.end(),
                     [=](const auto& each) { return each->changes(session_id); });
}

failure store_batch::commit_transaction(size_t writes) {
  auto begun = steady_clock::now();
  auto bad = on_.commit();
  auto took = steady_clock::now() - begun;
  counts_.commit_us += std::chrono::duration_cast<std::chrono::microseconds>(took).count();
  if (bad)
    return bad;
  ++counts_.commits;
  counts_.saves += writes;
  counts_.largest_commit = std::max<uint64_t>(counts_.largest_commit, writes);
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
