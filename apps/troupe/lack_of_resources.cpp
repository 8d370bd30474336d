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

bool is_of_thread(const std::system_error& what) {
  return what.code() == std::errc::resource_unavailable_try_again;
}

} // namespace

std::string in_words(const std::exception& what) {
  if (dynamic_cast<const std::bad_alloc*>(&what) != nullptr)
    return no_memory;
  const auto* system = dynamic_cast<const std::system_error*>(&what);
  return system != nullptr && is_of_thread(*system) ? no_thread : what.what();
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
  } catch (const std::bad_alloc&) {
    end_with(no_memory);
  } catch (const std::system_error& what) {
    if (is_of_thread(what))
      end_with(no_thread);
    std::fprintf(stderr, "troupe: %s\n", what.what());
  } catch (const std::exception& what) {
    std::fprintf(stderr, "troupe: %s\n", what.what());
  } catch (...) {
  }
  std::abort();
}

} // namespace troupe
