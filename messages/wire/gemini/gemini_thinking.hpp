// How much Gemini's models are to think.
#pragma once

#include <string>

#include "messages/wire/gemini/gemini_family.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

/// Returns the value of `thinkingConfig`; "" where nothing was asked, or the model does not think.
/// Levels are for generation 3, budgets for 2.5: an effort becomes the nearest of what the model
/// has, and so does "none" where thinking cannot be switched off. Thoughts are asked for, unless
/// there are to be none.
std::string gemini_thinking(const request_parameters& asked, const gemini_family& family);

} // namespace troupe
