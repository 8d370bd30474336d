// The header that a program with Troupe inside includes.
#pragma once

#include "apps/engine/engine.hpp"         // IWYU pragma: export
#include "messages/chat/chat_message.hpp" // IWYU pragma: export
#include "messages/chat/events.hpp"       // IWYU pragma: export
