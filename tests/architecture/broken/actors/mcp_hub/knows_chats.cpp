// Breaks one rule on purpose: includes.cmake has to say so.
#include "actors/turn/turn.hpp"
