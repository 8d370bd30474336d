// The least that libev, libcurl and SQLite need to pass an answer on: one loop, one thread that
// saves, no actors, and the answer is not parsed. `bench-relay MODEL_URL MODEL [DATABASE [TOOL]]`
// sends MODEL at MODEL_URL (up to /v1) the same request for each POST. With a DATABASE, which
// `troupe serve` has made, it saves the data of a turn, before the model is asked and before the
// end of the answer. With a TOOL, an MCP server that has `echo`, each turn calls it and asks the
// model once more. Prints the address that it listens on; ends with SIGTERM.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include <ev.h>
#include <fmt/format.h>

#include "bench/relay/asker.hpp"
#include "bench/relay/clients.hpp"
#include "bench/relay/keeper.hpp"
#include "bench/relay/tool.hpp"

namespace {

struct ev_loop* const home = ev_default_loop(unsigned{EVBACKEND_EPOLL});
outbox outgoing;
keeper* store = nullptr;
askers* model = nullptr;
tool* called = nullptr;
const question* asked = nullptr;

void demand(bool ok, const char* what) {
  if (ok)
    return;
  std::perror(what);
  std::exit(1);
}

/// Goes on after a save: asks the model or the tool, or ends the answer.
void on_kept(client& of) {
  if (of.saves == store->saves_of_a_turn())
    return outgoing.add(of, {}); // the last chunk
  if (of.saves == 2)
    return called->call(of);
  model->ask(of, of.saves == 1 ? asked->first : asked->after_call);
}

void on_answered(client& of) {
  store->keep(of);
}

/// Takes a request out of `in`. Returns whether there was a complete one.
bool take_request(std::string& in) {
  const auto head = in.find("\r\n\r\n");
  if (head == in.npos)
    return false;
  const auto* const length = ::strcasestr(in.c_str(), "content-length:");
  const auto body = length == nullptr ? 0 : std::strtoul(length + 15, nullptr, 10);
  if (in.size() < head + 4 + body)
    return false;
  in.erase(0, head + 4 + body);
  return true;
}

void on_client(struct ev_loop*, ev_io* ready, int) {
  auto& from = *static_cast<client*>(ready->data);
  char some[4096];
  const auto size = ::recv(from.socket, some, sizeof some, MSG_DONTWAIT);
  if (size > 0)
    from.in.append(some, static_cast<size_t>(size));
  if (size == 0 || (size < 0 && errno != EAGAIN)) { // stays allocated: its turn may still run
    ev_io_stop(home, ready);
    ::close(from.socket);
    from.open = false;
  } else if (take_request(from.in)) {
    from.out = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
               "Transfer-Encoding: chunked\r\n\r\n";
    from.saves = 0;
    store->keep(from);
  }
}

void on_listener(struct ev_loop*, ev_io* listener, int) {
  const int socket = ::accept4(listener->fd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (socket < 0)
    return;
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  auto* made = new client; // never deleted: there are few
  made->sender = &outgoing;
  made->socket = socket;
  ev_io_init(&made->ready, &on_client, socket, EV_READ);
  made->ready.data = made;
  ev_io_start(home, &made->ready);
}

/// Listens on a free port and says which.
int listen_here() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  demand(::bind(socket, reinterpret_cast<sockaddr*>(&at), size) == 0, "bind");
  demand(::listen(socket, 4096) == 0, "listen");
  demand(::getsockname(socket, reinterpret_cast<sockaddr*>(&at), &size) == 0, "getsockname");
  fmt::print("listening on http://127.0.0.1:{}\n", ntohs(at.sin_port));
  std::fflush(stdout);
  return socket;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: bench-relay MODEL_URL MODEL [DATABASE [TOOL]]\n", stderr);
    return 2;
  }
  const question what{argv[1], argv[2]};
  askers to{home, what, &on_answered};
  tool server{home, argc > 4 ? argv[4] : "", &on_answered};
  const auto kind = server.is_there() ? turn_with_call : plain_turn;
  keeper with{home, argc > 3 ? argv[3] : "", kind, &on_kept};
  model = &to;
  store = &with;
  called = &server;
  asked = &what;
  ev_io listener{};
  ev_io_init(&listener, &on_listener, listen_here(), EV_READ);
  ev_io_start(home, &listener);
  ev_prepare before_sleep{};
  ev_prepare_init(&before_sleep, [](struct ev_loop*, ev_prepare*, int) {
    model->run();
    called->flush();
    outgoing.flush();
  });
  ev_set_priority(&before_sleep, EV_MINPRI);
  ev_prepare_start(home, &before_sleep);
  ev_run(home, 0);
}
