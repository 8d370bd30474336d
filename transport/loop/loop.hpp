// A shard: one thread with one libev loop, and the three stages of each of its iterations.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

struct ev_loop;

namespace troupe {

/// Work for a loop's thread; must not throw.
using task = std::function<void()>;

/// Work that a loop does in every iteration, after its I/O callbacks and before it sleeps.
/// Runners are called in the order of their stage until none reports progress.
class loop_stage {
public:
  virtual ~loop_stage() = default;

  /// Does the pending work; returns whether there was any. Loop thread only; no block, no throw.
  virtual bool run() = 0;
};

/// One shard. The constructor starts the thread, the destructor stops and joins it. Order of an
/// iteration: I/O callbacks, posted tasks, actors, transfers, writes. A later stage runs only when
/// the earlier ones are quiet, so that the output of an iteration leaves in one write. A shard that
/// is busy for longer than 2 ms runs every stage once and goes back to I/O without sleeping. The
/// thread blocks all asynchronous signals: a child process must reset its mask.
class loop {
public:
  enum class stage { actors, transfers, writes };

  explicit loop(size_t index);
  ~loop();
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;

  /// Runs `work` on the loop's thread; one wake-up per batch. Any thread, also the loop's own (then
  /// it runs later in the same iteration). After stop() the work is destroyed unrun.
  void post(task work);

  /// Runs `work` on the loop's thread: at once if this is it, else like post(). Any thread.
  void run(task work);

  /// Returns whether the caller is on this loop's thread.
  bool is_current() const noexcept;

  /// Returns the loop whose thread the caller is on, or nullptr.
  static loop* current() noexcept;

  /// Runs `work` on the loop's thread and returns when it has run; after stop() on the caller's
  /// own. For destructors and start-up: two loops that call each other at once lock up.
  void call(const task& work);

  /// The loop's position among its shards.
  size_t index() const noexcept;

  /// The libev loop. Loop thread only, or any single thread after stop().
  struct ev_loop* native() noexcept;

  /// Adds to or removes from a stage. Loop thread only, or any single thread after stop(). A stage
  /// must be removed before it is destroyed, and may be removed while it runs.
  void add(stage where, loop_stage& what);
  void remove(stage where, loop_stage& what);

  /// Makes this iteration run the stages once more: for work that arrives in a stage after its
  /// turn, when the present stage may report no progress. Loop thread only.
  void again() noexcept;

  /// Ends the thread after the tasks posted so far have run. Any thread but the loop's; idempotent.
  void stop();

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

/// All shards of a process.
class shards {
public:
  /// @param count number of shards; 0 = one per core
  explicit shards(size_t count);
  ~shards();

  size_t size() const noexcept;
  loop& at(size_t index) noexcept;

  /// Returns the caller's own loop when it is one of these, else the next in turn. Any thread.
  loop& near() noexcept;

  /// Stops all loops, in order.
  void stop();

private:
  std::vector<std::unique_ptr<loop>> loops_;
  std::atomic<size_t> next_{0};
};

} // namespace troupe
