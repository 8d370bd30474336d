// Loaded before the C library: makes allocations of a program fail when a test says so. The file
// MEMORY_FAULT_FILE has six numbers of 64 bits, shared with the test: whether allocations are
// counted, the first one that fails, how many fail, how many were counted, how many failed, and how
// large one must be to be counted. What libcurl asks for is left out: its version of Debian 12
// divides by zero where a table of its own gets no memory.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct control {
  _Atomic int64_t on, first, count, seen, failed, least;
};

static struct control* shared;
static pid_t owner; // a child that is forked shares the numbers, and is not meant

static void* (*real_malloc)(size_t);
static void (*real_free)(void*);
static void* (*real_calloc)(size_t, size_t);
static void* (*real_realloc)(void*, size_t);
static void* (*real_aligned)(size_t, size_t);
static int (*real_posix)(void**, size_t, size_t);
static void (*bad_alloc)(void);

static uintptr_t curl_begin, curl_end; // the code of libcurl

static int find_curl(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size, (void)data;
  if (strstr(info->dlpi_name, "/libcurl") == NULL)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
      curl_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      curl_end = curl_begin + info->dlpi_phdr[i].p_memsz;
    }
  return 1;
}

// dlsym may allocate before the allocators are known.
static char early[8192];
static size_t early_used;

static void* take_early(size_t bytes) {
  size_t begin = (early_used + 15) & ~(size_t)15;
  if (begin + bytes > sizeof early)
    abort();
  early_used = begin + bytes;
  return early + begin;
}

static int is_early(const void* at) {
  return (const char*)at >= early && (const char*)at < early + sizeof early;
}

static void find_real(void) {
  static int finding;
  if (finding)
    return;
  finding = 1;
  real_free = dlsym(RTLD_NEXT, "free");
  real_calloc = dlsym(RTLD_NEXT, "calloc");
  real_realloc = dlsym(RTLD_NEXT, "realloc");
  real_aligned = dlsym(RTLD_NEXT, "aligned_alloc");
  real_posix = dlsym(RTLD_NEXT, "posix_memalign");
  real_malloc = dlsym(RTLD_NEXT, "malloc");
}

__attribute__((constructor)) static void begin(void) {
  const char* file = getenv("MEMORY_FAULT_FILE");
  int fd = file == NULL ? -1 : open(file, O_RDWR | O_CLOEXEC);
  find_real();
  bad_alloc = (void (*)(void))dlsym(RTLD_DEFAULT, "_ZSt17__throw_bad_allocv");
  if (fd < 0)
    return;
  dl_iterate_phdr(find_curl, NULL);
  void* at = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  owner = getpid();
  if (at != MAP_FAILED)
    shared = at;
}

static int fails(size_t bytes, const void* caller) {
  if (shared == NULL || atomic_load(&shared->on) == 0 || (int64_t)bytes < shared->least)
    return 0;
  if (getpid() != owner || ((uintptr_t)caller >= curl_begin && (uintptr_t)caller < curl_end))
    return 0;
  int64_t place = atomic_fetch_add(&shared->seen, 1) + 1;
  int64_t first = atomic_load(&shared->first);
  if (place < first || place >= first + atomic_load(&shared->count))
    return 0;
  atomic_fetch_add(&shared->failed, 1);
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t bytes) {
  if (real_malloc == NULL)
    find_real();
  if (real_malloc == NULL)
    return take_early(bytes);
  return fails(bytes, __builtin_return_address(0)) ? NULL : real_malloc(bytes);
}

void* calloc(size_t count, size_t bytes) {
  if (real_malloc == NULL)
    find_real();
  if (real_malloc == NULL)
    return take_early(count * bytes); // zero, and never given back
  return fails(count * bytes, __builtin_return_address(0)) ? NULL : real_calloc(count, bytes);
}

void* realloc(void* at, size_t bytes) {
  if (real_malloc == NULL)
    find_real();
  if (is_early(at)) {
    void* made = malloc(bytes);
    size_t rest = (size_t)(early + sizeof early - (char*)at);
    return made == NULL ? NULL : memcpy(made, at, bytes < rest ? bytes : rest);
  }
  return fails(bytes, __builtin_return_address(0)) ? NULL : real_realloc(at, bytes);
}

void free(void* at) {
  if (real_free == NULL)
    find_real();
  if (real_free != NULL && !is_early(at))
    real_free(at);
}

void* aligned_alloc(size_t to, size_t bytes) {
  if (real_malloc == NULL)
    find_real();
  return fails(bytes, __builtin_return_address(0)) ? NULL : real_aligned(to, bytes);
}

int posix_memalign(void** out, size_t to, size_t bytes) {
  if (real_malloc == NULL)
    find_real();
  return fails(bytes, __builtin_return_address(0)) ? ENOMEM : real_posix(out, to, bytes);
}

// The operators of C++, which an allocator may have without malloc.

static void* made(size_t bytes, size_t to) {
  void* at = NULL;
  if (bytes == 0)
    bytes = 1;
  if (to == 0)
    return malloc(bytes);
  return posix_memalign(&at, to, bytes) == 0 ? at : NULL;
}

static void* made_or_thrown(size_t bytes, size_t to) {
  void* at = made(bytes, to);
  if (at == NULL)
    bad_alloc();
  return at;
}

void* _Znwm(size_t bytes) {
  return made_or_thrown(bytes, 0);
}
void* _Znam(size_t bytes) {
  return made_or_thrown(bytes, 0);
}
void* _ZnwmSt11align_val_t(size_t bytes, size_t to) {
  return made_or_thrown(bytes, to);
}
void* _ZnamSt11align_val_t(size_t bytes, size_t to) {
  return made_or_thrown(bytes, to);
}
void* _ZnwmRKSt9nothrow_t(size_t bytes, const void* tag) {
  (void)tag;
  return made(bytes, 0);
}
void* _ZnamRKSt9nothrow_t(size_t bytes, const void* tag) {
  (void)tag;
  return made(bytes, 0);
}
void* _ZnwmSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t to, const void* tag) {
  (void)tag;
  return made(bytes, to);
}
void* _ZnamSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t to, const void* tag) {
  (void)tag;
  return made(bytes, to);
}
