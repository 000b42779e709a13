#ifndef CATREST_SYSTEM_H
#define CATREST_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

/// Overwrites memory with zeros by a call that the optimiser keeps.
void atrest_erase(void *_Nonnull pointer, size_t count);

/// Overwrites the vector registers, and the 32 KiB of stack below the caller, where finished calls
/// left copies.
void atrest_erase_stack(void);

/// A number that is another one in a process that was forked from this one, where the system can fill
/// memory with zeros there (Linux 4.14 and later). Never 0.
uint64_t atrest_process_number(void);

/// Begins an operation on keys or secrets in this thread. Operations may be inside of one another.
void atrest_begin_operation(void);

/// Ends an operation, which used no more than a size of the stack below the caller. The end of the
/// outermost overwrites the vector registers, and then the stack as far down as any of them came.
void atrest_end_operation(size_t stack);

/// Overwrites the blocks of a size that this thread freed last, where a library freed a copy without
/// overwriting it. The allocator hands out what was freed last first.
void atrest_erase_freed(size_t size);

/// Whether a library is loaded into this process, however it was loaded: one whose file has a name, with
/// or without an extension.
int atrest_is_library_loaded(const char *_Nonnull name);

/// Turns core dumps and debugger attachment by the same user off for this process.
/// Returns 0, or -1 with errno set where the system cannot.
int atrest_forbid_core_dumps(void);

/// Lets this process open a number of files, or as many as the system allows it.
void atrest_allow_open_files(uint64_t count);

/// The size up to which this process leaves a core dump; UINT64_MAX: any.
/// Returns 0, or -1 with errno set.
int atrest_core_limit(uint64_t *_Nonnull bytes);

/// How much memory this process may lock; UINT64_MAX: any. Returns 0, or -1 with errno set.
int atrest_locked_memory_limit(uint64_t *_Nonnull bytes);

/// Whether this process leaves a core dump at all: 0 no, 1 yes, 2 for root alone; -1 with errno set.
int atrest_is_dumpable(void);

/// The width of the terminal on a descriptor in columns, or 0 where it is none.
int atrest_terminal_width(int descriptor);

/// Opens a new file without a name in a folder: it vanishes with its descriptor unless it is linked.
/// Returns the descriptor, or -1 with errno set: EOPNOTSUPP, EISDIR or ENOENT where the system or
/// the file system has no such files.
int atrest_open_unnamed(const char *_Nonnull folder, unsigned mode);

/// Whether an open file still has a name. Returns 1 or 0, or -1 with errno set.
///
/// Asks for nothing else: since Linux 6.13, a write that follows a stat that asks for timestamps costs
/// ext4 an entry in its journal, 30 µs at the next flush.
int atrest_is_linked(int descriptor);

/// Has the system begin to write a part of a file to the disk, without waiting for it.
void atrest_start_flush(int descriptor, uint64_t offset, uint64_t count);

/// Makes everything on a descriptor's file system durable. Returns 0, or -1 with errno set.
int atrest_flush_file_system(int descriptor);

/// As atrest_open_unnamed, in a folder that is open.
int atrest_open_unnamed_at(int folder, unsigned mode);

/// Gives a file of atrest_open_unnamed_at its name in a folder that is open. Returns 0, or -1 with
/// errno set: EEXIST where the name is taken.
int atrest_link_unnamed_at(int descriptor, int folder, const char *_Nonnull name);

#endif
