// Runs the VFS for encrypted databases under the sanitizers: three threads with random statements, processes that
// die in a transaction, changed and cut files, and an index of the log that another process overwrites.
//
//   vfs-harness FOLDER SEED ROUNDS
//
// The statements may fail. A fault is what a sanitizer reports.

#include "toy_cipher.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  const char *folder;
  char key[40];
  ToyCipher cipher;
} Place;

static atomic_long statements, failures;

static void stop(const char *message) {
  fprintf(stderr, "vfs-harness: %s\n", message);
  exit(1);
}

static void path_of(const Place *place, const char *suffix, char *path, size_t size) {
  snprintf(path, size, "%s/a.db%s", place->folder, suffix);
}

static sqlite3 *connect(const Place *place) {
  char uri[400];
  sqlite3 *connection = NULL;
  snprintf(uri, sizeof uri, "file:%s/a.db?vfs=atrest&" ATREST_CREATE_PARAMETER "=1&" ATREST_KEY_PARAMETER "=%s", place->folder,
    place->key);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
  if (sqlite3_open_v2(uri, &connection, flags, NULL) != SQLITE_OK) {
    sqlite3_close(connection);
    return NULL;
  }
  sqlite3_busy_timeout(connection, 200);
  return connection;
}

static void run(sqlite3 *connection, const char *sql) {
  atomic_fetch_add(&statements, 1);
  if (sqlite3_exec(connection, sql, NULL, NULL, NULL) != SQLITE_OK)
    atomic_fetch_add(&failures, 1);
}

static const char *const fixed[] = {
  "pragma wal_checkpoint(passive)", "pragma wal_checkpoint(truncate)", "pragma journal_mode = wal",
  "pragma journal_mode = delete", "pragma journal_mode = persist", "pragma journal_mode = truncate",
  "vacuum", "pragma integrity_check", "pragma cipher_integrity_check; pragma cipher_version",
  "pragma rekey = 'x'", "create table if not exists t(i integer primary key, b)",
  "create index if not exists x on t(b)", "drop index if exists x",
  "pragma locking_mode = exclusive; select count(*) from t; pragma locking_mode = normal",
  "create temp table if not exists y as select * from t; drop table temp.y",
  "pragma auto_vacuum = incremental; pragma incremental_vacuum(5)",
  "pragma mmap_size = 1000000; select sum(length(b)) from t; pragma page_size = 8192",
  "pragma synchronous = off", "pragma synchronous = full",
  "pragma temp_store = file; select * from t order by b desc limit 3",
  "select sum(length(b)) from t", "begin immediate; delete from t; rollback",
};
enum { fixed_count = sizeof fixed / sizeof *fixed };

static void run_random(sqlite3 *connection, const Place *place, uint64_t *dice) {
  char sql[500];
  switch (toy_random(dice) % 4) {
  case 0: return run(connection, fixed[toy_random(dice) % fixed_count]);
  case 1:
    snprintf(sql, sizeof sql,
      "begin; savepoint a; insert into t(b) values(randomblob(%u)); "
      "insert into t(b) select b from t limit 20; rollback to a; "
      "update t set b = randomblob(%u) where i %% 3 = 1; release a; %s",
      toy_random(dice) % 40000, toy_random(dice) % 3000,
      toy_random(dice) % 2 ? "commit" : "rollback");
    run(connection, sql);
    return run(connection, "rollback");
  case 2:
    snprintf(sql, sizeof sql, "delete from t where i %% 7 = %u", toy_random(dice) % 7);
    return run(connection, sql);
  default:
    snprintf(sql, sizeof sql, "insert into t(b) values(randomblob(%u))",
      toy_random(dice) % (unsigned)(3 * place->cipher.page_size));
    return run(connection, sql);
  }
}

typedef struct {
  const Place *place;
  uint64_t dice;
  int count;
} Job;

static void *work(void *argument) {
  Job *job = argument;
  sqlite3 *connection = NULL;
  for (int turn = 0; turn < job->count; turn += 1) {
    if (!connection) {
      connection = connect(job->place);
      if (!connection) continue;
      run(connection, "pragma cache_size = 3");
    }
    if (toy_random(&job->dice) % 16 == 0) {
      sqlite3_close_v2(connection);
      connection = NULL;
    } else {
      run_random(connection, job->place, &job->dice);
    }
  }
  sqlite3_close_v2(connection);
  return NULL;
}

static void work_together(const Place *place, uint64_t dice) {
  enum { thread_count = 3 };
  pthread_t threads[thread_count];
  Job jobs[thread_count];
  for (int index = 0; index < thread_count; index += 1) {
    jobs[index] = (Job){place, dice + (uint64_t)index * 77, 30};
    if (pthread_create(threads + index, NULL, work, jobs + index) != 0) stop("no thread");
  }
  for (int index = 0; index < thread_count; index += 1) pthread_join(threads[index], NULL);
}

// A process that dies in a transaction leaves a journal or a log.
static void die_in_transaction(const Place *place, int turn) {
  pid_t child = fork();
  if (child == 0) {
    sqlite3 *connection = connect(place);
    if (connection) {
      run(connection, "pragma cache_size = 2");
      run(connection, turn % 2 ? "pragma journal_mode = wal" : "pragma journal_mode = delete");
      run(connection,
        "create table if not exists t(i integer primary key, b); begin; "
        "update t set b = randomblob(900); insert into t(b) select randomblob(2000) from t limit 20");
      if (turn % 3 == 0) run(connection, "commit");
    }
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) stop("no process");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) stop("a process that writes ended");
}

static void damage(const Place *place, uint64_t *dice) {
  static const char *const suffixes[] = {"", "-wal", "-journal", "-shm"};
  char path[400];
  for (int index = 0; index < 4; index += 1) {
    path_of(place, suffixes[index], path, sizeof path);
    int file = open(path, O_RDWR);
    if (file < 0) continue;
    off_t size = lseek(file, 0, SEEK_END);
    for (unsigned flips = toy_random(dice) % 4; flips > 0 && size > 0; flips -= 1) {
      off_t limit = toy_random(dice) % 4 == 0 && size > 600 ? 600 : size;
      off_t offset = (off_t)(toy_random(dice) % (unsigned)limit);
      uint8_t byte = 0;
      if (pread(file, &byte, 1, offset) == 1) {
        byte ^= (uint8_t)(1 << toy_random(dice) % 8);
        if (pwrite(file, &byte, 1, offset) != 1) stop("a file was not written");
      }
    }
    int is_cut = toy_random(dice) % 6 == 0 && size > 0;
    int is_longer = toy_random(dice) % 9 == 0;
    off_t new_size = is_cut ? (off_t)(toy_random(dice) % (unsigned)size)
      : is_longer ? size + (off_t)(toy_random(dice) % 5000) : size;
    if (ftruncate(file, new_size) != 0) stop("a file was not cut");
    close(file);
  }
}

static void add_sums(uint32_t *header) {
  uint32_t first = 0, second = 0;
  for (int word = 0; word < 10; word += 2) {
    first += header[word] + second;
    second += header[word + 1] + first;
  }
  header[10] = first;
  header[11] = second;
}

// Overwrites a part of the index of the log while connections use it. A number of frames that the index has no
// place for ends SQLite itself, so it stays small.
static void change_index(const Place *place, uint64_t *dice) {
  enum { header_words = 12, frame_word = 4, most_frames = 4000, index_size = 32768 };
  char path[400];
  path_of(place, "-shm", path, sizeof path);
  int file = open(path, O_RDWR);
  if (file < 0) return;
  uint32_t headers[2 * header_words];
  if (toy_random(dice) % 2 && pread(file, headers, sizeof headers, 0) == sizeof headers) {
    headers[frame_word + toy_random(dice) % 4] = toy_random(dice) % most_frames;
    headers[frame_word] %= most_frames;
    add_sums(headers);
    memcpy(headers + header_words, headers, sizeof headers / 2);
    if (pwrite(file, headers, sizeof headers, 0) != sizeof headers) stop("the index was not written");
  } else {
    uint32_t word = toy_random(dice) % 2 ? toy_random(dice) % 64 : toy_random(dice);
    // Behind the headers, which have sums.
    off_t offset = (off_t)(sizeof headers + toy_random(dice) % (index_size - sizeof headers - 4));
    struct stat status;
    if (fstat(file, &status) == 0 && status.st_size >= index_size
      && pwrite(file, &word, sizeof word, offset) != sizeof word)
      stop("the index was not written");
  }
  close(file);
}

static void work_with_hostile_index(const Place *place, uint64_t *dice) {
  sqlite3 *first = connect(place), *second = connect(place);
  if (first && second) {
    run(first, "pragma journal_mode = wal; create table if not exists t(i integer primary key, b)");
    for (int turn = 0; turn < 12; turn += 1) {
      run(first, "insert into t(b) values(randomblob(3000))");
      change_index(place, dice);
      run(turn % 2 ? first : second, "select sum(length(b)) from t");
      if (toy_random(dice) % 4 == 0) run(second, "pragma wal_checkpoint(truncate)");
    }
  }
  sqlite3_close_v2(first);
  sqlite3_close_v2(second);
}

static void remove_files(const Place *place) {
  static const char *const suffixes[] = {"", "-wal", "-journal", "-shm"};
  char path[400];
  for (int index = 0; index < 4; index += 1) {
    path_of(place, suffixes[index], path, sizeof path);
    unlink(path);
  }
}

static void play_round(const char *folder, int number, uint64_t *dice) {
  static const int sizes[] = {512, 1024, 2048, 4096, 65536};
  Place place = {.folder = folder};
  int size = sizes[toy_random(dice) % 5];
  // SQLite requires 480 bytes beside the reserve.
  int authenticates = size > 512 && toy_random(dice) % 4 != 0;
  place.cipher = (ToyCipher){size, authenticates ? toy_reserve : toy_plain_reserve,
    ((uint64_t)toy_random(dice) << 32) | 1, authenticates};
  snprintf(place.key, sizeof place.key, "round-%d", number);
  atrest_page_cipher methods = toy_methods(&place.cipher);
  if (atrest_database_add_key(place.key, &methods) != 0) stop("no key");
  remove_files(&place);
  work_together(&place, *dice);
  work_with_hostile_index(&place, dice);
  for (int turn = 0; turn < 6; turn += 1) {
    die_in_transaction(&place, turn);
    damage(&place, dice);
    Job job = {&place, *dice + (uint64_t)turn, 12};
    work(&job);
  }
  remove_files(&place);
  atrest_database_remove_key(place.key);
}

int main(int count, char **arguments) {
  if (count != 4) stop("usage: vfs-harness FOLDER SEED ROUNDS");
  if (atrest_database_register("atrest", NULL) != 0) stop("the VFS was not registered");
  uint64_t dice = strtoull(arguments[2], NULL, 10);
  for (int number = 0; number < atoi(arguments[3]); number += 1)
    play_round(arguments[1], number, &dice);
  printf("%ld statements, of which %ld failed\n", (long)statements, (long)failures);
  return 0;
}
