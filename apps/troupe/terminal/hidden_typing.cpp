#include "apps/troupe/terminal/hidden_typing.hpp"

#include <unistd.h>

namespace troupe {

hidden_typing::hidden_typing() {
  is_terminal_ = isatty(STDIN_FILENO) != 0 && tcgetattr(STDIN_FILENO, &before_) == 0;
}

void hidden_typing::show() {
  if (is_terminal_)
    tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

void hidden_typing::hide() {
  if (!is_terminal_)
    return;
  auto quiet = before_;
  quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON); // signals stay
  quiet.c_cc[VMIN] = 1;
  quiet.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSANOW, &quiet);
}

void hidden_typing::forget() {
  tcflush(STDIN_FILENO, TCIFLUSH);
}

} // namespace troupe
