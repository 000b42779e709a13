#ifndef CATREST_DATABASE_INTERNAL_H
#define CATREST_DATABASE_INTERNAL_H

#include "CAtRestDatabase.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// The cipher of one database, shared by its files.
typedef struct Key Key;
struct Key {
  Key *next;
  int owners;
  // True once a page showed that the key is the right one.
  atomic_bool is_confirmed;
  atrest_page_cipher cipher;
  char name[];
};

Key *key_find(const char *name);
bool has_provider(void);

// The key for the opening of a database, or NULL, and what the provider keeps for it.
typedef struct {
  Key *key;
  void *owner;
  // False if the URI has the name of the key.
  bool is_provided;
} FoundKey;

// Finds the key of a database by its URI, or asks the provider for it.
FoundKey find_key_of_database(const char *file);
// Called when the file was opened. Returns false if another one may have been opened than that with the key.
bool end_finding(FoundKey *found);
Key *key_retain(Key *key);
void key_release(Key *key);

// Frames that are not in the file yet (queue.c).
typedef struct {
  // In plaintext, one after the other.
  uint8_t *frames;
  sqlite3_int64 start;
  int count;
  // The error with which writing frames ended. Those from `lost_at` on are not in the file.
  int code;
  sqlite3_int64 lost_at;
} FrameQueue;

typedef struct {
  FrameQueue queue;
  // The header of the log, as read or written last.
  uint8_t header[32];
  bool header_is_known;
  // The header of a frame whose page has not been written yet.
  uint8_t held[24];
  sqlite3_int64 held_at;
  // The offset of the frame in `sealed`, or -1.
  sqlite3_int64 loaded_at;
  // The page number of the frame in `sealed` if its plaintext is in `plain`, or 0.
  uint32_t opened_page;
  // The recovery: the next frame, and the sums up to it over plaintext and over ciphertext.
  sqlite3_int64 next_frame;
  uint32_t plain_sum[2];
  uint32_t sealed_sum[2];
  // The frame that this transaction wrote last, or -1, with its sums.
  sqlite3_int64 chained_at;
  uint8_t last_sums[8];
} Log;

// The index of the log, in memory that processes share.
typedef struct {
  uint32_t const volatile **regions;
  int count;
} LogIndex;

typedef struct {
  // The word that was read or written last, which may be a page number, and its offset, or -1.
  uint32_t page;
  sqlite3_int64 page_at;
  // The offset of the checksum that comes next, or -1, and the sums of its page.
  sqlite3_int64 sum_at;
  uint32_t plain_sum;
  uint32_t sealed_sum;
  bool is_authentic;
  // The page number of the record in `sealed` if its plaintext is in `plain`, or 0.
  uint32_t opened_page;
  // True if it was found that the journal may be rolled back.
  bool is_checked;
  // True if the records were written through this file, so none is incomplete.
  bool is_own;
  // The nonce of the header that was read last.
  uint32_t nonce;
  bool nonce_is_known;
} Journal;

// How a database was opened whose key the provider found.
typedef struct {
  // NULL once the database has been locked, or if its key has a name.
  sqlite3_vfs *vfs;
  const char *name;
  int flags;
  int out_flags;
} Opening;

// An open file.
typedef struct File File;
struct File {
  sqlite3_file base;
  // The file of the VFS below.
  sqlite3_file *lower;
  Key *key;
  Opening opening;
  // A frame of the log or a page, as it is on the disk.
  uint8_t *sealed;
  // The same page in plaintext.
  uint8_t *plain;
  // Of a log or a journal: its database. Of a database: its log, if it is open.
  File *peer;
  // Of a database: its journal, if it is open.
  File *journal_file;
  // True for both databases of a VACUUM INTO, which sets the size of a page and of the reserve itself.
  bool is_copy;
  LogIndex index;
  // Of a database: true while this connection has the lock of checkpoints. It then reads pages of the
  // log only to copy them, and they are copied sealed.
  bool is_checkpoint;
  // Of a database, during a checkpoint: a size that it is known to have, in bytes.
  sqlite3_int64 known_size;
  // The last frame of the log that a checkpoint has copied, or -1, and the size in pages that the database has after
  // it, or 0 if it does not end a transaction.
  sqlite3_int64 top_frame;
  uint32_t copied_size;
  Log log;
  Journal journal;
};

enum { frame_header_size = ATREST_FRAME_HEADER_SIZE, log_header_size = 32 };

static inline sqlite3_file *lower(File *file) { return file->lower; }

static inline int page_size(const File *file) { return file->key->cipher.page_size; }

static inline uint32_t get32(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline void put32(uint8_t *bytes, uint32_t value) {
  bytes[0] = (uint8_t)(value >> 24);
  bytes[1] = (uint8_t)(value >> 16);
  bytes[2] = (uint8_t)(value >> 8);
  bytes[3] = (uint8_t)value;
}

static inline int lower_read(File *file, void *bytes, int count, sqlite3_int64 offset) {
  return lower(file)->pMethods->xRead(lower(file), bytes, count, offset);
}

static inline int lower_write(File *file, const void *bytes, int count, sqlite3_int64 offset) {
  return lower(file)->pMethods->xWrite(lower(file), bytes, count, offset);
}

static inline void forget_copied(File *database) {
  database->top_frame = -1;
  database->copied_size = 0;
}

static inline sqlite3_int64 frame_size(const File *file) {
  return frame_header_size + page_size(file);
}

// Sealing and opening pages (page.c). The first one tells whether a header has the sizes of the cipher: VACUUM
// and the backup API can write another one, which could never be read again.
bool has_right_sizes(const File *file, const uint8_t *header);
bool is_confirmed(const File *file);
// Refuses a page that could not be read again.
int check_page(const File *file, uint32_t page, const uint8_t *plain);
int seal_page(File *file, uint32_t page, const uint8_t *plain, uint8_t *sealed);
int open_page(File *file, uint32_t page, const uint8_t *sealed, uint8_t *plain);

// The methods that pass a call on to the file below (file.c).
int file_close(sqlite3_file *base);
int file_truncate(sqlite3_file *base, sqlite3_int64 size);
int file_sync(sqlite3_file *base, int flags);
int file_size(sqlite3_file *base, sqlite3_int64 *size);
int file_lock(sqlite3_file *base, int level);
int file_unlock(sqlite3_file *base, int level);
int file_check_lock(sqlite3_file *base, int *result);
int file_sector_size(sqlite3_file *base);
int file_characteristics(sqlite3_file *base);

// Before a journal is rolled back or a log recovered: returns an error if the database belongs to another
// key (owner.c). `has_evidence` looks for a page in the journal or log that the key opens.
int check_owner(File *file, bool (*has_evidence)(File *file));
// Returns true if a page of the journal or log, at an offset, shows that the key is the right one.
bool is_evidence(File *file, uint32_t page, sqlite3_int64 offset);

// The index of the log (index.c). The last one returns the page number of a frame, counted from 0, or 0 if it is
// not known.
int index_add(File *database, int region, const void volatile *memory);
void index_forget(File *database);
uint32_t index_page(const File *database, sqlite3_int64 frame);

// The sums of a log (chain.c). The first one sets those of a sealed frame.
//
// The sums continue those of the frame before, which another connection may have written in an earlier
// transaction. A frame has no salts if SQLite has overwritten one before it: SQLite writes its header again at
// the end of the transaction.
int chain_frame(File *log, uint8_t *frame, sqlite3_int64 offset);
// Returns true if the frame in `sealed` is the next one of a recovery and its sums are right, and
// adds it to the chain.
bool continues_chain(File *log, sqlite3_int64 frame);
// Gives a frame in plaintext the sums that SQLite expects.
void add_plain_sum(File *log, uint8_t *frame);
bool has_right_header_sums(const File *log);

// Frames that are held back (queue.c). The first call prepares the writing of a frame at an offset.
int begin_frame(File *log, sqlite3_int64 offset);
int add_frame(File *log, const uint8_t *header, const uint8_t *page, sqlite3_int64 offset);
int flush_frames(File *log);
// Returns the error with which writing a frame ended, if it is not in the file.
int check_lost(const File *log, sqlite3_int64 offset);
// Forgets the frames of a transaction that ended without a commit.
void drop_frames(File *log);
void free_frames(File *log);

// Reading a log (frames.c). The first one reads a frame into `sealed`.
int load_frame(File *log, sqlite3_int64 offset);
int read_log_page(File *log, uint8_t *out, sqlite3_int64 offset);
int read_frame(File *log, uint8_t *out, sqlite3_int64 offset);
int read_log_header(File *log, uint8_t *out);

// Answers a pragma, and returns false if SQLite is to answer it (pragmas.c).
bool answer_pragma(File *file, char **argument, int *code);

// Opens what has the name of a database by now, in place of the former file, which was not locked yet (vfs.c).
int reopen_database(File *file);

// What SQLite asks of a file beside reading and writing (control.c).
int file_control(sqlite3_file *base, int operation, void *argument);

extern const sqlite3_io_methods main_methods;
extern const sqlite3_io_methods journal_methods;
extern const sqlite3_io_methods log_methods;

// Adds the function sqlcipher_export to a connection (export.c).
int register_export(sqlite3 *connection);

#endif
