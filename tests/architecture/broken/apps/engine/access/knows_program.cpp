// Breaks one rule on purpose: includes.cmake has to say so.
#include "apps/troupe/commands.hpp"
