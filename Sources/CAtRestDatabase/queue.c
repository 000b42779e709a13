#include "internal.h"

// Frames that a transaction writes are held back until it commits or the queue is full. They are sealed
// together, on several processors, and written in one piece. Nobody else reads a frame before the
// transaction's last one is written, and that one is never held back.

// SQLite's VFS for Unix writes at most 131,071 bytes at once, and reports a full disk if the remainder
// is a multiple of 131,072.
enum { queue_size = 512 * 1024, piece_size = 64 * 1024 };

static int capacity(const File *file) { return (int)(queue_size / frame_size(file)); }

static uint8_t *frame_at(File *file, int index) {
  return file->log.queue.frames + index * frame_size(file);
}

static void erase_from(File *file, int index) {
  FrameQueue *queue = &file->log.queue;
  if (index >= queue->count) return;
  memset(frame_at(file, index), 0, (size_t)((queue->count - index) * frame_size(file)));
  queue->count = index;
}

static int write_queue(File *file) {
  FrameQueue *queue = &file->log.queue;
  const atrest_page_cipher *cipher = &file->key->cipher;
  int count = queue->count, code = SQLITE_OK;
  sqlite3_int64 size = frame_size(file);
  if (cipher->seal_frames(cipher->context, queue->frames, count) != 0) code = SQLITE_IOERR_WRITE;
  for (int index = 0; code == SQLITE_OK && index < count; index += 1)
    code = chain_frame(file, frame_at(file, index), queue->start + index * size);
  sqlite3_int64 end = count * size;
  for (sqlite3_int64 done = 0; code == SQLITE_OK && done < end; done += piece_size) {
    int piece = (int)(end - done < piece_size ? end - done : piece_size);
    code = lower_write(file, queue->frames + done, piece, queue->start + done);
  }
  return code;
}

int flush_frames(File *file) {
  FrameQueue *queue = &file->log.queue;
  if (queue->count == 0) return SQLITE_OK;
  int code = write_queue(file);
  if (code != SQLITE_OK) {
    erase_from(file, 0);
    queue->code = code;
    queue->lost_at = queue->start;
    file->log.chained_at = -1;
  }
  queue->count = 0;
  return code;
}

void drop_frames(File *file) {
  FrameQueue *queue = &file->log.queue;
  erase_from(file, 0);
  queue->code = SQLITE_OK;
  file->log.held_at = file->log.chained_at = -1;
}

int check_lost(const File *file, sqlite3_int64 offset) {
  const FrameQueue *queue = &file->log.queue;
  return queue->code != SQLITE_OK && offset >= queue->lost_at ? queue->code : SQLITE_OK;
}

int begin_frame(File *file, sqlite3_int64 offset) {
  FrameQueue *queue = &file->log.queue;
  // A transaction that was rolled back, or a savepoint, has given up the frames from here on.
  if (queue->code != SQLITE_OK && offset > queue->lost_at) return queue->code;
  queue->code = SQLITE_OK;
  if (queue->count == 0) return SQLITE_OK;
  sqlite3_int64 size = frame_size(file), distance = offset - queue->start;
  if (distance >= 0 && distance % size == 0 && distance <= queue->count * size) {
    erase_from(file, (int)(distance / size));
    return SQLITE_OK;
  }
  if (distance < 0) {
    erase_from(file, 0);
    return SQLITE_OK;
  }
  return flush_frames(file);
}

int add_frame(File *file, const uint8_t *header, const uint8_t *page, sqlite3_int64 offset) {
  FrameQueue *queue = &file->log.queue;
  int code = check_page(file, get32(header), page);
  if (code != SQLITE_OK) return code;
  if (!queue->frames) {
    queue->frames = sqlite3_malloc64((size_t)(capacity(file) * frame_size(file)));
    if (!queue->frames) return SQLITE_NOMEM;
  }
  if (queue->count == 0) queue->start = offset;
  uint8_t *frame = frame_at(file, queue->count);
  memcpy(frame, header, frame_header_size);
  memcpy(frame + frame_header_size, page, (size_t)page_size(file));
  queue->count += 1;
  // The size of the database is in the header of a transaction's last frame.
  bool is_last = get32(header + 4) != 0;
  return is_last || queue->count == capacity(file) ? flush_frames(file) : SQLITE_OK;
}

void free_frames(File *file) {
  FrameQueue *queue = &file->log.queue;
  drop_frames(file);
  sqlite3_free(queue->frames);
  queue->frames = NULL;
}
