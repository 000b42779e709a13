#define _GNU_SOURCE
#include "CAtRestPeer.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <time.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/// Returns a descriptor of a child process that has not been waited for, or -1.
static int atrest_open_process(int32_t process);

// The libraries link SQLite already.
int64_t sqlite3_soft_heap_limit64(int64_t);

void atrest_limit_heap(void) {
#ifdef __GLIBC__
  // Without a fixed threshold, the first large block that is freed makes the next ones part of a heap, and
  // each thread gets a heap of its own.
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  mallopt(M_TRIM_THRESHOLD, 256 << 10);
  mallopt(M_ARENA_MAX, 4);
#endif
}

void atrest_limit_database_caches(int64_t size) { sqlite3_soft_heap_limit64(size); }

ptrdiff_t atrest_receive(int socket, void *bytes, size_t count, int *descriptor) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * 16)];
  } control;
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof control};
#ifdef MSG_CMSG_CLOEXEC
  int flags = MSG_CMSG_CLOEXEC;
#else
  int flags = 0;
#endif
  *descriptor = -1;
  ptrdiff_t got = recvmsg(socket, &message, flags);
  if (got < 0) return got;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t total = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < total; index++) {
      int given;
      memcpy(&given, CMSG_DATA(header) + index * sizeof(int), sizeof given);
      if (*descriptor < 0)
        *descriptor = given;
      else
        close(given);
    }
  }
  return got;
}

int atrest_make_pipe(int32_t *ends) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  for (int index = 0; index < 2; index++) fcntl(ends[index], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

int atrest_start_program(const char *path, char *const *arguments, char *const *environment, int input,
                         int output, int32_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  if ((error = posix_spawnattr_init(&attributes)) != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif
  pid_t number = 0;
  error = posix_spawn(&number, path, &actions, &attributes, arguments, environment);
  *process = number;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int atrest_wait_for_program(int32_t process, int milliseconds, int *status) {
  struct timespec step = {0, 5 * 1000 * 1000};
  int descriptor = atrest_open_process(process);
  if (descriptor >= 0) {
    struct pollfd state = {.fd = descriptor, .events = POLLIN};
    int count;
    do count = poll(&state, 1, milliseconds);
    while (count < 0 && errno == EINTR);
    close(descriptor);
    milliseconds = 0;
  }
  // Systems without descriptors of processes look again and again.
  for (;;) {
    pid_t ended;
    do ended = waitpid(process, status, WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended != 0) return ended < 0 ? -1 : 1;
    if (milliseconds <= 0) return 0;
    nanosleep(&step, NULL);
    milliseconds -= 5;
  }
}

uint64_t atrest_raise_descriptor_limit(uint64_t number) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur < number) {
    limit.rlim_cur = limit.rlim_max < number ? limit.rlim_max : number;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  return limit.rlim_cur;
}

ptrdiff_t atrest_get_peer_name(int socket, char *name, size_t size) {
  struct sockaddr_un address;
  socklen_t length = sizeof address;
  if (getpeername(socket, (struct sockaddr *)&address, &length) != 0) return -1;
  size_t before = offsetof(struct sockaddr_un, sun_path);
  if (address.sun_family != AF_UNIX || length <= before + 1 || address.sun_path[0] != 0 ||
      length - before - 1 > size) {
    errno = ENOENT;
    return -1;
  }
  memcpy(name, address.sun_path + 1, length - before - 1);
  return (ptrdiff_t)(length - before - 1);
}

int atrest_has_hung_up(int socket) {
  // systemd ends its own direction at once, and then reads. Only the end of both directions is a hang-up.
  struct pollfd look = {.fd = socket, .events = POLLIN};
  char byte;
  return poll(&look, 1, 0) == 1 && (look.revents & POLLHUP) != 0 &&
         recv(socket, &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static int64_t atrest_nanoseconds(int64_t seconds, int64_t rest) { return seconds * 1000000000 + rest; }

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

// Older headers lack these.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

static int atrest_open_process(int32_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int atrest_get_peer(int socket, struct atrest_peer *peer) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
  peer->user = credentials.uid;
  peer->group = credentials.gid;
  peer->process = credentials.pid;
  int descriptor = -1;
  size = sizeof descriptor;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &descriptor, &size) != 0)
    // Other failures mean that the process has ended, and its number may belong to another one.
    descriptor = errno == ENOPROTOOPT && credentials.pid > 0
                     ? (int)syscall(SYS_pidfd_open, credentials.pid, 0)
                     : -1;
  peer->descriptor = descriptor;
  return 0;
}

ptrdiff_t atrest_get_peer_label(int socket, char *label, size_t size) {
  socklen_t length = (socklen_t)size;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERSEC, label, &length) != 0)
    return errno == ENOPROTOOPT ? 0 : -1;
  while (length > 0 && (label[length - 1] == 0 || label[length - 1] == '\n')) length--;
  return (ptrdiff_t)length;
}

static int atrest_look(int folder, const char *path, int flags, struct atrest_file *file) {
  struct statx status;
  flags |= AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT;
  if (statx(folder, path, flags, STATX_BASIC_STATS, &status) != 0) return -1;
  file->device = makedev(status.stx_dev_major, status.stx_dev_minor);
  file->number = status.stx_ino;
  file->size = (int64_t)status.stx_size;
  file->modified = atrest_nanoseconds(status.stx_mtime.tv_sec, status.stx_mtime.tv_nsec);
  file->changed = atrest_nanoseconds(status.stx_ctime.tv_sec, status.stx_ctime.tv_nsec);
  file->owner = status.stx_uid;
  file->mode = status.stx_mode;
  file->is_regular = S_ISREG(status.stx_mode);
  return 0;
}

int atrest_look_at_file(const char *path, struct atrest_file *file) {
  return atrest_look(AT_FDCWD, path, 0, file);
}

int atrest_look_at_known_file(const char *path, struct atrest_file *file) {
  struct {
    uint64_t flags, mode, resolve;
  } how = {.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC, .resolve = 0x20 /* RESOLVE_CACHED */};
  int place = (int)syscall(437 /* openat2 */, AT_FDCWD, path, &how, sizeof how);
  if (place < 0) {
    if (errno == ENOSYS || errno == EINVAL || errno == EPERM) errno = EAGAIN;
    return -1;
  }
  int result = atrest_look(place, "", AT_EMPTY_PATH, file);
  int error = errno;
  close(place);
  errno = error;
  return result;
}

int atrest_open_place(const char *path) { return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC); }

int atrest_is_running(int descriptor) {
  struct pollfd state = {.fd = descriptor, .events = POLLIN};
  int count;
  do count = poll(&state, 1, 0);
  while (count < 0 && errno == EINTR);
  return count < 0 ? -1 : count == 0;
}

void atrest_yield_processors(void) { setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10); }

int atrest_harden(void) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

#else

static int atrest_open_process(int32_t process) {
  (void)process;
  return -1;
}

int atrest_get_peer(int socket, struct atrest_peer *peer) {
  uid_t user;
  gid_t group;
  if (getpeereid(socket, &user, &group) != 0) return -1;
  peer->user = user;
  peer->group = group;
  peer->process = 0;
  peer->descriptor = -1;
  return 0;
}

ptrdiff_t atrest_get_peer_label(int socket, char *label, size_t size) {
  (void)socket, (void)label, (void)size;
  return 0;
}

int atrest_look_at_file(const char *path, struct atrest_file *file) {
  struct stat status;
  if (stat(path, &status) != 0) return -1;
  file->device = (uint64_t)status.st_dev;
  file->number = (uint64_t)status.st_ino;
  file->size = (int64_t)status.st_size;
  file->modified = atrest_nanoseconds(status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec);
  file->changed = atrest_nanoseconds(status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec);
  file->owner = status.st_uid;
  file->mode = status.st_mode;
  file->is_regular = S_ISREG(status.st_mode);
  return 0;
}

int atrest_look_at_known_file(const char *path, struct atrest_file *file) {
  (void)path, (void)file;
  errno = EAGAIN;
  return -1;
}

int atrest_open_place(const char *path) { return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC); }

int atrest_is_running(int descriptor) {
  (void)descriptor;
  errno = ENOSYS;
  return -1;
}

void atrest_yield_processors(void) {}

int atrest_harden(void) {
  struct rlimit none = {0, 0};
  return setrlimit(RLIMIT_CORE, &none);
}

#endif
