#define _GNU_SOURCE
#include "CAtRestTPM.h"

#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)

atrest_tss_rc atrest_tcti_open(
    const struct atrest_tss *table, const char *transport, int milliseconds, void **tcti) {
  return ATREST_TCTI_FAILURE;
}
void atrest_tcti_close(const struct atrest_tss *table, void **tcti) {}
int atrest_tcti_is_silent(const void *tcti) { return 0; }

#else

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// TSS2_TCTI_CONTEXT_COMMON_V2 of the TSS 2.0 TPM Command Transmission Interface specification, section
// 3.2.5, whose layout is part of the library's binary interface.
struct common {
  uint64_t magic;
  uint32_t version;
  atrest_tss_rc (*transmit)(void *tcti, size_t size, const uint8_t *command);
  atrest_tss_rc (*receive)(void *tcti, size_t *size, uint8_t *response, int32_t timeout);
  void (*finalize)(void *tcti);
  atrest_tss_rc (*cancel)(void *tcti);
  atrest_tss_rc (*poll_handles)(void *tcti, void *handles, size_t *count);
  atrest_tss_rc (*set_locality)(void *tcti, uint8_t locality);
  atrest_tss_rc (*make_sticky)(void *tcti, uint32_t *handle, uint8_t sticky);
};

// A transport whose calls end. It is either a socket of its own, for swtpm, whose library waits without
// an end, or passes everything on to a transport that the library loaded.
struct transport {
  struct common common;
  void *inner;
  int descriptor;
  int milliseconds;
  int is_silent;
  int64_t end;
};

#define BAD_REFERENCE 0xA0005
#define BAD_VALUE 0xA000B
#define NOT_IMPLEMENTED 0xA0002
#define TRY_AGAIN 0xA0009
#define LOST 0xA000A
#define INSUFFICIENT_BUFFER 0xA0006
#define LARGEST 4096

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int left(const struct transport *transport) {
  int64_t rest = transport->end - now();
  return rest > 0 ? (int)rest : 0;
}

// 1: ready. 0: the time is over, or an error.
static int wait_for(struct transport *transport, short events, atrest_tss_rc *code) {
  for (;;) {
    struct pollfd one = {.fd = transport->descriptor, .events = events};
    int count = poll(&one, 1, left(transport));
    if (count > 0) return 1;
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) transport->is_silent = 1;
    *code = count == 0 ? ATREST_TCTI_SILENT : LOST;
    return 0;
  }
}

static atrest_tss_rc transmit(void *tcti, size_t size, const uint8_t *command) {
  struct transport *transport = tcti;
  if (transport->is_silent) return ATREST_TCTI_SILENT;
  transport->end = now() + transport->milliseconds;
  if (transport->inner) {
    return ((struct common *)transport->inner)->transmit(transport->inner, size, command);
  }
  atrest_tss_rc code = 0;
  while (size > 0) {
    if (!wait_for(transport, POLLOUT, &code)) return code;
    ssize_t count = write(transport->descriptor, command, size);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return LOST;
    command += count;
    size -= (size_t)count;
  }
  return 0;
}

static atrest_tss_rc read_all(struct transport *transport, uint8_t *bytes, size_t size) {
  atrest_tss_rc code = 0;
  while (size > 0) {
    if (!wait_for(transport, POLLIN, &code)) return code;
    ssize_t count = read(transport->descriptor, bytes, size);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return LOST;
    bytes += count;
    size -= (size_t)count;
  }
  return 0;
}

static atrest_tss_rc receive(void *tcti, size_t *size, uint8_t *response, int32_t timeout) {
  struct transport *transport = tcti;
  if (!size) return BAD_REFERENCE;
  if (transport->is_silent) return ATREST_TCTI_SILENT;
  if (transport->inner) {
    struct common *inner = transport->inner;
    atrest_tss_rc code = inner->receive(inner, size, response, left(transport));
    // A transport that cannot wait for a limited time.
    if (code == BAD_VALUE) code = inner->receive(inner, size, response, timeout);
    if (code != TRY_AGAIN) return code;
    transport->is_silent = 1;
    return ATREST_TCTI_SILENT;
  }
  if (!response) {
    *size = LARGEST;
    return 0;
  }
  uint8_t head[10];
  atrest_tss_rc code = read_all(transport, head, sizeof head);
  if (code) return code;
  size_t whole = (size_t)head[2] << 24 | (size_t)head[3] << 16 | (size_t)head[4] << 8 | head[5];
  if (whole < sizeof head || whole > LARGEST) return LOST;
  if (whole > *size) return INSUFFICIENT_BUFFER;
  memcpy(response, head, sizeof head);
  *size = whole;
  return read_all(transport, response + sizeof head, whole - sizeof head);
}

static void finalize(void *tcti) {}
static atrest_tss_rc cancel(void *tcti) { return NOT_IMPLEMENTED; }
static atrest_tss_rc poll_handles(void *tcti, void *handles, size_t *count) { return NOT_IMPLEMENTED; }
static atrest_tss_rc set_locality(void *tcti, uint8_t locality) { return NOT_IMPLEMENTED; }
static atrest_tss_rc make_sticky(void *tcti, uint32_t *handle, uint8_t sticky) {
  return NOT_IMPLEMENTED;
}

static atrest_tss_rc connect_to(struct transport *transport, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return LOST;
  strcpy(address.sun_path, path);
  transport->descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (transport->descriptor < 0) return LOST;
  fcntl(transport->descriptor, F_SETFD, FD_CLOEXEC);
  fcntl(transport->descriptor, F_SETFL, O_NONBLOCK);
  for (;;) {
    if (connect(transport->descriptor, (struct sockaddr *)&address, sizeof address) == 0) return 0;
    if (errno == EINTR) continue;
    // EAGAIN: others wait for this TPM too, and there is no more room in the queue.
    if (errno != EAGAIN) return LOST;
    if (left(transport) == 0) {
      transport->is_silent = 1;
      return ATREST_TCTI_SILENT;
    }
    poll(NULL, 0, 10);
  }
}

atrest_tss_rc atrest_tcti_open(
    const struct atrest_tss *table, const char *name, int milliseconds, void **tcti) {
  struct transport *transport = calloc(1, sizeof *transport);
  *tcti = transport;
  if (!transport) return ATREST_TCTI_FAILURE;
  // "AtRest" and a version of the interface that tpm2-tss knows.
  transport->common = (struct common){
      0x417452657374, 2, transmit, receive, finalize, cancel, poll_handles, set_locality, make_sticky};
  transport->descriptor = -1;
  transport->milliseconds = milliseconds;
  transport->end = now() + milliseconds;
  static const char own[] = "swtpm:path=";
  if (strncmp(name, own, sizeof own - 1) == 0 && !strchr(name, ',')) {
    return connect_to(transport, name + sizeof own - 1);
  }
  atrest_tss_rc code = table->tcti_open(name, &transport->inner);
  return code == 0 && !transport->inner ? ATREST_TCTI_FAILURE : code;
}

void atrest_tcti_close(const struct atrest_tss *table, void **tcti) {
  struct transport *transport = *tcti;
  *tcti = NULL;
  if (!transport) return;
  if (transport->inner) table->tcti_close(&transport->inner);
  if (transport->descriptor >= 0) close(transport->descriptor);
  free(transport);
}

int atrest_tcti_is_silent(const void *tcti) {
  return tcti && ((const struct transport *)tcti)->is_silent;
}

#endif
