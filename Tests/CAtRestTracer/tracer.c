#include "CAtRestTracer.h"

#include <errno.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/ptrace.h>
#include <sys/wait.h>
#endif

int atrest_run_traced(const char *path, char *const *arguments) {
#if defined(__linux__)
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0) execv(path, arguments);
    _exit(127);
  }
  for (;;) {
    int status;
    pid_t who;
    do {
      who = waitpid(child, &status, 0);
    } while (who < 0 && errno == EINTR);
    if (who < 0) return -1;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    // The stop at exec belongs to the tracer; other signals are the program's.
    int signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    if (ptrace(PTRACE_CONT, child, 0, signal) != 0) return -1;
  }
#else
  (void)path, (void)arguments;
  errno = ENOTSUP;
  return -1;
#endif
}
