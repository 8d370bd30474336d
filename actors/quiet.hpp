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

/// Answers the request whose handler threw, which CAF leaves open: the asker would wait for ever
/// where it has no deadline. One that has a promise already is not answered. @return
/// error_of(thrown)
inline caf::error fail_request(caf::local_actor* self, const std::exception_ptr& thrown) {
  auto why = error_of(thrown);
  const auto* asked = self->current_mailbox_element();
  if (asked != nullptr && asked->mid.is_request() && !asked->mid.is_answered())
    self->make_response_promise().deliver(why);
  return why;
}

/// Drops unmatched messages and DOWN messages without printing (CAF's defaults write to stdout,
/// which may carry our own output), and turns an exception into the exit reason errc::internal. The
/// request that threw is answered with it.
template <class Self>
void quiet(Self* self) {
  self->set_default_handler(caf::drop);
  self->set_down_handler([](caf::scheduled_actor*, caf::down_msg&) {});
  self->set_exception_handler([](caf::scheduled_actor* who, std::exception_ptr& thrown) {
    return fail_request(who, thrown);
  });
}

} // namespace troupe
