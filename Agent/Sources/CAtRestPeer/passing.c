#define _GNU_SOURCE
#include "CAtRestPeer.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/epoll.h>

// The kernel's own limit for one message.
enum { most_passed = 253 };

union control {
  struct cmsghdr header;
  char space[CMSG_SPACE(sizeof(int) * most_passed)];
};

ptrdiff_t atrest_receive_passed(int socket, void *bytes, size_t count, int32_t *descriptors, size_t *number,
                                int *is_cut) {
  union control control;
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  size_t most = *number;
  *number = 0;
  *is_cut = 0;
  ptrdiff_t got;
  do got = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got < 0) return got;
  *is_cut = (message.msg_flags & MSG_CTRUNC) != 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t total = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < total; index++) {
      int given;
      memcpy(&given, CMSG_DATA(header) + index * sizeof(int), sizeof given);
      if (*number < most) {
        descriptors[(*number)++] = given;
      } else {
        close(given);
        *is_cut = 1;
      }
    }
  }
  return got;
}

ptrdiff_t atrest_send_passed(int socket, const void *bytes, size_t count, const int32_t *descriptors,
                             size_t number) {
  union control control;
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (number > most_passed) {
    errno = EINVAL;
    return -1;
  }
  if (number > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * number);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * number);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * number);
  }
  ptrdiff_t sent;
  do sent = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent;
}

int atrest_make_readiness(void) { return epoll_create1(EPOLL_CLOEXEC); }

int atrest_await(int readiness, int socket, uint64_t number, int reads, int writes) {
  struct epoll_event event = {
      .events = EPOLLONESHOT | (reads ? EPOLLIN | EPOLLRDHUP : 0) | (writes ? EPOLLOUT : 0),
      .data.u64 = number};
  if (epoll_ctl(readiness, EPOLL_CTL_MOD, socket, &event) == 0) return 0;
  return errno == ENOENT ? epoll_ctl(readiness, EPOLL_CTL_ADD, socket, &event) : -1;
}

void atrest_forget(int readiness, int socket) { epoll_ctl(readiness, EPOLL_CTL_DEL, socket, NULL); }

int atrest_next_ready(int readiness, uint64_t *numbers, int most) {
  struct epoll_event events[64];
  int count;
  do count = epoll_wait(readiness, events, most < 64 ? most : 64, -1);
  while (count < 0 && errno == EINTR);
  for (int index = 0; index < count; index++) numbers[index] = events[index].data.u64;
  return count;
}

#else

ptrdiff_t atrest_receive_passed(int socket, void *bytes, size_t count, int32_t *descriptors, size_t *number,
                                int *is_cut) {
  (void)socket, (void)bytes, (void)count, (void)descriptors, (void)number, (void)is_cut;
  errno = ENOSYS;
  return -1;
}

ptrdiff_t atrest_send_passed(int socket, const void *bytes, size_t count, const int32_t *descriptors,
                             size_t number) {
  (void)socket, (void)bytes, (void)count, (void)descriptors, (void)number;
  errno = ENOSYS;
  return -1;
}

int atrest_make_readiness(void) {
  errno = ENOSYS;
  return -1;
}

int atrest_await(int readiness, int socket, uint64_t number, int reads, int writes) {
  (void)readiness, (void)socket, (void)number, (void)reads, (void)writes;
  errno = ENOSYS;
  return -1;
}

void atrest_forget(int readiness, int socket) { (void)readiness, (void)socket; }

int atrest_next_ready(int readiness, uint64_t *numbers, int most) {
  (void)readiness, (void)numbers, (void)most;
  errno = ENOSYS;
  return -1;
}

#endif
