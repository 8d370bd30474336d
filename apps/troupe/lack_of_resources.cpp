#include "apps/troupe/lack_of_resources.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <future>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "apps/troupe/commands.hpp"

namespace troupe {

namespace {

[[noreturn]] void end_with(const char* text) noexcept {
  std::fprintf(stderr, "troupe: %s\n", text);
  ::_exit(exit_failed); // other threads may be anywhere
}

constexpr const char* no_memory = "there is not enough memory: raise the limit of this process "
                                  "(ulimit -v, MemoryMax of its service) or use fewer --shards";
constexpr const char* no_thread =
    "no more threads can be started: raise the limits of threads (ulimit -u, TasksMax of its "
    "service) and of memory (ulimit -v, MemoryMax), or use fewer --shards";

/// Returns what to say, or nullptr where no limit of the machine was met.
const char* lack_in(const std::exception& what) {
  if (dynamic_cast<const std::bad_alloc*>(&what) != nullptr)
    return no_memory;
  const auto* system = dynamic_cast<const std::system_error*>(&what);
  return system != nullptr && system->code() == std::errc::resource_unavailable_try_again
             ? no_thread
             : nullptr;
}

} // namespace

std::string in_words(const std::exception& what) {
  const auto* lack = lack_in(what);
  return lack != nullptr ? lack : what.what();
}

void try_threads(size_t count) {
  std::promise<void> over;
  const auto waits = over.get_future().share();
  std::vector<std::thread> made;
  made.reserve(count);
  const auto end = [&] {
    over.set_value();
    for (auto& each : made)
      each.join();
  };
  try {
    while (made.size() < count)
      made.emplace_back([waits] { waits.wait(); });
  } catch (...) {
    end();
    throw;
  }
  end();
}

void end_for_lack_of_resources() noexcept {
  try {
    if (const auto now = std::current_exception())
      std::rethrow_exception(now);
  } catch (const std::exception& what) {
    if (const auto* lack = lack_in(what))
      end_with(lack);
    std::fprintf(stderr, "troupe: %s\n", what.what());
  } catch (...) {
  }
  std::abort();
}

} // namespace troupe
