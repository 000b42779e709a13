#ifndef CATREST_TRACED_H
#define CATREST_TRACED_H

// Access to the memory and the descriptors of a traced program. Paths are relative to the root, in
// buffers of PATH_MAX bytes.

#if defined(__linux__)

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/// Sets the root, a real path. The pointer is kept.
void traced_root(const char *path);

/// Copies memory of the program. Returns -1 if it cannot be read.
int traced_memory(pid_t thread, uint64_t address, void *buffer, size_t count);

/// Finds the path of an open descriptor. Returns -1 if it is not below the root.
int traced_path(pid_t thread, int descriptor, char *path);

/// Finds the path that a call names, its last part unchanged. Returns -1 if it is not below the
/// root.
int traced_path_at(pid_t thread, int folder, uint64_t address, char *path);

/// Gets the status of the file on which a descriptor is open.
int traced_status(pid_t thread, int descriptor, struct stat *status);

/// Gets the status of a path below the root.
int status_below_root(const char *path, struct stat *status);

/// From now on, the status of two paths cannot be read.
void traced_lose_status(const char *path, const char *other);

/// Skips a call that reads the status of one of these paths. Returns true if it has.
int traced_skip_lost_status(pid_t thread, uint64_t number, const uint64_t *arguments);

/// Skips the call that a thread is about to enter. Returns -1 if this machine cannot.
int traced_skip_call(pid_t thread);

/// Makes a call that was skipped, or had its effect, return an error.
void traced_return_error(pid_t thread, int error);

/// Returns the position of a descriptor, or -1 if the descriptor has no position.
int64_t traced_position(pid_t thread, int descriptor);

#endif
#endif
