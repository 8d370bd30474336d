/* The limit of what bench/mcp.sh measures: a client that knows its one request and reads no answer,
 * `bench-limit ECHO_SERVER SECONDS`. Each call costs one write, one wait and one read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char request[] =
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\","
    "\"arguments\":{\"text\":\"hello 12345\"},\"_meta\":{\"progressToken\":7}}}\n";

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double cpu_us(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void check(int ok, const char* what) {
  if (ok)
    return;
  perror(what);
  exit(1);
}

/* Starts the server; its streams are `to` and `from`. */
static void start(const char* program, int* to, int* from) {
  int in[2];
  int out[2];
  check(pipe(in) == 0 && pipe(out) == 0, "pipe");
  const pid_t child = fork();
  check(child >= 0, "fork");
  if (child == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    close(in[1]);
    close(out[0]);
    execl(program, program, (char*)NULL);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  *to = in[1];
  *from = out[0];
}

int main(int argc, char** argv) {
  check(argc > 1, "usage: bench-limit ECHO_SERVER [SECONDS]");
  const double length = argc > 2 ? atof(argv[2]) : 3;
  char answer[65536];
  int to = -1;
  int from = -1;
  start(argv[1], &to, &from);
  const int poll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  check(epoll_ctl(poll, EPOLL_CTL_ADD, from, &event) == 0, "epoll_ctl");

  const double cpu = cpu_us();
  const double begin = seconds();
  double now = begin;
  long calls = 0;
  for (; now - begin < length; now = seconds(), ++calls) {
    check(write(to, request, sizeof request - 1) == sizeof request - 1, "write");
    check(epoll_wait(poll, &event, 1, -1) == 1, "epoll_wait");
    check(read(from, answer, sizeof answer) > 0, "read");
  }
  printf("one_calls_per_second %.0f\n", (double)calls / (now - begin));
  printf("one_cpu_us_per_call %.2f\n", (cpu_us() - cpu) / (double)calls);
  return 0;
}
