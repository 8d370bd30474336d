// Breaks two rules on purpose: programs see the engine's face only.
#include "apps/engine/engine_impl.hpp"
#include "apps/engine/http/http_api.hpp"
