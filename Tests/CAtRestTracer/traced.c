#define _GNU_SOURCE
#include "traced.h"

#if defined(__linux__)

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

static const char *root;
static size_t root_length;

void traced_root(const char *path) {
  root = path;
  root_length = strlen(path);
}

int traced_memory(pid_t thread, uint64_t address, void *buffer, size_t count) {
  struct iovec mine = {buffer, count}, theirs = {(void *)(uintptr_t)address, count};
  return process_vm_readv(thread, &mine, 1, &theirs, 1, 0) == (ssize_t)count ? 0 : -1;
}

static int read_string(pid_t thread, uint64_t address, char *text) {
  // Read byte by byte, because the string may end just before memory that cannot be read.
  for (size_t index = 0; index < PATH_MAX; index++) {
    if (traced_memory(thread, address + index, &text[index], 1) != 0) return -1;
    if (text[index] == 0) return 0;
  }
  return -1;
}

/// Makes a path relative to the root. Returns -1 if it is elsewhere or of shared memory.
static int relative(const char *absolute, char *path) {
  if (strncmp(absolute, root, root_length) != 0) return -1;
  const char *rest = absolute + root_length;
  if (*rest != 0 && *rest != '/') return -1;
  while (*rest == '/') rest++;
  size_t length = strlen(rest);
  if (length >= 4 && strcmp(rest + length - 4, "-shm") == 0) return -1;
  memmove(path, rest, length + 1);
  return 0;
}

/// Finds the path of an open descriptor of the program.
int traced_path(pid_t thread, int descriptor, char *path) {
  char link[64], target[PATH_MAX];
  snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, descriptor);
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length < 0) return -1;
  target[length] = 0;
  return relative(target, path);
}

int traced_status(pid_t thread, int descriptor, struct stat *status) {
  char link[64];
  snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, descriptor);
  return stat(link, status);
}

/// Finds the path that a call names: its last part unchanged, the folder above without links.
int traced_path_at(pid_t thread, int folder, uint64_t address, char *path) {
  char name[PATH_MAX], base[PATH_MAX], whole[2 * PATH_MAX + 1], real[PATH_MAX];
  if (read_string(thread, address, name) != 0 || name[0] == 0) return -1;
  if (name[0] == '/') {
    snprintf(whole, sizeof whole, "%s", name);
  } else {
    char link[64];
    if (folder == AT_FDCWD)
      snprintf(link, sizeof link, "/proc/%d/cwd", thread);
    else
      snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, folder);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length < 0) return -1;
    base[length] = 0;
    snprintf(whole, sizeof whole, "%s/%s", base, name);
  }
  for (size_t length = strlen(whole); length > 1 && whole[length - 1] == '/'; length--)
    whole[length - 1] = 0;
  char *last = strrchr(whole, '/');
  if (last == NULL) return -1;
  *last = 0;
  if (realpath(whole[0] ? whole : "/", real) == NULL) return -1;
  char result[2 * PATH_MAX];
  snprintf(result, sizeof result, "%s/%s", real, last + 1);
  if (strlen(result) >= PATH_MAX) return -1;
  return relative(result, path);
}

int status_below_root(const char *path, struct stat *status) {
  char whole[2 * PATH_MAX];
  snprintf(whole, sizeof whole, "%s/%s", root, path);
  return lstat(whole, status);
}

/// Returns the position of a descriptor.
int64_t traced_position(pid_t thread, int descriptor) {
  char path[64];
  long long position = -1;
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", thread, descriptor);
  FILE *file = fopen(path, "re");
  if (file == NULL) return -1;
  if (fscanf(file, "pos: %lld", &position) != 1) position = -1;
  fclose(file);
  return position;
}

// MARK: Calls that fail

static char lost[2][PATH_MAX];

void traced_lose_status(const char *path, const char *other) {
  snprintf(lost[0], sizeof lost[0], "%s", path);
  snprintf(lost[1], sizeof lost[1], "%s", other);
}

int traced_skip_lost_status(pid_t thread, uint64_t number, const uint64_t *arguments) {
  char path[PATH_MAX];
  int found = -1;
  if (lost[0][0] == 0) return 0;
  switch (number) {
#ifdef SYS_stat
    case SYS_stat:
    case SYS_lstat: found = traced_path_at(thread, AT_FDCWD, arguments[0], path); break;
#endif
#ifdef SYS_newfstatat
    case SYS_newfstatat:
#endif
    case SYS_statx: found = traced_path_at(thread, (int)arguments[0], arguments[1], path); break;
    default: break;
  }
  if (found != 0 || (strcmp(path, lost[0]) != 0 && strcmp(path, lost[1]) != 0)) return 0;
  return traced_skip_call(thread) == 0;
}

int traced_skip_call(pid_t thread) {
#if defined(__x86_64__)
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, thread, 0, &registers) != 0) return -1;
  registers.orig_rax = (unsigned long long)-1;
  return ptrace(PTRACE_SETREGS, thread, 0, &registers) == 0 ? 0 : -1;
#elif defined(__aarch64__)
  int number = -1;
  struct iovec vector = {&number, sizeof number};
  const uintptr_t set = 0x404; // NT_ARM_SYSTEM_CALL
  return ptrace(PTRACE_SETREGSET, thread, (void *)set, &vector) == 0 ? 0 : -1;
#else
  (void)thread;
  return -1;
#endif
}

void traced_return_error(pid_t thread, int error) {
#if defined(__x86_64__)
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, thread, 0, &registers) != 0) return;
  registers.rax = (unsigned long long)-(long long)error;
  ptrace(PTRACE_SETREGS, thread, 0, &registers);
#elif defined(__aarch64__)
  struct user_regs_struct registers;
  struct iovec vector = {&registers, sizeof registers};
  const uintptr_t set = 1; // NT_PRSTATUS
  if (ptrace(PTRACE_GETREGSET, thread, (void *)set, &vector) != 0) return;
  registers.regs[0] = (unsigned long long)-(long long)error;
  ptrace(PTRACE_SETREGSET, thread, (void *)set, &vector);
#else
  (void)thread, (void)error;
#endif
}

#endif
