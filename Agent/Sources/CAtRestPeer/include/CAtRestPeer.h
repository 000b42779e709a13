#ifndef CATREST_PEER_H
#define CATREST_PEER_H

#include <stddef.h>
#include <stdint.h>

/// The identity that the kernel recorded when a socket was connected.
struct atrest_peer {
  uint32_t user;
  uint32_t group;
  int32_t process;
  /// A descriptor of the process, or -1 if the system has none. The caller closes it.
  int32_t descriptor;
};

/// Gets the identity of the process at the other end of a Unix socket. Returns 0, or -1 with errno
/// set.
///
/// The descriptor comes from the socket itself (Linux 6.5), or else from the process number. In
/// the second case the number may have been reused, so the caller has to compare the start times.
int atrest_get_peer(int socket, struct atrest_peer *_Nonnull peer);

/// Gets the label of the security module for the process at the other end. Returns its length, 0 if it
/// has none, or -1 with errno set: to ERANGE if it is longer.
ptrdiff_t atrest_get_peer_label(int socket, char *_Nonnull label, size_t size);

/// Gets the abstract name to which the other end of a Unix socket is bound, without the zero before
/// it. Returns its length, or -1 with errno set if it has none.
ptrdiff_t atrest_get_peer_name(int socket, char *_Nonnull name, size_t size);

/// The properties of a file.
struct atrest_file {
  uint64_t device;
  uint64_t number;
  int64_t size;
  /// The times of the last change of the contents and of the properties, in nanoseconds since 1970.
  int64_t modified;
  int64_t changed;
  uint32_t owner;
  uint32_t mode;
  int is_regular;
};

/// Returns 1 if the other end of a connected socket was closed in both directions, and everything that it sent
/// was read.
int atrest_has_hung_up(int socket);

/// Gets the properties of the file to which a path leads, as the kernel knows them. Returns 0, or -1 with
/// errno set.
///
/// The program that serves a file system in user space is not asked, so it cannot keep the caller waiting.
int atrest_look_at_file(const char *_Nonnull path, struct atrest_file *_Nonnull file);

/// Gets the properties of the file at a path, which may be a link, only by what the kernel has in memory: no
/// file system is asked. Returns 0, or -1 with errno set: to EAGAIN if this is not enough, or if the kernel
/// cannot do so (Linux before 5.12).
int atrest_look_at_known_file(const char *_Nonnull path, struct atrest_file *_Nonnull file);

/// Opens a folder as a place from which paths are followed. Returns a descriptor, or -1 with errno set.
int atrest_open_place(const char *_Nonnull path);

/// Returns 1 while the process of a descriptor exists, 0 after its end, or -1 with errno set.
int atrest_is_running(int descriptor);

/// Keeps this process out of core dumps and away from debuggers of the same user. Returns 0, or -1
/// with errno set.
int atrest_harden(void);

/// Gives the processors to the other threads of this process first, where a thread can have a priority of
/// its own.
void atrest_yield_processors(void);

/// Lets the memory of large messages go back to the system when they are freed, and keeps few heaps.
void atrest_limit_heap(void);

/// Limits the memory that SQLite's caches take in this process, all together. A cache that would grow
/// beyond it uses its oldest pages again.
void atrest_limit_database_caches(int64_t size);

/// Receives bytes, and at most one descriptor, or -1 in its place. Others are closed. Returns the number of
/// bytes, or -1.
ptrdiff_t atrest_receive(int socket, void *_Nonnull bytes, size_t count, int *_Nonnull descriptor);

/// Receives bytes and descriptors without waiting. Returns the number of bytes, 0 at the end, or -1 with errno set.
///
/// `number` is the size of `descriptors`, and then the number of those that came. `is_cut` is 1 if others came that were
/// closed, because there was no room for them.
ptrdiff_t atrest_receive_passed(int socket, void *_Nonnull bytes, size_t count, int32_t *_Nonnull descriptors,
                                size_t *_Nonnull number, int *_Nonnull is_cut);

/// Sends bytes, and descriptors with the first of them, without waiting. Returns the number of bytes, or -1 with errno
/// set.
ptrdiff_t atrest_send_passed(int socket, const void *_Nonnull bytes, size_t count,
                             const int32_t *_Nullable descriptors, size_t number);

/// Makes a descriptor that tells which sockets are ready, or -1 with errno set.
int atrest_make_readiness(void);

/// Has one event told when a socket can be read from, or written to, or has failed. Returns 0, or -1 with errno set.
int atrest_await(int readiness, int socket, uint64_t number, int reads, int writes);

/// Has no more events told of a socket.
void atrest_forget(int readiness, int socket);

/// Waits for events, and gets the numbers of their sockets. Returns how many there are, or -1 with errno set.
int atrest_next_ready(int readiness, uint64_t *_Nonnull numbers, int most);

/// Makes a pipe whose two ends no other program inherits. Returns 0, or -1 with errno set.
int atrest_make_pipe(int32_t *_Nonnull ends);

/// Starts a program with two descriptors as its standard input and output, the standard error of this
/// process, no other descriptor, no blocked signal, and the default action for each signal. Returns 0, or
/// the number of the error.
int atrest_start_program(const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
                         char *_Nullable const *_Nonnull environment, int input, int output,
                         int32_t *_Nonnull process);

/// Waits for the end of a child process. Returns 1 with its wait status, 0 if it still runs after some
/// milliseconds, or -1 with errno set.
int atrest_wait_for_program(int32_t process, int milliseconds, int *_Nonnull status);

/// Raises the number of descriptors that this process may have open. Returns the number.
uint64_t atrest_raise_descriptor_limit(uint64_t number);

#endif
