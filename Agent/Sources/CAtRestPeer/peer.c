#define _GNU_SOURCE
#include "CAtRestPeer.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

void atrest_agent_erase(void *pointer, size_t count) {
  memset(pointer, 0, count);
  // The optimiser has to assume that this reads the bytes.
  __asm__ volatile("" : : "r"(pointer) : "memory");
}

// The libraries link SQLite already.
int64_t sqlite3_soft_heap_limit64(int64_t);

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

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>

// Older headers lack these.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

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
  if (getsockopt(socket, SOL_SOCKET, SO_PEERSEC, label, &length) != 0) return -1;
  while (length > 0 && (label[length - 1] == 0 || label[length - 1] == '\n')) length--;
  return (ptrdiff_t)length;
}

int atrest_is_running(int descriptor) {
  struct pollfd state = {.fd = descriptor, .events = POLLIN};
  int count;
  do count = poll(&state, 1, 0);
  while (count < 0 && errno == EINTR);
  return count < 0 ? -1 : count == 0;
}

int atrest_harden(void) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

#else

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
  errno = ENOPROTOOPT;
  return -1;
}

int atrest_is_running(int descriptor) {
  (void)descriptor;
  errno = ENOSYS;
  return -1;
}

int atrest_harden(void) {
  struct rlimit none = {0, 0};
  return setrlimit(RLIMIT_CORE, &none);
}

#endif
