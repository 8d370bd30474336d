// Breaks two rules on purpose, one of kinds and one of rooms: includes.cmake has to say so.
#include "actors/store/conversation_store.hpp"
