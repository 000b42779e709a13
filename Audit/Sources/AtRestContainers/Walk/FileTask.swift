import AtRestFormats

/// The work that waits for a core: a file, or a piece of a large one.
enum FileTask: Sendable {
  case file(ListedFile)
  case piece(FilePiece)
  case decrypted(DecryptedFile)
}

/// A database, a store, a file or an archive that was encrypted.
struct DecryptedFile: Sendable {
  enum Contents: Sendable {
    case database(ByteSource, wal: ByteSource?)
    case store(ByteSource, MMKVState)
    /// A box, and what decrypts a value or returns nil if it is damaged.
    case box(HiveBox, decrypt: @Sendable ([UInt8]) -> [UInt8]?)
    /// A file that was encrypted as a whole.
    case file(ByteSource)
    case archive(any FileTree)
  }

  /// The file, and the format of its encryption.
  let locator: Locator
  let contents: Contents
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
