// A host of the module without PAM's library, which therefore has no other copy of the password: it counts the copies
// in its memory. It prints a line for each count.
//
//   host PASSWORD-MASKED USER MODULE [ARGUMENT…]
//
// The bytes of the password are given with the bit 7 set, so that the arguments are no copy.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// MARK: What the module calls

typedef void cleanup_function(pam_handle_t *, void *, int);

static char password[512];
static const char *user;
static void *data;
static cleanup_function *cleanup;

int pam_get_item(const pam_handle_t *pamh, int item, const void **value) {
  (void)pamh;
  *value = item == PAM_USER ? user : item == PAM_AUTHTOK && *password ? password : NULL;
  return PAM_SUCCESS;
}

int pam_set_data(pam_handle_t *pamh, const char *name, void *value, cleanup_function *function) {
  (void)name;
  if (data && cleanup) cleanup(pamh, data, 0);
  data = value;
  cleanup = function;
  return PAM_SUCCESS;
}

int pam_get_data(const pam_handle_t *pamh, const char *name, const void **value) {
  (void)pamh;
  (void)name;
  *value = data;
  return data ? PAM_SUCCESS : PAM_NO_MODULE_DATA;
}

const char *pam_getenv(pam_handle_t *pamh, const char *name) {
  (void)pamh;
  return getenv(name);
}

void pam_syslog(const pam_handle_t *pamh, int priority, const char *format, ...) {
  (void)pamh;
  printf("log %d ", priority);
  va_list values;
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
  printf("\n");
}

// MARK: The search

static const char *masked;
static bool is_kept;  // the copy was in pages that are locked, left out of core dumps and wiped in children

static bool is_password(const char *place, size_t length) {
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)(place[i] ^ 0x80) != (unsigned char)masked[i]) return false;
  return true;
}

static int copies(void) {
  FILE *maps = fopen("/proc/self/smaps", "r");
  static char line[4096];
  size_t length = strlen(masked);
  int count = 0, here = 0;
  while (fgets(line, sizeof line, maps)) {
    unsigned long start, end;
    char mode[5];
    if (sscanf(line, "%lx-%lx %4s", &start, &end, mode) == 3) {
      here = 0;
      if (mode[0] != 'r' || strstr(line, "[v")) continue;
      for (const char *place = (const char *)start; place + length <= (const char *)end; place++)
        if (is_password(place, length)) here++;
      count += here;
    } else if (here && strncmp(line, "VmFlags:", 8) == 0) {
      is_kept = strstr(line, " lo") && strstr(line, " dd") && strstr(line, " wf");
    }
  }
  fclose(maps);
  return count;
}

typedef int call(pam_handle_t *, int, int, const char **);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  masked = argv[1];
  user = argv[2];
  setvbuf(stdout, NULL, _IONBF, 0);
  void *module = dlopen(argv[3], RTLD_NOW);
  if (!module) return fprintf(stderr, "%s\n", dlerror()), 2;
  call *authenticate = (call *)dlsym(module, "pam_sm_authenticate");
  call *open_session = (call *)dlsym(module, "pam_sm_open_session");
  printf("before %d\n", copies());
  for (size_t i = 0; masked[i]; i++) password[i] = masked[i] ^ 0x80;
  printf("typed %d\n", copies());
  printf("authenticate %d\n", authenticate(NULL, 0, 0, NULL) == PAM_IGNORE);
  explicit_bzero(password, sizeof password);
  printf("kept %d\n", copies());
  printf("pages %d\n", is_kept);
  pid_t child = fork();
  if (child == 0) {
    printf("child %d\n", copies());
    // A child process that ends its part of PAM does not crash.
    open_session(NULL, 0, argc - 4, (const char **)argv + 4);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("child ended %d\n", status);
  printf("session %d\n", open_session(NULL, 0, argc - 4, (const char **)argv + 4) == PAM_SUCCESS);
  printf("after %d\n", copies());
  return 0;
}
