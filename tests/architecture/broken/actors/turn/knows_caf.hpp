// Breaks one rule on purpose: includes.cmake has to say so.
#include <caf/actor.hpp>
