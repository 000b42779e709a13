#define _GNU_SOURCE
#include "CAtRestTracer.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <dirent.h>
#include <elf.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#endif

#if defined(__linux__) && defined(__x86_64__)
// Makes no call of the C library, which would use registers and the stack.
static inline long plain_call(long number, long first, void *second, long third) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(first), "S"(second), "d"(third)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__linux__)
static inline long plain_call(long number, long first, void *second, long third) {
  return syscall(number, first, second, third);
}
#endif

void atrest_pause(const char *line, size_t count) {
#if defined(__linux__)
  char answer;
  plain_call(SYS_write, 1, (void *)(uintptr_t)line, (long)count);
  plain_call(SYS_read, 0, &answer, 1);
#else
  (void)line, (void)count;
#endif
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void load_high_register(const void *value) {
  __asm__ volatile("vbroadcasti32x4 (%0), %%zmm23" ::"r"(value) : "xmm23", "memory");
}
static void load_register(const void *value) {
  __asm__ volatile("movdqu (%0), %%xmm13" ::"r"(value) : "xmm13", "memory");
}
#endif

void atrest_pause_holding(const void *value, const char *line, size_t count) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    load_high_register(value);
  else
    load_register(value);
#elif defined(__aarch64__)
  __asm__ volatile("ldr q23, [%0]" ::"r"(value) : "v23", "memory");
#endif
  atrest_pause(line, count);
}

long atrest_thread_registers(int process, void *buffer, size_t size) {
#if defined(__linux__)
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *threads = opendir(path);
  if (!threads) return -1;
  size_t used = 0;
  int failure = 0;
  for (struct dirent *entry; !failure && (entry = readdir(threads));) {
    pid_t thread = (pid_t)atoi(entry->d_name);
    if (thread <= 0) continue;
    if (ptrace(PTRACE_SEIZE, thread, 0, 0) != 0) {
      if (errno == ESRCH) continue;
      failure = errno;
      break;
    }
    int status;
    if (ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0 || waitpid(thread, &status, __WALL) < 0) {
      failure = errno;
    } else {
      // Sets that a machine does not have are omitted: x86 has the first and the last, arm64 the
      // first two.
      const int sets[] = {NT_PRSTATUS, NT_FPREGSET, 0x202 /* NT_X86_XSTATE */};
      for (size_t set = 0; set < sizeof sets / sizeof *sets; set++) {
        struct iovec vector = {(char *)buffer + used, size - used};
        if (ptrace(PTRACE_GETREGSET, thread, (void *)(uintptr_t)sets[set], &vector) == 0)
          used += vector.iov_len;
      }
      if (used == size) failure = ENOBUFS;
    }
    ptrace(PTRACE_DETACH, thread, 0, 0);
  }
  closedir(threads);
  if (failure) {
    errno = failure;
    return -1;
  }
  return (long)used;
#else
  (void)process, (void)buffer, (void)size;
  errno = ENOTSUP;
  return -1;
#endif
}

int atrest_run_in_fork(void (*body)(void *), void *context) {
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    // A trap ends the child at once, without the report of a crash.
    signal(SIGILL, SIG_DFL);
    signal(SIGTRAP, SIG_DFL);
    body(context);
    _exit(0);
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

int atrest_read_in_fork(const void *const *places, size_t places_count, size_t count, void *copies) {
  int pipes[2];
  if (pipe(pipes) != 0) return -1;
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    for (size_t index = 0; index < places_count; index++)
      if (write(pipes[1], places[index], count) != (ssize_t)count) _exit(1);
    _exit(0);
  }
  close(pipes[1]);
  size_t total = 0;
  while (total < places_count * count) {
    ssize_t more = read(pipes[0], (char *)copies + total, places_count * count - total);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;
    total += (size_t)more;
  }
  close(pipes[0]);
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return total == places_count * count ? 0 : -1;
}
