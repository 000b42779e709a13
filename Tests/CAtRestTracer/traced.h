#ifndef CATREST_TRACED_H
#define CATREST_TRACED_H

// What a traced program has in memory and in its descriptors. Paths are relative to the root, in
// buffers of PATH_MAX bytes.

#if defined(__linux__)

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/// Sets the root, a real path, which is kept.
void traced_root(const char *path);

/// Copies memory of the program; -1 where it cannot be read.
int traced_memory(pid_t thread, uint64_t address, void *buffer, size_t count);

/// The path that a descriptor is open on; -1 where it is not below the root.
int traced_path(pid_t thread, int descriptor, char *path);

/// The path that a call names, its last part as it is; -1 where it is not below the root.
int traced_path_at(pid_t thread, int folder, uint64_t address, char *path);

/// The status of the file that a descriptor is open on.
int traced_status(pid_t thread, int descriptor, struct stat *status);

/// The status of a path below the root.
int status_below_root(const char *path, struct stat *status);

/// The position of a descriptor; -1 where it has none.
int64_t traced_position(pid_t thread, int descriptor);

#endif
#endif
