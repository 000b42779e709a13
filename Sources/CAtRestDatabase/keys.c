#include "internal.h"

#include <pthread.h>

// The ciphers by name. The name is a random number that is known to this process only, so a
// connection has a key only if it was opened with it.

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Key *keys;

int atrest_database_add_key(const char *name, const atrest_page_cipher *cipher) {
  size_t size = strlen(name) + 1;
  Key *key = sqlite3_malloc64(sizeof(Key) + size);
  if (!key) return SQLITE_NOMEM;
  key->owners = 1;
  atomic_init(&key->is_confirmed, false);
  key->cipher = *cipher;
  memcpy(key->name, name, size);
  pthread_mutex_lock(&lock);
  key->next = keys;
  keys = key;
  pthread_mutex_unlock(&lock);
  return SQLITE_OK;
}

Key *key_find(const char *name) {
  if (!name) return NULL;
  pthread_mutex_lock(&lock);
  Key *key = keys;
  while (key && strcmp(key->name, name) != 0) key = key->next;
  if (key) key->owners += 1;
  pthread_mutex_unlock(&lock);
  return key;
}

Key *key_retain(Key *key) {
  pthread_mutex_lock(&lock);
  key->owners += 1;
  pthread_mutex_unlock(&lock);
  return key;
}

void key_release(Key *key) {
  pthread_mutex_lock(&lock);
  bool is_last = --key->owners == 0;
  pthread_mutex_unlock(&lock);
  if (!is_last) return;
  key->cipher.release(key->cipher.context);
  sqlite3_free(key);
}

void atrest_database_remove_key(const char *name) {
  Key *removed = NULL;
  pthread_mutex_lock(&lock);
  for (Key **place = &keys; *place; place = &(*place)->next) {
    if (strcmp((*place)->name, name) != 0) continue;
    removed = *place;
    *place = removed->next;
    break;
  }
  pthread_mutex_unlock(&lock);
  if (removed) key_release(removed);
}

static int (*provide)(const char *file, char *key, int size, void **owner);
static void (*release)(void *owner);

void atrest_database_set_provider(
  int (*provider)(const char *file, char *key, int size, void **owner), void (*releaser)(void *)
) {
  pthread_mutex_lock(&lock);
  provide = provider;
  release = releaser;
  pthread_mutex_unlock(&lock);
}

bool has_provider(void) {
  pthread_mutex_lock(&lock);
  bool result = provide != NULL;
  pthread_mutex_unlock(&lock);
  return result;
}

Key *key_of_database(const char *file) {
  Key *key = key_find(sqlite3_uri_parameter(file, ATREST_KEY_PARAMETER));
  char name[64];
  void *owner = NULL;
  if (key) return key;
  pthread_mutex_lock(&lock);
  int (*provider)(const char *, char *, int, void **) = provide;
  pthread_mutex_unlock(&lock);
  if (!provider || provider(file, name, sizeof name, &owner) != 0) return NULL;
  key = key_find(name);
  release(owner);
  return key;
}
