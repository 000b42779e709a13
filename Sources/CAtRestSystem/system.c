#define _GNU_SOURCE
#include "CAtRestSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

void atrest_erase(void *pointer, size_t count) {
#if defined(__APPLE__)
  memset_s(pointer, count, 0, count);
#else
  explicit_bzero(pointer, count);
#endif
}

#if defined(__x86_64__)
// Clears the vector registers 0 to 15 on processors without wider ones.
static void erase_sse_registers(void) {
#define CLEAR(number) \
  __asm__ volatile("xorps %%xmm" #number ", %%xmm" #number ::: "xmm" #number)
  CLEAR(0); CLEAR(1); CLEAR(2); CLEAR(3); CLEAR(4); CLEAR(5); CLEAR(6); CLEAR(7);
  CLEAR(8); CLEAR(9); CLEAR(10); CLEAR(11); CLEAR(12); CLEAR(13); CLEAR(14); CLEAR(15);
#undef CLEAR
}

// Clears the vector registers 0 to 15, the only ones without AVX-512.
__attribute__((target("avx"))) static void erase_avx_registers(void) {
  __asm__ volatile("vzeroall" ::: "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                   "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

// Clears the vector registers 16 to 31 and the mask registers.
__attribute__((target("avx512f"))) static void erase_avx512_registers(void) {
#define CLEAR(number)                                                                     \
  __asm__ volatile("vpxord %%zmm" #number ", %%zmm" #number ", %%zmm" #number ::          \
                       : "xmm" #number)
  CLEAR(16); CLEAR(17); CLEAR(18); CLEAR(19); CLEAR(20); CLEAR(21); CLEAR(22); CLEAR(23);
  CLEAR(24); CLEAR(25); CLEAR(26); CLEAR(27); CLEAR(28); CLEAR(29); CLEAR(30); CLEAR(31);
#undef CLEAR
  __asm__ volatile("kxorw %%k0, %%k0, %%k0\n\tkxorw %%k1, %%k1, %%k1\n\t"
                   "kxorw %%k2, %%k2, %%k2\n\tkxorw %%k3, %%k3, %%k3\n\t"
                   "kxorw %%k4, %%k4, %%k4\n\tkxorw %%k5, %%k5, %%k5\n\t"
                   "kxorw %%k6, %%k6, %%k6\n\tkxorw %%k7, %%k7, %%k7" ::
                       : "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7");
}
#elif defined(__aarch64__)
// Clears the vector registers, and with them the wider ones of SVE. The lower halves of 8 to 15
// belong to the callers, and any function that used them has restored them.
static void erase_neon_registers(void) {
#define CLEAR(number) __asm__ volatile("movi v" #number ".16b, #0" ::: "v" #number)
#define CLEAR_UPPER(number) __asm__ volatile("mov v" #number ".d[1], xzr" ::: "memory")
  CLEAR(0); CLEAR(1); CLEAR(2); CLEAR(3); CLEAR(4); CLEAR(5); CLEAR(6); CLEAR(7);
  CLEAR_UPPER(8); CLEAR_UPPER(9); CLEAR_UPPER(10); CLEAR_UPPER(11);
  CLEAR_UPPER(12); CLEAR_UPPER(13); CLEAR_UPPER(14); CLEAR_UPPER(15);
  CLEAR(16); CLEAR(17); CLEAR(18); CLEAR(19); CLEAR(20); CLEAR(21); CLEAR(22); CLEAR(23);
  CLEAR(24); CLEAR(25); CLEAR(26); CLEAR(27); CLEAR(28); CLEAR(29); CLEAR(30); CLEAR(31);
#undef CLEAR
#undef CLEAR_UPPER
}
#endif

// Copies pass through the registers, and the loader saves the registers on the stack when it first
// binds a call. The registers are therefore cleared before the stack is.
static void erase_registers(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) erase_avx512_registers();
  if (__builtin_cpu_supports("avx"))
    erase_avx_registers();
  else
    erase_sse_registers();
#elif defined(__aarch64__)
  erase_neon_registers();
#endif
}

// Returns the lowest address that this thread's stack may reach, one page above its end, or 0 if
// the system does not report it.
static uintptr_t stack_end(void) {
  enum { page = 16384 };
  static _Thread_local struct {
    uintptr_t end;
    int is_known;
  } stack;
  if (!stack.is_known) {
    stack.is_known = 1;
#if defined(__APPLE__)
    pthread_t self = pthread_self();
    stack.end = (uintptr_t)pthread_get_stackaddr_np(self) - pthread_get_stacksize_np(self) + page;
#elif defined(__linux__)
    pthread_attr_t attributes;
    void *start;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      if (pthread_attr_getstack(&attributes, &start, &size) == 0)
        stack.end = (uintptr_t)start + page;
      pthread_attr_destroy(&attributes);
    }
#endif
  }
  return stack.end;
}

__attribute__((noinline)) static void erase_below(size_t count) {
  // Below the end of a small stack is memory that belongs to something else.
  uintptr_t here = (uintptr_t)__builtin_frame_address(0), end = stack_end();
  if (end != 0 && here - count < end) count = here > end ? here - end : 0;
  if (count == 0) {
    erase_registers();
    return;
  }
  char below[count];
  erase_registers();
  atrest_erase(below, count);
}

void atrest_erase_stack(void) { erase_below(32768); }

static _Atomic uint64_t last_process;
static _Atomic(uint64_t) *process_mark;
static pthread_once_t process_once = PTHREAD_ONCE_INIT;

static void make_process_mark(void) {
  static _Atomic uint64_t unmarked;
  process_mark = &unmarked;
#if defined(MADV_WIPEONFORK)
  size_t size = (size_t)sysconf(_SC_PAGESIZE);
  void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED && madvise(page, size, MADV_WIPEONFORK) == 0) process_mark = page;
#endif
}

uint64_t atrest_process_number(void) {
  pthread_once(&process_once, make_process_mark);
  uint64_t number = atomic_load_explicit(process_mark, memory_order_relaxed);
  if (number != 0) return number;
  uint64_t next = atomic_fetch_add(&last_process, 1) + 1;
  return atomic_compare_exchange_strong(process_mark, &number, next) ? next : number;
}

// The number of nested operations of this thread, and the lowest address of its stack that one of
// them may have written to.
static _Thread_local struct {
  unsigned depth;
  uintptr_t lowest;
} operations;

void atrest_begin_operation(void) { operations.depth++; }

__attribute__((noinline)) void atrest_end_operation(size_t stack) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  uintptr_t reached = here - stack;
  if (operations.lowest == 0 || reached < operations.lowest) operations.lowest = reached;
  if (--operations.depth > 0) return;
  uintptr_t lowest = operations.lowest;
  operations.lowest = 0;
  erase_below(here - lowest);
}

// glibc has a cache of at most 7 freed blocks of each size per thread, and hands out the newest
// first. If it is empty, a request is served from lists that several threads share, and moves further
// blocks from there to the cache; a block that is freed while the cache is full goes to the lists.
// With 4 blocks in the cache beforehand, an operation takes its own from the cache, so they fit when
// it frees them, and they are the newest.
enum { cached_blocks = 4, most_blocks = 256 };

// A block from the lists may be 16 bytes larger than any for this size, because the allocator does not
// split off a remainder that is too small to be a block. It is cached with those of the larger size.
static int is_cached_for(size_t size, void *block) {
#if defined(__GLIBC__)
  const size_t unit = 2 * sizeof(size_t), usable = malloc_usable_size(block);
  // Another allocator, or a block with a mapping of its own.
  if (usable % unit != sizeof(size_t)) return 1;
  return usable < size + unit;
#else
  (void)size, (void)block;
  return 1;
#endif
}

void atrest_fill_cache(size_t size) {
  void *volatile blocks[most_blocks];
  int count = 0, fitting = 0;
  while (fitting < cached_blocks && count < most_blocks) {
    void *block = malloc(size);
    if (!block) break;
    blocks[count++] = block;
    fitting += is_cached_for(size, block);
  }
  while (count > 0) free(blocks[--count]);
}

void atrest_erase_cached(size_t size) {
  void *blocks[cached_blocks];
  for (int i = 0; i < cached_blocks; i++) {
    blocks[i] = malloc(size);
    if (blocks[i]) atrest_erase(blocks[i], size);
  }
  for (int i = cached_blocks - 1; i >= 0; i--) free(blocks[i]);
}

static int is_named(const char *path, const char *name) {
  const char *slash = strrchr(path, '/');
  const char *file = slash ? slash + 1 : path;
  size_t count = strlen(name);
  return strncmp(file, name, count) == 0 && (file[count] == 0 || file[count] == '.');
}

#if defined(__linux__)
static int is_library_named(struct dl_phdr_info *library, size_t size, void *name) {
  (void)size;
  return is_named(library->dlpi_name, name);
}
#endif

int atrest_is_library_loaded(const char *name) {
#if defined(__linux__)
  return dl_iterate_phdr(is_library_named, (void *)name);
#elif defined(__APPLE__)
  for (uint32_t i = 0; i < _dyld_image_count(); i++) {
    const char *path = _dyld_get_image_name(i);
    if (path && is_named(path, name)) return 1;
  }
  return 0;
#else
  (void)is_named, (void)name;
  return 0;
#endif
}

int atrest_is_linked(int descriptor) {
#if defined(__linux__) && defined(STATX_NLINK)
  struct statx status;
  if (statx(descriptor, "", AT_EMPTY_PATH, STATX_NLINK, &status) != 0) return -1;
  return status.stx_nlink > 0;
#else
  struct stat status;
  if (fstat(descriptor, &status) != 0) return -1;
  return status.st_nlink > 0;
#endif
}

int atrest_forbid_core_dumps(void) {
  struct rlimit none = {0, 0};
  int result = setrlimit(RLIMIT_CORE, &none);
#if defined(__linux__)
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) result = -1;
#endif
  return result;
}

extern char **environ;

static void forget_descriptors_at_exec(void) {
#if defined(SYS_close_range)
  // 4 is CLOSE_RANGE_CLOEXEC.
  if (syscall(SYS_close_range, 3, ~0U, 4) == 0) return;
#endif
  for (int descriptor = 3; descriptor < 4096; descriptor++) {
    int flags = fcntl(descriptor, F_GETFD);
    if (flags >= 0) (void)fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC);
  }
}

int32_t atrest_start_in_background(const char *program, char *const *arguments, int32_t *messages) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  // The program would keep what this process has open, such as the pipe of a shell that waits for its end.
  forget_descriptors_at_exec();
  pid_t process = -1;
  int result = posix_spawn(&process, program, &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (result != 0) {
    close(ends[0]);
    errno = result;
    return -1;
  }
  *messages = ends[0];
  return (int32_t)process;
}

static int soft_limit(int result, struct rlimit limit, uint64_t *bytes) {
  if (result != 0) return -1;
  *bytes = limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : (uint64_t)limit.rlim_cur;
  return 0;
}

void atrest_allow_open_files(uint64_t count) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) return;
  limit.rlim_cur = limit.rlim_max < count ? limit.rlim_max : (rlim_t)count;
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

int atrest_core_limit(uint64_t *bytes) {
  struct rlimit limit;
  return soft_limit(getrlimit(RLIMIT_CORE, &limit), limit, bytes);
}

int atrest_locked_memory_limit(uint64_t *bytes) {
  struct rlimit limit;
  return soft_limit(getrlimit(RLIMIT_MEMLOCK, &limit), limit, bytes);
}

int atrest_is_dumpable(void) {
#if defined(__linux__)
  return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
#else
  errno = ENOTSUP;
  return -1;
#endif
}

int atrest_terminal_width(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int atrest_open_unnamed(const char *folder, unsigned mode) {
#if defined(O_TMPFILE)
  return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
#else
  (void)folder, (void)mode;
  errno = EOPNOTSUPP;
  return -1;
#endif
}

void atrest_start_flush(int descriptor, uint64_t offset, uint64_t count) {
#if defined(__linux__)
  // Only a hint: the later flush reports errors.
  (void)sync_file_range(descriptor, (off_t)offset, (off_t)count, SYNC_FILE_RANGE_WRITE);
#else
  (void)descriptor, (void)offset, (void)count;
#endif
}

int atrest_flush_file_system(int descriptor) {
#if defined(__linux__)
  return syncfs(descriptor);
#else
  (void)descriptor;
  errno = ENOTSUP;
  return -1;
#endif
}

const char *const *atrest_environment(void) {
  extern char **environ;
  static const char *const none[] = {NULL};
  return environ ? (const char *const *)environ : none;
}

int atrest_is_system_view(const char *path) {
#if defined(__linux__)
  // The numbers of linux/magic.h: proc, sysfs, cgroup, cgroup2, debugfs, tracefs, securityfs, bpf,
  // configfs, pstore, efivarfs, selinux, binfmt_misc, devpts and the queues of messages.
  static const unsigned long views[] = {
      0x9fa0,     0x62656572, 0x27e0eb,   0x63677270, 0x64626720, 0x74726163, 0x73636673, 0xcafe4a11,
      0x62656570, 0x6165676c, 0xde5e81e4, 0xf97cff8c, 0x42494e4d, 0x1cd1,     0x19800202};
  struct statfs status;
  if (statfs(path, &status) != 0) return 0;
  for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
    if ((unsigned long)status.f_type == views[i]) return 1;
  }
#else
  (void)path;
#endif
  return 0;
}

int atrest_open_unnamed_at(int folder, unsigned mode) {
#if defined(O_TMPFILE)
  return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
#else
  (void)folder, (void)mode;
  errno = EOPNOTSUPP;
  return -1;
#endif
}

int atrest_link_unnamed_at(int descriptor, int folder, const char *name) {
#if defined(O_TMPFILE)
  char self[64];
  snprintf(self, sizeof self, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, self, folder, name, AT_SYMLINK_FOLLOW);
#else
  (void)descriptor, (void)folder, (void)name;
  errno = EOPNOTSUPP;
  return -1;
#endif
}

int atrest_wait(const uint32_t *number, uint32_t known, int milliseconds) {
#if defined(__linux__)
  struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
  // The kernel reads the number, so a file that was truncated is an error and no signal.
  (void)syscall(SYS_futex, number, FUTEX_WAIT, known, &time, NULL, 0);
  return 0;
#else
  (void)number, (void)known, (void)milliseconds;
  errno = ENOTSUP;
  return -1;
#endif
}

void atrest_prefer_latency(void) {
#if defined(__linux__)
  // glibc before 2.41 has no such structure. Linux takes the run time of a usual thread since 6.12.
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } attributes = {.size = sizeof attributes, .runtime = 100000};
  errno = 0;
  attributes.nice = getpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid));
  if (errno == 0) (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
#endif
}

int atrest_add_and_wake(uint32_t *number) {
#if defined(__linux__)
  // The kernel adds, so a file that was truncated is an error and no signal.
  return syscall(SYS_futex, number, FUTEX_WAKE_OP, INT_MAX, NULL, number,
                 FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_EQ, 0)) < 0
             ? -1
             : 0;
#else
  (void)number;
  errno = ENOTSUP;
  return -1;
#endif
}

void atrest_wake(const uint32_t *number) {
#if defined(__linux__)
  (void)syscall(SYS_futex, number, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
#else
  (void)number;
#endif
}
