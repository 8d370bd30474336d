// Handlers for unexpected messages and errors, in every actor: nothing on stdout, no silent death.
#pragma once

#include <exception>
#include <string>

#include <caf/event_based_actor.hpp>
#include <caf/scheduled_actor.hpp>

#include "messages/interfaces/type_ids.hpp"

namespace troupe {

/// Returns what an actor that threw dies of: errc::internal with the exception's text.
inline caf::error error_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& what) {
    return caf::make_error(errc::internal, std::string{what.what()});
  } catch (...) {
    return caf::make_error(errc::internal);
  }
}

/// Drops unmatched messages and DOWN messages without printing (CAF's defaults write to stdout,
/// which may carry our own output), and turns an exception into the exit reason errc::internal.
template <class Self>
void quiet(Self* self) {
  self->set_default_handler(caf::drop);
  self->set_down_handler([](caf::scheduled_actor*, caf::down_msg&) {});
  self->set_exception_handler(
      [](caf::scheduled_actor*, std::exception_ptr& thrown) { return error_of(thrown); });
}

} // namespace troupe
