#ifndef CATREST_DATABASE_H
#define CATREST_DATABASE_H

#include <stdint.h>

/// The authenticated state of a database, as its state file has it.
typedef struct atrest_state {
  /// A number that each change of the state raises.
  uint64_t sequence;
  /// 1 while a checkpoint is incomplete, and 0 otherwise.
  int is_checkpointing;
  /// The log that the last checkpoint copied: its salts, the number of its frames, or 0 if there was
  /// none, and the code of the last of them.
  uint8_t salts[8];
  uint32_t frame_count;
  uint8_t code[16];
} atrest_state;

/// A checkpoint: the frames of the log, which are authentic, and a function that reads the reserve of a
/// page in the database.
typedef struct atrest_checkpoint {
  uint32_t frame_count;
  /// The page number of each frame.
  const uint32_t *_Nonnull pages;
  /// The reserve of each frame's page, 32 bytes each.
  const uint8_t *_Nonnull reserves;
  /// The size of the database after the checkpoint, in pages.
  uint32_t page_count;
  uint8_t salts[8];
  /// The code of the last frame.
  uint8_t code[16];
  void *_Nonnull database;
  /// Returns 0, or another number if the database ends before the page.
  int (*_Nonnull read)(void *_Nonnull database, uint32_t page, uint8_t *_Nonnull reserve);
} atrest_checkpoint;

/// Why the log of a database with a state file is refused.
enum { ATREST_LOG_IS_MISSING = 1, ATREST_LOG_IS_OLDER = 2, ATREST_LOG_IS_FOREIGN = 3,
  ATREST_LOG_IS_DAMAGED = 4 };

/// Keeps the state file of a database whose older pages are detected. The calls get the context of
/// the cipher. They return 0, or another number if the state file is not readable or not authentic.
typedef struct atrest_state_keeper {
  /// Computes the code of a frame or of a log's header: 16 bytes.
  void (*_Nonnull code)(
    void *_Nonnull context, const uint8_t *_Nonnull bytes, int count, uint8_t *_Nonnull code);
  /// Reads the state.
  int (*_Nonnull load)(void *_Nonnull context, atrest_state *_Nonnull state);
  /// Called before the first page of a checkpoint is written.
  int (*_Nonnull begin)(void *_Nonnull context, const atrest_checkpoint *_Nonnull checkpoint);
  /// Called before a page is written, with its reserve. Fails if the page is not the one in the log.
  int (*_Nonnull write)(void *_Nonnull context, uint32_t page, const uint8_t *_Nonnull reserve);
  /// Returns 1 and a page that must be written before the checkpoint ends, or 0 if there is none.
  /// `frame` is the frame that has it, counted from 0, or -1 for a page of zeros.
  int (*_Nonnull missing)(
    void *_Nonnull context, uint32_t *_Nonnull page, int64_t *_Nonnull frame);
  /// Called when all pages of the log are in the database and durable.
  int (*_Nonnull end)(void *_Nonnull context);
  /// Remembers why the log was refused.
  void (*_Nonnull refuse)(void *_Nonnull context, int reason);
} atrest_state_keeper;

/// What was done with a pragma: it is one of SQLite, was refused, has no row or has a row.
enum {
  ATREST_PRAGMA_UNKNOWN = 0,
  ATREST_PRAGMA_REFUSED = 1,
  ATREST_PRAGMA_DONE = 2,
  ATREST_PRAGMA_ROW = 3
};

/// The size of the header of a frame in a log.
enum { ATREST_FRAME_HEADER_SIZE = 24 };

/// Seals and opens the pages of one database. The calls come from several threads.
typedef struct atrest_page_cipher {
  /// Passed to each call.
  void *_Nonnull context;
  /// The size of a page: a power of two from 512 to 65,536.
  int page_size;
  /// The number of bytes at the end of each page that belong to the cipher.
  int reserve;
  /// Seals a page. Returns 0, or another number if that fails.
  int (*_Nonnull seal)(
    void *_Nonnull context, uint32_t page, const uint8_t *_Nonnull plain, uint8_t *_Nonnull sealed);
  /// Seals frames of a log in place: each is a header, which begins with the page number,
  /// and the page. Returns 0, or another number if that fails.
  int (*_Nonnull seal_frames)(void *_Nonnull context, uint8_t *_Nonnull frames, int count);
  /// Opens a page. Returns 0, or another number if the page is not authentic.
  int (*_Nonnull open)(
    void *_Nonnull context, uint32_t page, const uint8_t *_Nonnull sealed, uint8_t *_Nonnull plain);
  /// Decrypts the first 48 bytes of page 1 without authentication. Returns 0, or another number if
  /// that fails. Null if the cipher cannot do that.
  int (*_Nullable peek)(
    void *_Nonnull context, const uint8_t *_Nonnull sealed, uint8_t *_Nonnull plain);
  /// Answers a pragma: `value` is null if it only asks. The answer, or the message of a refusal, is
  /// a C string.
  int (*_Nonnull pragma)(
    void *_Nonnull context, const char *_Nonnull name, const char *_Nullable value,
    char *_Nonnull answer, int size);
  /// Releases the context. Called once, after the last other call.
  void (*_Nonnull release)(void *_Nonnull context);
  /// Null if older pages are not detected. The database is then written through a rollback journal
  /// or a log; with a keeper, it is in WAL mode, and its reserve has 32 bytes.
  const atrest_state_keeper *_Nullable keeper;
} atrest_page_cipher;

/// The name of the parameter in a file's URI that names its key.
#define ATREST_KEY_PARAMETER "atrest-key"

/// The name of the parameter with which both databases of a VACUUM INTO are opened.
#define ATREST_COPY_PARAMETER "atrest-copy"

/// Registers a VFS that encrypts the files of the VFS `lower`, or of the default one if that is
/// null. Registering the same name again does nothing.
///
/// Returns 0, or a result code of SQLite.
int atrest_database_register(const char *_Nonnull name, const char *_Nullable lower);

/// Makes a cipher available to files that are opened with `name` as the parameter of their URI.
///
/// Returns 0, or a result code of SQLite. In the second case the cipher was not released.
int atrest_database_add_key(const char *_Nonnull name, const atrest_page_cipher *_Nonnull cipher);

/// Makes a cipher unavailable. It is released when the last file that uses it is closed.
void atrest_database_remove_key(const char *_Nonnull name);

/// Sets the function that finds a key for a file that is opened without the parameter of its key. It
/// writes the name of the key and returns 0, or another number. The owner keeps the key until it is
/// released, which happens when the file has it.
void atrest_database_set_provider(
  int (*_Nonnull provide)(
    const char *_Nonnull file, char *_Nonnull key, int size, void *_Nullable *_Nonnull owner),
  void (*_Nonnull release)(void *_Nonnull owner));

/// Returns a parameter of the URI of a file for which a key is sought, or null.
const char *_Nullable atrest_database_parameter(
  const char *_Nonnull file, const char *_Nonnull name);

/// Writes a message into SQLite's log.
void atrest_database_log(const char *_Nonnull message);

/// Returns 1 if the system's SQLite accepts URIs as file names, and 0 otherwise.
int atrest_database_reads_uris(void);

/// Makes the copy that VACUUM INTO writes have a reserve of this many bytes or more per page.
/// `connection` is the source, an `sqlite3 *`.
void atrest_database_want_reserve(void *_Nullable connection, int bytes);

/// Returns the name of the VFS that SQLite uses by default, or null if there is none.
const char *_Nullable atrest_database_system_vfs(void);

/// Returns 1 if the main database of a connection (an `sqlite3 *`) is encrypted, and 0 otherwise.
int atrest_database_is_encrypted(void *_Nullable connection);

/// Takes the exclusive lock of the main database of a connection (an `sqlite3 *`) in WAL mode, so
/// that no other connection exists until this one is closed. Returns 0, or a result code of SQLite.
int atrest_database_lock(void *_Nullable connection);

/// A file that is read as it is, through SQLite's VFS. Closing a file in another way would release the
/// locks that this process's connections have on it, as POSIX requires.
typedef struct atrest_raw_file atrest_raw_file;

/// Opens a file that exists. The following calls return 0, or a result code of SQLite.
int atrest_raw_open(
  const char *_Nonnull path, int writes, atrest_raw_file *_Nullable *_Nonnull file);
int atrest_raw_size(atrest_raw_file *_Nonnull file, int64_t *_Nonnull size);
int atrest_raw_read(
  atrest_raw_file *_Nonnull file, void *_Nonnull bytes, int count, int64_t offset);
/// Writes bytes, and waits until they are on the disk.
int atrest_raw_write(
  atrest_raw_file *_Nonnull file, const void *_Nonnull bytes, int count, int64_t offset);
void atrest_raw_close(atrest_raw_file *_Nonnull file);

#endif
