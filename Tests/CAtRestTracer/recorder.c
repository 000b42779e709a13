#define _GNU_SOURCE
#include "CAtRestTracer.h"
#include "traced.h"

#include <errno.h>

#if !defined(__linux__)

int atrest_record(const char *path, char *const *arguments, const char *root, const char *log,
                  unsigned kill_at) {
  (void)path, (void)arguments, (void)root, (void)log, (void)kill_at;
  errno = ENOTSUP;
  return -1;
}

int atrest_record_failing(const char *path, char *const *arguments, const char *root,
                          const char *log, const struct atrest_fault *wanted,
                          struct atrest_fault_count *happened) {
  (void)path, (void)arguments, (void)root, (void)log, (void)wanted, (void)happened;
  errno = ENOTSUP;
  return -1;
}

#else

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// The names from <linux/ptrace.h>, which cannot be included together with <sys/ptrace.h>.
#ifndef PTRACE_GET_SYSCALL_INFO
#define PTRACE_GET_SYSCALL_INFO 0x420e
#endif
enum { STOP_AT_ENTRY = 1, STOP_AT_EXIT = 2 };

struct call_info {
  uint8_t op;
  uint8_t padding[3];
  uint32_t architecture;
  uint64_t instruction_pointer, stack_pointer;
  union {
    struct {
      uint64_t number, arguments[6];
    } entry;
    struct {
      int64_t result;
      uint8_t is_error;
    } exit;
  };
};

/// A pending call of one thread.
struct call {
  pid_t thread;
  int is_noted;
  uint64_t number, arguments[6];
  // Paths relative to the root.
  char path[PATH_MAX], other[PATH_MAX];
  // True if the call opens a file that already existed.
  int existed;
  // 0 if the call does not fail, 1 if it is skipped, and 2 if it has its effect and reports an error.
  int fails;
};

enum { THREADS = 256 };
static struct call calls[THREADS];
static FILE *records;
/// The number of calls that were recorded.
static unsigned count;
/// The calls that fail, and the number of those that did.
static struct atrest_fault fault;
static struct atrest_fault_count counts;

static struct call *call_of(pid_t thread) {
  for (int index = 0; index < THREADS; index++)
    if (calls[index].thread == thread) return &calls[index];
  for (int index = 0; index < THREADS; index++)
    if (calls[index].thread == 0) {
      memset(&calls[index], 0, sizeof calls[index]);
      calls[index].thread = thread;
      return &calls[index];
    }
  abort();
}

// MARK: Records

static void note(unsigned kind, uint64_t number, uint64_t value, const void *first, size_t length,
                 const char *second) {
  struct atrest_record head = {
      .kind = kind,
      .first = (unsigned)length,
      .second = second ? (unsigned)strlen(second) : 0,
      .call = count,
      .number = number,
      .value = value,
  };
  fwrite(&head, sizeof head, 1, records);
  if (head.first) fwrite(first, 1, head.first, records);
  if (head.second) fwrite(second, 1, head.second, records);
}

static void note_path(unsigned kind, uint64_t number, uint64_t value, const char *path) {
  note(kind, number, value, path, strlen(path), NULL);
}

static void note_unknown(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note_unknown(const char *format, ...) {
  char text[PATH_MAX + 128];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  note_path(ATREST_RECORD_UNKNOWN, 0, 0, text);
}

// MARK: Calls

/// Returns the flags of a call that opens a file, or -1 for other calls.
static int64_t open_flags(const struct call *call) {
  uint64_t how = 0;
  switch (call->number) {
#ifdef SYS_open
    case SYS_open: return (int64_t)call->arguments[1];
    case SYS_creat: return O_CREAT | O_WRONLY | O_TRUNC;
#endif
    case SYS_openat: return (int64_t)call->arguments[2];
#ifdef SYS_openat2
    case SYS_openat2:
      if (traced_memory(call->thread, call->arguments[2], &how, sizeof how) != 0) return -1;
      return (int64_t)how;
#endif
    default: return -1;
  }
}

static int opens_at(const struct call *call, int *folder, uint64_t *address) {
  switch (call->number) {
#ifdef SYS_open
    case SYS_open:
    case SYS_creat: *folder = AT_FDCWD, *address = call->arguments[0]; return 0;
#endif
    default: *folder = (int)call->arguments[0], *address = call->arguments[1]; return 0;
  }
}

static int is_named(const char *path, const char *name) {
  const char *last = strrchr(path, '/');
  return strcmp(last ? last + 1 : path, name) == 0;
}

static int is_tmpfile(int64_t flags) { return (flags & O_TMPFILE) == O_TMPFILE; }

/// Records the arguments of a call. Returns true if the call may change a file below the root, or
/// writes output.
static int enter(struct call *call) {
  const uint64_t *a = call->arguments;
  pid_t thread = call->thread;
  char path[PATH_MAX];
  int64_t flags = open_flags(call);
  if (flags >= 0) {
    if (!(flags & (O_CREAT | O_TRUNC)) && !is_tmpfile(flags)) return 0;
    int folder;
    uint64_t address;
    opens_at(call, &folder, &address);
    if (traced_path_at(thread, folder, address, call->path) != 0) return 0;
    struct stat status;
    call->existed = !is_tmpfile(flags) && status_below_root(call->path, &status) == 0;
    // Opening an existing file with O_CREAT changes nothing.
    return !call->existed || (flags & O_TRUNC);
  }
  switch (call->number) {
    case SYS_write:
    case SYS_writev:
      if (a[0] == 1 || a[0] == 2) return 1;
      return traced_path(thread, (int)a[0], call->path) == 0;
    case SYS_pwrite64:
    case SYS_pwritev:
#ifdef SYS_pwritev2
    case SYS_pwritev2:
#endif
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_fsync:
    case SYS_fdatasync: return traced_path(thread, (int)a[0], call->path) == 0;
    case SYS_truncate: return traced_path_at(thread, AT_FDCWD, a[0], call->path) == 0;
    case SYS_mmap:
      if (!(a[2] & PROT_WRITE) || !(a[3] & MAP_SHARED) || (int)a[4] < 0) return 0;
      // The numbers in a store's file `lock` wake other processes. After a power loss there are none.
      if (traced_path(thread, (int)a[4], path) == 0 && !is_named(path, "lock"))
        note_unknown("maps %s for writing", path);
      return 0;
    case SYS_copy_file_range:
    case SYS_splice:
      if (traced_path(thread, (int)a[2], path) == 0) note_unknown("copies into %s", path);
      return 0;
    case SYS_sendfile:
      if (traced_path(thread, (int)a[0], path) == 0) note_unknown("copies into %s", path);
      return 0;
#ifdef SYS_rename
    case SYS_rename:
      return traced_path_at(thread, AT_FDCWD, a[0], call->path) == 0
          && traced_path_at(thread, AT_FDCWD, a[1], call->other) == 0;
    case SYS_link: return traced_path_at(thread, AT_FDCWD, a[1], call->other) == 0;
    case SYS_unlink:
    case SYS_rmdir:
    case SYS_mkdir: return traced_path_at(thread, AT_FDCWD, a[0], call->path) == 0;
    case SYS_symlink:
      if (traced_path_at(thread, AT_FDCWD, a[1], path) == 0) note_unknown("makes the link %s", path);
      return 0;
#endif
#ifdef SYS_renameat
    case SYS_renameat:
#endif
    case SYS_renameat2:
      return traced_path_at(thread, (int)a[0], a[1], call->path) == 0
          && traced_path_at(thread, (int)a[2], a[3], call->other) == 0;
    case SYS_linkat: return traced_path_at(thread, (int)a[2], a[3], call->other) == 0;
    case SYS_unlinkat:
    case SYS_mkdirat: return traced_path_at(thread, (int)a[0], a[1], call->path) == 0;
    case SYS_symlinkat:
      if (traced_path_at(thread, (int)a[1], a[2], path) == 0) note_unknown("makes the link %s", path);
      return 0;
    default: return 0;
  }
}

/// Reads the bytes that a call wrote.
static char *written(const struct call *call, size_t count) {
  char *bytes = malloc(count ? count : 1);
  if (call->number == SYS_write || call->number == SYS_pwrite64) {
    if (traced_memory(call->thread, call->arguments[1], bytes, count) != 0)
      note_unknown("writes what cannot be read");
    return bytes;
  }
  size_t done = 0;
  for (uint64_t index = 0; index < call->arguments[2] && done < count; index++) {
    struct iovec part;
    uint64_t address = call->arguments[1] + index * sizeof part;
    size_t length = 0;
    if (traced_memory(call->thread, address, &part, sizeof part) == 0)
      length = part.iov_len < count - done ? part.iov_len : count - done;
    if (length
        && traced_memory(call->thread, (uint64_t)(uintptr_t)part.iov_base, bytes + done, length) != 0)
      note_unknown("writes what cannot be read");
    done += length;
  }
  return bytes;
}

static void leave_write(const struct call *call, size_t count) {
  const uint64_t *a = call->arguments;
  int descriptor = (int)a[0];
  char *bytes = written(call, count);
  if (call->path[0] == 0) {
    note(ATREST_RECORD_SAY, 0, (uint64_t)descriptor, bytes, count, NULL);
  } else {
    struct stat status;
    uint64_t offset = call->number == SYS_write || call->number == SYS_writev
        ? (uint64_t)traced_position(call->thread, descriptor) - count
        : a[3];
    if (traced_status(call->thread, descriptor, &status) == 0)
      note(ATREST_RECORD_WRITE, status.st_ino, offset, bytes, count, NULL);
    else
      note_unknown("writes to %s, which has no status", call->path);
  }
  free(bytes);
}

static void leave_open(const struct call *call, int descriptor) {
  struct stat status;
  if (traced_status(call->thread, descriptor, &status) != 0)
    note_unknown("opens %s, which has no status", call->path);
  else if (call->existed)
    note(ATREST_RECORD_RESIZE, status.st_ino, 0, NULL, 0, NULL);
  else
    note_path(ATREST_RECORD_CREATE, status.st_ino, status.st_mode & 07777,
              is_tmpfile(open_flags(call)) ? "" : call->path);
}

/// Records the effect of a call.
static void leave(const struct call *call, int64_t result) {
  struct stat status;
  pid_t thread = call->thread;
  int descriptor = (int)call->arguments[0];
  if (open_flags(call) >= 0) return leave_open(call, (int)result);
  switch (call->number) {
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_pwritev:
#ifdef SYS_pwritev2
    case SYS_pwritev2:
#endif
      return leave_write(call, (size_t)result);
    case SYS_fallocate:
    case SYS_ftruncate:
      // The new size shows the effect of either call; an allocation that keeps the size changes
      // nothing.
      if (traced_status(thread, descriptor, &status) == 0)
        note(ATREST_RECORD_RESIZE, status.st_ino, (uint64_t)status.st_size, NULL, 0, NULL);
      if (call->number == SYS_fallocate && (call->arguments[1] & ~1ull))
        note_unknown("changes the blocks of %s", call->path);
      return;
    case SYS_truncate:
      if (status_below_root(call->path, &status) == 0)
        note(ATREST_RECORD_RESIZE, status.st_ino, (uint64_t)status.st_size, NULL, 0, NULL);
      return;
    case SYS_fsync:
    case SYS_fdatasync:
      if (traced_status(thread, descriptor, &status) != 0)
        note_unknown("flushes %s, which has no status", call->path);
      else if (S_ISDIR(status.st_mode))
        note_path(ATREST_RECORD_FLUSH_FOLDER, 0, 0, call->path);
      else
        note(ATREST_RECORD_FLUSH, status.st_ino, 0, NULL, 0, NULL);
      return;
#ifdef SYS_rename
    case SYS_rename:
      note(ATREST_RECORD_RENAME, 0, 0, call->path, strlen(call->path), call->other);
      return;
    case SYS_link:
#endif
    case SYS_linkat:
      if (status_below_root(call->other, &status) == 0)
        note_path(ATREST_RECORD_LINK, status.st_ino, 0, call->other);
      return;
#ifdef SYS_renameat
    case SYS_renameat:
#endif
    case SYS_renameat2:
      // RENAME_NOREPLACE is a plain move if it succeeds.
      if (call->number == SYS_renameat2 && (call->arguments[4] & ~1ull))
        note_unknown("exchanges %s", call->path);
      note(ATREST_RECORD_RENAME, 0, 0, call->path, strlen(call->path), call->other);
      return;
#ifdef SYS_rename
    case SYS_unlink: note_path(ATREST_RECORD_UNLINK, 0, 0, call->path); return;
    case SYS_rmdir: note_path(ATREST_RECORD_REMOVE_FOLDER, 0, 0, call->path); return;
    case SYS_mkdir:
#endif
    case SYS_mkdirat:
      if (status_below_root(call->path, &status) == 0)
        note_path(ATREST_RECORD_MAKE_FOLDER, 0, status.st_mode & 07777, call->path);
      return;
    case SYS_unlinkat:
      note_path(call->arguments[2] & AT_REMOVEDIR ? ATREST_RECORD_REMOVE_FOLDER
                                                  : ATREST_RECORD_UNLINK,
                0, 0, call->path);
      return;
    default: return;
  }
}

// MARK: Tracing

/// Returns true if a full disk makes a call fail, or a broken disk with any other error.
static int can_fail(const struct call *call, int error) {
  if (call->path[0] == 0) return 0;
  if (fault.lasts == 3) return call->other[0] != 0;
  if (error != ENOSPC) return 1;
  switch (call->number) {
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_ftruncate:
    case SYS_truncate:
    case SYS_unlinkat:
#ifdef SYS_unlink
    case SYS_unlink:
    case SYS_rmdir:
#endif
      return 0;
    default: return 1;
  }
}

/// Decides at the entry of a call whether it fails, and then skips it, unless it has its effect.
static void fail_or_pass(struct call *call) {
  call->fails = 0;
  if (fault.fail_at == 0 || count < fault.fail_at || !can_fail(call, fault.error)) return;
  if (counts.failures > 0 && fault.lasts != 1) return;
  if (fault.lasts < 2 && traced_skip_call(call->thread) != 0) return;
  call->fails = fault.lasts < 2 ? 1 : 2;
  counts.failures++;
  if (fault.lasts == 3) traced_lose_status(call->path, call->other);
}

/// Handles a stop before or after a call. Returns true if the program was killed.
static int stopped(pid_t child, pid_t thread, unsigned kill_at) {
  struct call_info info;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) < 0) return 0;
  struct call *call = call_of(thread);
  if (info.op == STOP_AT_ENTRY) {
    call->number = info.entry.number;
    memcpy(call->arguments, info.entry.arguments, sizeof call->arguments);
    call->path[0] = call->other[0] = 0;
    call->is_noted = enter(call);
    if (call->is_noted && ++count == kill_at) {
      if (call->path[0] == 0 && call->number == SYS_write) {
        char *bytes = written(call, call->arguments[2]);
        note(ATREST_RECORD_CUT_SHORT, 0, call->arguments[0], bytes, call->arguments[2], NULL);
        free(bytes);
      }
      kill(child, SIGKILL);
      return 1;
    }
    if (call->is_noted) fail_or_pass(call);
    else call->is_noted = call->fails = traced_skip_lost_status(thread, call->number, call->arguments);
  } else if (info.op == STOP_AT_EXIT && call->is_noted) {
    call->is_noted = 0;
    if (call->fails == 1 || (call->fails == 2 && !info.exit.is_error))
      traced_return_error(thread, fault.error);
    else if (!info.exit.is_error)
      leave(call, info.exit.result);
  }
  return 0;
}

static pid_t start(const char *path, char *const *arguments) {
  pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0) execv(path, arguments);
    _exit(127);
  }
  if (child < 0) return -1;
  int status;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return -1;
  long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK
      | PTRACE_O_TRACEVFORK | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SETOPTIONS, child, 0, options) != 0) return -1;
  if (ptrace(PTRACE_SYSCALL, child, 0, 0) != 0) return -1;
  return child;
}

static int follow(pid_t child, unsigned kill_at) {
  for (;;) {
    int status;
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0 && errno == EINTR) continue;
    if (thread < 0) return -1;
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      call_of(thread)->thread = 0;
      if (thread != child) continue;
      int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      note(ATREST_RECORD_END, 0, (uint64_t)code, NULL, 0, NULL);
      counts.status = code;
      return 0;
    }
    int signal = WSTOPSIG(status);
    if (signal == (SIGTRAP | 0x80)) {
      if (stopped(child, thread, kill_at)) continue;
      signal = 0;
    } else if (status >> 16 || signal == SIGTRAP || signal == SIGSTOP) {
      // A new thread, which begins with a stop, or the notification of it.
      signal = 0;
    }
    ptrace(PTRACE_SYSCALL, thread, 0, signal);
  }
}

int atrest_record(const char *path, char *const *arguments, const char *root, const char *log,
                  unsigned kill_at) {
  struct atrest_fault killed = {.kill_at = kill_at};
  struct atrest_fault_count result;
  return atrest_record_failing(path, arguments, root, log, &killed, &result);
}

int atrest_record_failing(const char *path, char *const *arguments, const char *root,
                          const char *log, const struct atrest_fault *wanted,
                          struct atrest_fault_count *happened) {
  memset(calls, 0, sizeof calls);
  memset(&counts, 0, sizeof counts);
  count = 0;
  fault = *wanted;
  traced_root(root);
  records = fopen(log, "we");
  if (records == NULL) return -1;
  pid_t child = start(path, arguments);
  int result = child < 0 ? -1 : follow(child, wanted->kill_at);
  int error = errno;
  counts.calls = count;
  *happened = counts;
  if (fclose(records) != 0 && result == 0) return -1;
  errno = error;
  return result;
}

#endif
