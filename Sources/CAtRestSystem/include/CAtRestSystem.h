#ifndef CATREST_SYSTEM_H
#define CATREST_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

/// Overwrites memory with zeros in a way that the optimiser does not remove.
void atrest_erase(void *_Nonnull pointer, size_t count);

/// Overwrites the vector registers and the 32 KiB of stack below the caller, which may contain
/// copies that finished calls left there.
void atrest_erase_stack(void);

/// Returns a number that differs in a process forked from this one, if the system can fill memory
/// with zeros there (Linux 4.14 and later). Never 0.
uint64_t atrest_process_number(void);

/// Begins an operation on keys or secrets in this thread. Operations may be nested.
void atrest_begin_operation(void);

/// Ends an operation that used at most the given size of the stack below the caller. The end of the
/// outermost operation overwrites the vector registers, and then the stack as far down as any of
/// the operations reached.
void atrest_end_operation(size_t stack);

/// Gives this thread's cache of the allocator some blocks of a size. Use it before a library frees
/// up to four blocks of this size, so that they are found afterwards.
void atrest_fill_cache(size_t size);

/// Overwrites the blocks of a size that this thread freed last. Use it after a library freed copies
/// without overwriting them, and after atrest_fill_cache.
void atrest_erase_cached(size_t size);

/// Returns 1 if this process is in a time namespace other than the first one, whose clocks somebody could
/// have set (Linux). Returns 0 otherwise.
int atrest_is_in_time_namespace(void);

/// Reads the kernel's identifier of the present boot (Linux), and returns the number of characters. Returns
/// -1 if it cannot be read, or if another file was mounted in its place.
ptrdiff_t atrest_read_boot_id(char *_Nonnull text, size_t size);

/// Returns 1 if a library with the given file name, with or without an extension, is loaded into
/// this process, however it was loaded. Returns 0 otherwise.
int atrest_is_library_loaded(const char *_Nonnull name);

/// Disables core dumps, and debugger attachment by the same user, for this process. Returns 0, or
/// -1 with errno set if the system does not support it.
int atrest_forbid_core_dumps(void);

/// Starts a program in a session of its own, without input and output. `messages` is set to the reading
/// end of a pipe to which it writes its standard error. Returns the process, or -1 with errno set.
int32_t atrest_start_in_background(const char *_Nonnull program,
                                   char *_Nullable const *_Nonnull arguments,
                                   int32_t *_Nonnull messages);

/// Raises this process's limit of open files to a number, or as far as the system allows.
void atrest_allow_open_files(uint64_t count);

/// Gets the largest core dump that this process leaves, in bytes. UINT64_MAX means no limit.
/// Returns 0, or -1 with errno set.
int atrest_core_limit(uint64_t *_Nonnull bytes);

/// Gets the amount of memory that this process may lock, in bytes. UINT64_MAX means no limit.
/// Returns 0, or -1 with errno set.
int atrest_locked_memory_limit(uint64_t *_Nonnull bytes);

/// Returns 0 if this process leaves no core dump, 1 if it does, 2 if only root can read it, or -1
/// with errno set.
int atrest_is_dumpable(void);

/// Returns the width of the terminal on a descriptor in columns, or 0 if it is not a terminal.
int atrest_terminal_width(int descriptor);

/// Opens a new file without a name in a folder. The file vanishes with its descriptor unless it is
/// linked. Returns the descriptor, or -1 with errno set: EOPNOTSUPP, EISDIR or ENOENT if the system
/// or the file system does not support such files.
int atrest_open_unnamed(const char *_Nonnull folder, unsigned mode);

/// Returns 1 if an open file still has a name, 0 if not, or -1 with errno set.
///
/// It requests no other attribute: since Linux 6.13, a write after a stat that requests timestamps
/// costs ext4 an entry in its journal, 30 µs at the next flush.
int atrest_is_linked(int descriptor);

/// Makes the system begin to write a part of a file to the disk, without waiting for it.
void atrest_start_flush(int descriptor, uint64_t offset, uint64_t count);

/// Makes everything on a descriptor's file system durable. Returns 0, or -1 with errno set.
int atrest_flush_file_system(int descriptor);

/// Returns the environment of this process: strings NAME=value, with a null pointer at the end.
const char *_Nullable const *_Nonnull atrest_environment(void);

/// Returns 1 if a path leads to a file system whose files are views of the running system, such as
/// /proc and /sys, and 0 otherwise.
int atrest_is_system_view(const char *_Nonnull path);

/// Does the same as atrest_open_unnamed in a folder that is already open.
int atrest_open_unnamed_at(int folder, unsigned mode);

/// Gives a file of atrest_open_unnamed_at its name in an open folder. Returns 0, or -1 with errno
/// set: EEXIST if the name is taken.
int atrest_link_unnamed_at(int descriptor, int folder, const char *_Nonnull name);

/// Makes a file in memory with the given bytes, which cannot be changed afterwards. Programs that
/// this process starts inherit its descriptor. Returns the descriptor, or -1 with errno set.
int atrest_memory_file(const void *_Nullable bytes, size_t count);

/// Waits while a number in a shared mapping is `known`, at most for a time, or until atrest_wake is called
/// in any process that maps the same file. Returns 0, or -1 with errno ENOTSUP.
int atrest_wait(const uint32_t *_Nonnull number, uint32_t known, int milliseconds);

/// Asks the scheduler to let this thread run soon after it wakes up, for short times. It gets no larger
/// part of the processors by it. Does nothing on systems without such a setting.
void atrest_prefer_latency(void);

/// Adds 1 to a number in a shared mapping in one step, and wakes all threads that wait in atrest_wait. Returns 0,
/// or -1 with errno set: to EFAULT if the file was truncated or may not be written.
int atrest_add_and_wake(uint32_t *_Nonnull number);

/// Wakes all threads that wait in atrest_wait, in all processes.
void atrest_wake(const uint32_t *_Nonnull number);

/// What atrest_old_cipher returns.
enum {
  ATREST_OLD_CIPHER_DONE = 0,
  /// The password or the bytes are wrong, or the algorithm is unknown.
  ATREST_OLD_CIPHER_FAILED = 1,
  /// OpenSSL 3 cannot be loaded.
  ATREST_OLD_CIPHER_NO_LIBRARY = 2,
  /// It failed, and OpenSSL has no provider for RC2 and RC4.
  ATREST_OLD_CIPHER_NO_PROVIDER = 3,
};

/// Decrypts what a password protects with a cipher that predates AES, by OpenSSL's libcrypto, which the first call
/// loads. `algorithm` is an AlgorithmIdentifier, the password is in UTF-8 with a zero byte behind it that is not counted.
/// The output has room for as many bytes as the input, and `output_count` is set to the number of bytes in it.
/// Thread-safe.
int atrest_old_cipher(
    const void *_Nonnull algorithm, size_t algorithm_count, const char *_Nullable password, size_t password_count,
    const void *_Nonnull input, size_t input_count, void *_Nonnull output, size_t *_Nonnull output_count);

#endif
