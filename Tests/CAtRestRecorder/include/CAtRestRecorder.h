#ifndef CATREST_RECORDER_H
#define CATREST_RECORDER_H

/// Registers a VFS as the default one that appends each write, truncation, sync and deletion to a
/// file. Returns 0, or another number if that fails.
int atrest_record_writes(const char *_Nonnull path);

/// Kills the process before the write, truncation, sync or deletion with this number, counted from now
/// on from 1.
void atrest_record_kill(int number);

/// Makes the disk full from the write with this number on, counted from now on from 1, or no longer if
/// it is 0.
void atrest_record_full(int number);

/// Appends a mark to the recording.
void atrest_record_mark(void);

#endif
