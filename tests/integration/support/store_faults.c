// Loaded before the C library: makes writes below a folder fail, or hang, when a test says so.
// STORE_FAULT_FOLDER is the folder, STORE_FAULT_FILE a file with the number of an error, 0 for none,
// -1 to hang until it changes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int wanted_fault(void) {
  const char* file = getenv("STORE_FAULT_FILE");
  char text[16] = {0};
  if (file == NULL)
    return 0;
  int from = open(file, O_RDONLY | O_CLOEXEC);
  if (from < 0)
    return 0;
  ssize_t got = read(from, text, sizeof text - 1);
  close(from);
  return got > 0 ? atoi(text) : 0;
}

static int concerned(int fd) {
  const char* folder = getenv("STORE_FAULT_FOLDER");
  char link[64];
  char path[4096];
  if (folder == NULL)
    return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0)
    return 0;
  path[length] = '\0';
  return strncmp(path, folder, strlen(folder)) == 0;
}

// Returns whether the call is to fail; errno says with what.
static int fails(int fd) {
  int before = errno;
  if (concerned(fd)) {
    int fault = wanted_fault();
    for (; fault == -1; fault = wanted_fault())
      usleep(10000);
    if (fault > 0) {
      errno = fault;
      return 1;
    }
  }
  errno = before;
  return 0;
}

#define FAULTY(result, name, parameters, arguments)                                                \
  result name parameters {                                                                         \
    static result(*real) parameters;                                                               \
    if (real == NULL)                                                                              \
      *(void**)&real = dlsym(RTLD_NEXT, #name);                                                    \
    return fails(fd) ? -1 : real arguments;                                                        \
  }

FAULTY(ssize_t, write, (int fd, const void* data, size_t size), (fd, data, size))
FAULTY(ssize_t, pwrite, (int fd, const void* data, size_t size, off_t at), (fd, data, size, at))
FAULTY(ssize_t, pwrite64, (int fd, const void* data, size_t size, off64_t at), (fd, data, size, at))
FAULTY(int, ftruncate, (int fd, off_t size), (fd, size))
FAULTY(int, ftruncate64, (int fd, off64_t size), (fd, size))
FAULTY(int, fsync, (int fd), (fd))
FAULTY(int, fdatasync, (int fd), (fd))
