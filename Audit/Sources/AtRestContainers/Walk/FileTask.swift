import AtRestFormats

/// The work that waits for a core: a file, or a piece of a large one.
enum FileTask: Sendable {
  case file(ListedFile)
  case piece(FilePiece)
  case database(DecryptedDatabase)
}

/// A database that was encrypted.
struct DecryptedDatabase: Sendable {
  /// The file, and the format of its encryption.
  let locator: Locator
  let main: ByteSource
  let wal: ByteSource?
}

/// A file that waits to be visited.
struct ListedFile: Sendable {
  let file: TreeFile
  let group: FileGroup
}

/// A piece of a file that waits to be visited.
struct FilePiece: Sendable {
  enum Content: Sendable {
    /// The windows of raw bytes that begin in a range.
    case raw(Range<Int>)
    /// The lines in a range, the number of the first one, and whether the range is also visited as
    /// raw bytes.
    case lines(Range<Int>, first: Int, isRaw: Bool)
  }

  let source: ByteSource
  let place: FileWalk.Place
  let content: Content
}
