#ifndef CATREST_TRACER_H
#define CATREST_TRACER_H

/// Runs a program under ptrace, as a debugger does, to its end. In tests alone.
/// Returns its exit status, or -1 with errno set where it could not be traced.
int atrest_run_traced(const char *_Nonnull path, char *_Nullable const *_Nonnull arguments);

#endif
