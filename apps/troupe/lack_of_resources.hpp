// Messages for a machine that gives no thread or no memory.
#pragma once

#include <cstddef>
#include <exception>
#include <string>

namespace troupe {

/// Returns why an exception ended the program, with what to do if a limit of the machine was met:
/// std::bad_alloc, and std::system_error where no thread could be started. Any thread.
std::string in_words(const std::exception& what);

/// Starts that many threads and ends them again: a server whose start fails half-way can say less
/// of it. Throws std::system_error if the machine does not give so many.
void try_threads(size_t count);

/// For std::set_terminate: an exception of these kinds that nobody caught, on whatever thread, ends
/// the program with one line and exit code 1. Any other is a defect and aborts, for its core dump.
[[noreturn]] void end_for_lack_of_resources() noexcept;

} // namespace troupe
