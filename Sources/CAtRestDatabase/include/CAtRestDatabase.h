#ifndef CATREST_DATABASE_H
#define CATREST_DATABASE_H

#include <stdint.h>

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
  /// The salt, which is the beginning of the file unless the header is in plaintext.
  uint8_t salt[16];
  /// 1 if the file begins with the salt, and 0 if its header is in plaintext.
  int has_salt;
  /// 1 if each page is authenticated. Otherwise any key opens any page but the first one.
  int authenticates;
  /// Seals a page. Returns 0, or another number if that fails.
  int (*_Nonnull seal)(
    void *_Nonnull context, uint32_t page, const uint8_t *_Nonnull plain, uint8_t *_Nonnull sealed);
  /// Seals frames of a log in place: each is a header, which begins with the page number,
  /// and the page. Returns 0, or another number if that fails.
  int (*_Nonnull seal_frames)(void *_Nonnull context, uint8_t *_Nonnull frames, int count);
  /// Opens a page. Returns 0, or another number if the page is not authentic or, without
  /// authentication, page 1 does not begin as that of a database.
  int (*_Nonnull open)(
    void *_Nonnull context, uint32_t page, const uint8_t *_Nonnull sealed, uint8_t *_Nonnull plain);
  /// Decrypts the first 48 bytes of page 1 without authentication. Returns 0, or another number if
  /// that fails.
  int (*_Nonnull peek)(
    void *_Nonnull context, const uint8_t *_Nonnull sealed, uint8_t *_Nonnull plain);
  /// Returns 0 if a transaction may begin, and another number if the key may not be used any more. Null if it
  /// always may.
  int (*_Nullable may_begin)(void *_Nonnull context);
  /// Answers a pragma: `value` is null if it only asks. The answer, or the message of a refusal, is
  /// a C string.
  int (*_Nonnull pragma)(
    void *_Nonnull context, const char *_Nonnull name, const char *_Nullable value,
    char *_Nonnull answer, int size);
  /// Releases the context. Called once, after the last other call.
  void (*_Nonnull release)(void *_Nonnull context);
} atrest_page_cipher;

/// The name of the parameter in a file's URI that names its key.
#define ATREST_KEY_PARAMETER "atrest-key"

/// The name of the parameter with which both databases of a VACUUM INTO are opened.
#define ATREST_COPY_PARAMETER "atrest-copy"

/// The name of the parameter with which SQLite may make the database.
#define ATREST_CREATE_PARAMETER "atrest-create"

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

/// Finds the keys of files that are opened without the parameter of their key.
typedef struct atrest_key_provider {
  /// Writes the name of the key of a file and returns 0, or another number. The owner keeps the key until it is
  /// released.
  int (*_Nonnull provide)(
    const char *_Nonnull file, char *_Nonnull key, int size, void *_Nullable *_Nonnull owner);
  /// Returns 1 if the file has been replaced since its key was found, and 0 otherwise.
  int (*_Nonnull is_replaced)(void *_Nonnull owner);
  /// Releases an owner, when the file has the key.
  void (*_Nonnull release)(void *_Nonnull owner);
} atrest_key_provider;

/// Sets the provider, which stays for as long as the process runs.
void atrest_database_set_provider(const atrest_key_provider *_Nonnull provider);

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

/// Returns 1 if a connection (an `sqlite3 *`) can write its main database, and has the exclusive lock of its file; 0
/// otherwise.
int atrest_database_has_exclusive_lock(void *_Nullable connection);

/// Returns 1 if the main database of a connection (an `sqlite3 *`) is no longer the file with its name, and
/// 0 otherwise.
int atrest_database_has_moved(void *_Nullable connection);

/// Renames a file, unless the new name is taken. Returns 0, or -1 with errno set.
int atrest_rename_new(const char *_Nonnull name, const char *_Nonnull other);

/// Gives a file the access list (POSIX ACL) of another one, or none if that has none. Linux only. Returns 0, or -1 with
/// errno set.
int atrest_copy_access_list(const char *_Nonnull from, int to);

/// A file that is read as it is, through SQLite's VFS. Closing a file in another way would release the
/// locks that this process's connections have on it, as POSIX requires.
typedef struct atrest_raw_file atrest_raw_file;

/// Opens a file that exists. The following calls return 0, or a result code of SQLite.
int atrest_raw_open(
  const char *_Nonnull path, int writes, atrest_raw_file *_Nullable *_Nonnull file);
int atrest_raw_size(atrest_raw_file *_Nonnull file, int64_t *_Nonnull size);
/// Returns 1 if the name is that of another file by now, or of none, and 0 otherwise.
int atrest_raw_has_moved(atrest_raw_file *_Nonnull file);
int atrest_raw_read(
  atrest_raw_file *_Nonnull file, void *_Nonnull bytes, int count, int64_t offset);
/// Writes bytes, and waits until they are on the disk.
int atrest_raw_write(
  atrest_raw_file *_Nonnull file, const void *_Nonnull bytes, int count, int64_t offset);
void atrest_raw_close(atrest_raw_file *_Nonnull file);

#endif
