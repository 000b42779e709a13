// A module of PAM that unlocks a user's store with the password that was typed at the login.
//
//   auth     optional  pam_atrest.so
//   session  optional  pam_atrest.so [program=PATH] [timeout=SECONDS] [start] [idle=SECONDS]
//
// `auth` asks nobody and decides nothing: it keeps a copy of the password that another module has asked for.
// `session` gives the copy to `atrest unlock`, which runs as the user, and erases it. At this point the login has
// been accepted, so a wrong password never reaches the store. Whatever goes wrong, the login goes on, and the store
// stays locked. docs/Agent.md has the whole description.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#ifndef ATREST_PROGRAM
#define ATREST_PROGRAM "/usr/bin/atrest"
#endif

#define EXPORTED __attribute__((visibility("default")))

static const char data_name[] = "atrest-password";

// MARK: The copy of the password

// It has pages of its own, which are not swapped out, not in a core dump, and empty in a child process.
struct kept {
  size_t length;  // 0 in a child process
  char user[256];
  char password[PAM_MAX_RESP_SIZE];
};

static void erase(pam_handle_t *pamh, void *data, int status) {
  (void)pamh;
  (void)status;
  explicit_bzero(data, sizeof(struct kept));
  munmap(data, sizeof(struct kept));
}

static void keep(pam_handle_t *pamh, const char *user, const char *password) {
  size_t length = strlen(password);
  if (length == 0 || length > PAM_MAX_RESP_SIZE || strlen(user) >= sizeof(((struct kept *)0)->user)) return;
  struct kept *kept =
      mmap(NULL, sizeof *kept, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (kept == MAP_FAILED) return;
  // Without these two, a child process or a core dump would have a copy that nobody erases.
  if (madvise(kept, sizeof *kept, MADV_WIPEONFORK) != 0 || madvise(kept, sizeof *kept, MADV_DONTDUMP) != 0) {
    munmap(kept, sizeof *kept);
    return;
  }
  mlock(kept, sizeof *kept);
  strcpy(kept->user, user);
  memcpy(kept->password, password, length);
  kept->length = length;
  if (pam_set_data(pamh, data_name, kept, erase) != PAM_SUCCESS) erase(pamh, kept, 0);
}

// Erases the copy, if there is one. pam_set_data calls erase() for the former value.
static void forget(pam_handle_t *pamh) {
  const void *data = NULL;
  if (pam_get_data(pamh, data_name, &data) == PAM_SUCCESS && data) pam_set_data(pamh, data_name, NULL, NULL);
}

// Returns an item that is text. It asks nobody for a name that is missing, as pam_get_user would.
static const char *text(pam_handle_t *pamh, int item) {
  const void *value = NULL;
  return pam_get_item(pamh, item, &value) == PAM_SUCCESS ? value : NULL;
}

// MARK: Options

struct options {
  const char *program;
  int timeout;       // in seconds
  bool starts;       // starts the agent if none serves the store
  const char *idle;  // in seconds, for an agent that is started
};

// Returns the number in a text of digits, or -1.
static long number(const char *text, long most) {
  char *end = NULL;
  errno = 0;
  long value = strtol(text, &end, 10);
  return *text < '0' || *text > '9' || errno || *end || value > most ? -1 : value;
}

static bool parse(pam_handle_t *pamh, int argc, const char **argv, struct options *options) {
  *options = (struct options){.program = ATREST_PROGRAM, .timeout = 10, .idle = "900"};
  for (int i = 0; i < argc; i++) {
    const char *word = argv[i];
    if (strncmp(word, "program=/", 9) == 0) {
      options->program = word + 8;
    } else if (strncmp(word, "timeout=", 8) == 0 && number(word + 8, 120) > 0) {
      options->timeout = (int)number(word + 8, 120);
    } else if (strcmp(word, "start") == 0) {
      options->starts = true;
    } else if (strncmp(word, "idle=", 5) == 0 && number(word + 5, INT_MAX) >= 0) {
      options->idle = word + 5;
    } else {
      pam_syslog(pamh, LOG_ERR, "unknown option %s; no store is unlocked", word);
      return false;
    }
  }
  return true;
}

// MARK: The user

struct user {
  char *entry;  // the memory of the strings of `password`
  struct passwd password;
  gid_t *groups;
  int group_count;
  char *environment[12];
  int variable_count;
};

static void set(struct user *user, const char *name, const char *value) {
  int most = (int)(sizeof user->environment / sizeof *user->environment) - 1;
  if (!value || user->variable_count >= most) return;
  char *text = NULL;
  if (asprintf(&text, "%s=%s", name, value) >= 0) user->environment[user->variable_count++] = text;
}

// Sets XDG_RUNTIME_DIR, in which the agent's socket is. A program that unlocks the screen has no session, and
// perhaps no such variable.
static void set_runtime(struct user *user, pam_handle_t *pamh) {
  const char *name = "XDG_RUNTIME_DIR";
  const char *value = pam_getenv(pamh, name);
  if (!value && geteuid() != 0) value = secure_getenv(name);
  if (value) return set(user, name, value);
  char path[64];
  struct stat status;
  snprintf(path, sizeof path, "/run/user/%u", (unsigned)user->password.pw_uid);
  if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == user->password.pw_uid)
    set(user, name, path);
}

static void release(struct user *user) {
  for (int i = 0; i < user->variable_count; i++) free(user->environment[i]);
  free(user->groups);
  free(user->entry);
}

// Looks up a user, and prepares what a child process needs, which must not allocate memory.
static bool look_up(pam_handle_t *pamh, const char *name, struct user *user) {
  memset(user, 0, sizeof *user);
  size_t size = 64 * 1024;
  struct passwd *found = NULL;
  if (!(user->entry = malloc(size))) return false;
  if (getpwnam_r(name, &user->password, user->entry, size, &found) != 0 || !found) return false;
  // A program without root's rights, as a lock of the screen, acts for its own user only.
  if (geteuid() != 0 && geteuid() != found->pw_uid) return false;
  user->group_count = 64 * 1024;
  if (!(user->groups = calloc((size_t)user->group_count, sizeof *user->groups))) return false;
  if (getgrouplist(name, found->pw_gid, user->groups, &user->group_count) < 0) return false;
  set(user, "HOME", found->pw_dir);
  set(user, "USER", name);
  set(user, "LOGNAME", name);
  set(user, "PATH", "/usr/local/bin:/usr/bin:/bin");
  set(user, "LANG", "C.UTF-8");
  set_runtime(user, pamh);
  // Where the store is. Nothing else is taken from the environment of the session, which may be the user's.
  static const char *const names[] = {"XDG_DATA_HOME", "XDG_STATE_HOME", "ATREST_STORE", "ATREST_DEVICE"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) set(user, names[i], pam_getenv(pamh, names[i]));
  return true;
}

// MARK: The program

// Runs in the child process, and makes no call that is not safe there.
static _Noreturn void become(const struct user *user, int input, const char *const *words) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int i = 1; i < NSIG; i++) sigaction(i, &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setsid();
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  umask(077);
  // Above the descriptors that are replaced, whichever of them the program has open.
  int source = input >= 0 ? fcntl(input, F_DUPFD, 10) : open("/dev/null", O_RDONLY);
  int output = open("/dev/null", O_WRONLY);
  if (source < 0 || output < 0) _exit(126);
  if (source < 3) source = fcntl(source, F_DUPFD, 10);
  if (output < 3) output = fcntl(output, F_DUPFD, 10);
  if (dup2(source, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) _exit(126);
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3U, ~0U, 0U) != 0)
#endif
    for (int i = 3; i < 65536; i++) close(i);
  uid_t id = user->password.pw_uid;
  gid_t group = user->password.pw_gid;
  if (geteuid() == 0) {
    if (setgroups((size_t)user->group_count, user->groups) != 0 || setresgid(group, group, group) != 0 ||
        setresuid(id, id, id) != 0)
      _exit(126);
  }
  if (getuid() != id || geteuid() != id || chdir("/") != 0) _exit(126);
  execve(words[0], (char *const *)words, user->environment);
  _exit(127);
}

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

// Waits for the end of a child process, and ends it at a time. Returns its exit code, or -1.
static int wait_for(pid_t child, long long end) {
  int handle = (int)syscall(SYS_pidfd_open, child, 0U);
  int status = 0;
  bool has_ended = false;
  while (!has_ended) {
    long long rest = end - milliseconds();
    if (rest <= 0) break;
    // Without a handle (before Linux 5.3) it looks again and again.
    struct pollfd wanted = {.fd = handle, .events = POLLIN};
    int count = poll(&wanted, handle >= 0 ? 1 : 0, (int)(handle >= 0 ? rest : 10));
    if (handle < 0) {
      pid_t ended = waitpid(child, &status, WNOHANG);
      if (ended == child) goto ended;
      if (ended < 0 && errno != EINTR) return -1;
    }
    has_ended = count > 0;
  }
  if (!has_ended) kill(child, SIGKILL);
  if (handle >= 0) close(handle);
  pid_t ended;
  while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {}
  if (ended != child) return -1;
ended:
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Runs a program as the user, with a descriptor as its input, or with none. Returns its exit code, or -1.
static int run(const struct user *user, int input, const char *const *words, long long end) {
  // Many programs that log people in end their children in a handler, or ignore their end.
  struct sigaction action = {.sa_handler = SIG_DFL}, former;
  sigaction(SIGCHLD, &action, &former);
  pid_t child = fork();
  if (child == 0) become(user, input, words);
  int status = child < 0 ? -1 : wait_for(child, end);
  sigaction(SIGCHLD, &former, NULL);
  return status;
}

// Returns a pipe with the password, which fits into its buffer: nobody waits, and nobody gets SIGPIPE.
static int pipe_with(const struct kept *kept) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  ssize_t count = write(ends[1], kept->password, kept->length);
  close(ends[1]);
  if (count == (ssize_t)kept->length) return ends[0];
  close(ends[0]);
  return -1;
}

static void report(pam_handle_t *pamh, const struct user *user, int status) {
  const char *name = user->password.pw_name;
  switch (status) {
    case 0: return;
    case 3: pam_syslog(pamh, LOG_INFO, "%s has no store, or no agent serves it", name); return;
    case 5:
      pam_syslog(pamh, LOG_NOTICE, "the store of %s stays locked: the password is not its passcode, %s", name,
                 "or a wrong one came before, or the agent refused");
      return;
    default: pam_syslog(pamh, LOG_NOTICE, "the store of %s stays locked: atrest ended with %d", name, status);
  }
}

static void unlock(pam_handle_t *pamh, const struct kept *kept, const struct options *options) {
  struct user user;
  if (look_up(pamh, kept->user, &user)) {
    long long end = milliseconds() + options->timeout * 1000LL;
    const char *const start[] = {options->program, "agent", "start", "--idle", options->idle, NULL};
    const char *const words[] = {options->program, "unlock", "--at-login", "--passcode-file", "-", NULL};
    // It fails beside an agent with other options, which can be unlocked as well.
    if (options->starts) run(&user, -1, start, end);
    int input = pipe_with(kept);
    int status = input < 0 ? -1 : run(&user, input, words, end);
    if (input >= 0) close(input);
    report(pamh, &user, status);
  }
  release(&user);
}

// Gives the password to the agent if there is one for this user, and erases it in any case.
static void hand_over(pam_handle_t *pamh, int argc, const char **argv) {
  const void *data = NULL;
  if (pam_get_data(pamh, data_name, &data) != PAM_SUCCESS || !data) return;
  const struct kept *kept = data;
  const char *user = text(pamh, PAM_USER);
  struct options options;
  // sudo logs another user in than the one who typed the password.
  if (kept->length > 0 && user && strcmp(user, kept->user) == 0 && parse(pamh, argc, argv, &options))
    unlock(pamh, kept, &options);
  forget(pamh);
}

// MARK: What PAM calls

EXPORTED int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  (void)flags;
  (void)argc;
  (void)argv;
  const char *user = text(pamh, PAM_USER), *password = text(pamh, PAM_AUTHTOK);
  forget(pamh);
  if (user && password) keep(pamh, user, password);
  // Never PAM_SUCCESS: alone, or as `sufficient`, this module must let nobody in.
  return PAM_IGNORE;
}

// A lock of the screen opens no session. It renews credentials after the password was accepted.
EXPORTED int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  if (flags & PAM_DELETE_CRED) forget(pamh);
  if (flags & (PAM_REINITIALIZE_CRED | PAM_REFRESH_CRED)) hand_over(pamh, argc, argv);
  return PAM_IGNORE;
}

EXPORTED int pam_sm_open_session(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  (void)flags;
  hand_over(pamh, argc, argv);
  return PAM_SUCCESS;
}

EXPORTED int pam_sm_close_session(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  (void)flags;
  (void)argc;
  (void)argv;
  forget(pamh);
  return PAM_SUCCESS;
}
