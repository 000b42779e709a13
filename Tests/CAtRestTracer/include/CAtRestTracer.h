#ifndef CATREST_TRACER_H
#define CATREST_TRACER_H

#include <stddef.h>

/// Runs a program under ptrace to its end, like a debugger. For tests only. Returns its exit
/// status, or -1 with errno set if it could not be traced.
int atrest_run_traced(const char *_Nonnull path, char *_Nullable const *_Nonnull arguments);

/// The kinds of records in a log of `atrest_record`.
enum atrest_record_kind {
  /// A file was created: number, path, mode in `value`.
  ATREST_RECORD_CREATE = 1,
  /// A file has a new size: number, size in `value`.
  ATREST_RECORD_RESIZE = 2,
  /// Bytes were written: number, offset in `value`, the bytes in the first field.
  ATREST_RECORD_WRITE = 3,
  /// A file was flushed: number.
  ATREST_RECORD_FLUSH = 4,
  /// A folder was flushed: path.
  ATREST_RECORD_FLUSH_FOLDER = 5,
  /// A name was moved: the old path, the new path.
  ATREST_RECORD_RENAME = 6,
  /// A file received a name: number, path.
  ATREST_RECORD_LINK = 7,
  /// A file lost a name: path.
  ATREST_RECORD_UNLINK = 8,
  /// A folder was created: path, mode in `value`.
  ATREST_RECORD_MAKE_FOLDER = 9,
  /// A folder was removed: path.
  ATREST_RECORD_REMOVE_FOLDER = 10,
  /// The program wrote to standard output or error: the descriptor in `value`, the bytes.
  ATREST_RECORD_SAY = 11,
  /// The program ended: its status in `value`, or 128 and the number of the signal.
  ATREST_RECORD_END = 12,
  /// The program made a change that a log cannot represent: its description.
  ATREST_RECORD_UNKNOWN = 13,
  /// The program was killed when it was about to write to standard output or error: as for SAY.
  ATREST_RECORD_CUT_SHORT = 14,
};

/// The head of a record, followed by the bytes of both fields. Numbers are in the machine's order.
struct atrest_record {
  unsigned kind;
  /// Lengths of the two fields that follow.
  unsigned first, second;
  /// The number of the call, as `kill_at` counts.
  unsigned call;
  /// The file's inode number.
  unsigned long long number;
  unsigned long long value;
};

/// Runs a program under ptrace to its end, and logs its output and each call that changes a file or
/// folder below `root`. Paths in the log are relative to `root`, which must be a real path. Files
/// whose name ends in "-shm" are omitted, because SQLite recreates them after a crash.
///
/// With `kill_at` above 0, the program is killed (SIGKILL) when it enters that call, counted from
/// 1, before the call has any effect.
///
/// Waits for all children of the calling process, so it must have no others. Linux only. Returns 0
/// if the program ran, or -1 with errno set.
int atrest_record(const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
                  const char *_Nonnull root, const char *_Nonnull log, unsigned kill_at);

/// What goes wrong while a program runs. Calls are counted from 1, as in a log of `atrest_record`.
struct atrest_fault {
  /// The call at whose entry the program is killed, or 0.
  unsigned kill_at;
  /// The call that fails, or the next one that can. 0 if none fails.
  unsigned fail_at;
  /// The error, such as EIO. Calls that need no space do not fail with ENOSPC.
  int error;
  /// 0 if one call fails, or 1 if all later ones that can fail do too, as on a full disk. With 2, one call
  /// has its effect and reports the error all the same, as over a network. With 3, this is a rename, and the status of
  /// its two names cannot be read any more.
  int lasts;
};

/// What happened to a program.
struct atrest_fault_count {
  /// The number of calls that were recorded.
  unsigned calls;
  /// The number of calls that were made to fail.
  unsigned failures;
  /// The status with which the program ended, or 128 and the number of the signal.
  int status;
};

/// The same as `atrest_record`, with calls that fail. Calls can fail on x86-64 and
/// arm64 only.
int atrest_record_failing(const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
                          const char *_Nonnull root, const char *_Nonnull log,
                          const struct atrest_fault *_Nonnull wanted,
                          struct atrest_fault_count *_Nonnull happened);

/// Writes a line to standard output and waits for a byte from standard input, with system calls
/// only, so the stack and the registers stay unchanged. Linux only.
void atrest_pause(const char *_Nonnull line, size_t count);

/// The same with 16 bytes in a vector register: the 23rd, or the 13th if there are only 16.
void atrest_pause_holding(const void *_Nonnull value, const char *_Nonnull line, size_t count);

/// Copies the registers of every thread of a process, general and vector registers, one after the
/// other. Returns the number of bytes, or -1 with errno set. Linux only.
long atrest_thread_registers(int process, void *_Nonnull buffer, size_t size);

/// Forks, and runs a function in the child, which then exits with 0. Returns the child's status as
/// waitpid reports it, or -1.
int atrest_run_in_fork(void (*_Nonnull body)(void *_Nullable), void *_Nullable context);

/// Forks, and copies the bytes that the child reads at some addresses, all with the same count.
/// Returns 0, or -1 if the child could not be created or could not read.
int atrest_read_in_fork(const void *_Nonnull const *_Nonnull places, size_t places_count,
                        size_t count, void *_Nonnull copies);

#endif
