#include "internal.h"

// The index of the log, in memory that processes share. Its format is documented: a region has the page
// numbers of 4,096 frames, and the first one also has a header of 136 bytes in place of 34 of them.

enum { per_region = 4096, header_words = 34 };

int index_add(File *database, int region, const void volatile *memory) {
  LogIndex *index = &database->index;
  if (region >= index->count) {
    int count = region + 1;
    void *larger = sqlite3_realloc64(index->regions, (size_t)count * sizeof *index->regions);
    if (!larger) return SQLITE_NOMEM;
    index->regions = larger;
    while (index->count < count) index->regions[index->count++] = NULL;
  }
  index->regions[region] = memory;
  return SQLITE_OK;
}

void index_forget(File *database) { database->index.count = 0; }

uint32_t index_page(const File *database, sqlite3_int64 frame) {
  if (!database) return 0;
  sqlite3_int64 word = frame + header_words, region = word / per_region;
  if (region >= database->index.count || !database->index.regions[region]) return 0;
  return database->index.regions[region][word % per_region];
}
