// Breaks one rule on purpose: includes.cmake has to say so.
#include "apps/engine/http/routes/conversations/conversation_replies.hpp"
