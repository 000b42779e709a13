import AtRestCrypto
import Foundation

/// The asynchronous forms of the calls, under the same names. They run off the caller's actor. If
/// the task is cancelled, they throw `CancellationError` and leave nothing behind.
extension ProtectedFiles {
  /// Writes data to a file, off the caller's actor.
  public func write(
    _ data: Data, to url: URL, options: Data.WritingOptions = [],
    protection: FileProtection? = nil
  ) async throws {
    try await cancellable {
      try self.write(data, to: url, options: options, protection: protection)
    }
  }

  /// Reads a whole file, off the caller's actor.
  public func read(_ url: URL, requiring required: FileProtection? = nil) async throws -> Data {
    try await cancellable { try self.read(url, requiring: required) }
  }

  /// Protects bytes of any size, off the caller's actor.
  @discardableResult
  public func protect(
    _ source: ByteSource, to destination: ByteDestination, protection: FileProtection? = nil,
    progress: Progress? = nil
  ) async throws -> TransferCount {
    try await cancellable(progress) {
      try self.protect(source, to: destination, protection: protection, progress: $0)
    }
  }

  /// Opens a protected file and writes its contents to a destination, off the caller's actor.
  @discardableResult
  public func unprotect(
    _ source: ByteSource, to destination: ByteDestination,
    requiring required: FileProtection? = nil, progress: Progress? = nil
  ) async throws -> TransferCount {
    try await cancellable(progress) {
      try self.unprotect(source, to: destination, requiring: required, progress: $0)
    }
  }

  /// Checks every chunk of a file, off the caller's actor.
  @discardableResult
  public func verify(
    _ url: URL, requiring required: FileProtection? = nil, progress: Progress? = nil
  ) async throws -> TransferCount {
    try await cancellable(progress) {
      try self.verify(url, requiring: required, progress: $0)
    }
  }

  /// Opens a file, off the caller's actor.
  public func open(
    _ url: URL, for access: ProtectedFileHandle.Access = .reading,
    requiring required: FileProtection? = nil
  ) async throws -> ProtectedFileHandle {
    try await cancellable { try self.open(url, for: access, requiring: required) }
  }

  /// Changes a file's protection class, off the caller's actor.
  public func setProtection(_ protection: FileProtection, of url: URL) async throws {
    try await cancellable { try self.setProtection(protection, of: url) }
  }

  /// Rewraps a file's key for other readers, off the caller's actor.
  public func rewrap(
    _ url: URL, for other: ProtectedFiles, protection: FileProtection? = nil,
    requiring required: FileProtection? = nil
  ) async throws {
    try await cancellable {
      try self.rewrap(url, for: other, protection: protection, requiring: required)
    }
  }

  /// Writes a sequence of pieces to a file. The file appears, complete and durable, after the last
  /// piece.
  ///
  /// Memory use is constant: the next piece is requested when the previous one was processed.
  ///
  /// - Throws: The error of the sequence; otherwise the errors of
  ///   `write(_:to:options:protection:)`, with the same effect on an existing file.
  public func write<Pieces: AsyncSequence>(
    _ pieces: Pieces, to url: URL, replacing: Bool = true, protection: FileProtection? = nil
  ) async throws where Pieces.Element == Data {
    let writer = try await cancellable {
      try PieceWriter(self, at: url, replacing: replacing, protection: protection)
    }
    try await Self.write(pieces, with: writer)
  }

  /// Writes a sequence of pieces to a new file in a folder that is held open.
  ///
  /// - Throws: The errors of `write(_:to:replacing:protection:)`.
  package func write<Pieces: AsyncSequence>(
    _ pieces: Pieces, to entry: FolderEntry
  ) async throws where Pieces.Element == Data {
    let writer = try await cancellable { try PieceWriter(self, at: entry) }
    try await Self.write(pieces, with: writer)
  }

  private static func write<Pieces: AsyncSequence>(
    _ pieces: Pieces, with writer: PieceWriter
  ) async throws where Pieces.Element == Data {
    for try await piece in pieces {
      try Task.checkCancellation()
      try await cancellable { try writer.append(piece) }
    }
    try await cancellable { try writer.finish() }
  }

  /// Writes a sequence of bytes to a file. The file appears, complete and durable, after the last
  /// byte.
  ///
  /// - Throws: The errors of `write(_:to:replacing:protection:)` for pieces.
  public func write<Bytes: AsyncSequence>(
    _ bytes: Bytes, to url: URL, replacing: Bool = true, protection: FileProtection? = nil
  ) async throws where Bytes.Element == UInt8 {
    let writer = try await cancellable {
      try PieceWriter(self, at: url, replacing: replacing, protection: protection)
    }
    var piece = Data()
    for try await byte in bytes {
      piece.append(byte)
      guard piece.count == FileHeader.defaultChunkSize else { continue }
      try Task.checkCancellation()
      let full = piece
      piece.removeAll(keepingCapacity: true)
      try await cancellable { try writer.append(full) }
    }
    let rest = piece
    try await cancellable {
      try writer.append(rest)
      try writer.finish()
    }
  }
}

extension ProtectedFileHandle {
  /// Returns the contents from an offset on, in pieces of at most `count` bytes. They are read off
  /// the caller's actor.
  ///
  /// ```swift
  /// for try await piece in handle.pieces() { hash.update(data: piece) }
  /// ```
  public func pieces(
    of count: Int = 49_136, from offset: UInt64 = 0
  ) -> Pieces {
    Pieces(handle: self, count: max(1, count), offset: offset)
  }

  /// The bytes of the contents, read ahead in pieces off the caller's actor.
  ///
  /// ```swift
  /// for try await line in handle.bytes.lines { … }      // on Apple's platforms
  /// ```
  public var bytes: Bytes { Bytes(pieces: pieces()) }

  /// The contents of a file in pieces.
  public struct Pieces: AsyncSequence, Sendable {
    let handle: ProtectedFileHandle
    let count: Int
    let offset: UInt64

    public func makeAsyncIterator() -> Iterator {
      Iterator(handle: handle, count: count, offset: offset)
    }

    public struct Iterator: AsyncIteratorProtocol {
      let handle: ProtectedFileHandle
      let count: Int
      var offset: UInt64

      /// Returns the next piece, or nil at the end of the file.
      ///
      /// - Throws: The errors of ``ProtectedFileHandle/read(upToCount:at:)``; `CancellationError`.
      public mutating func next() async throws -> Data? {
        try Task.checkCancellation()
        let (handle, count, offset) = (handle, count, offset)
        let piece = try await cancellable {
          try handle.read(upToCount: count, at: offset)
        }
        self.offset += UInt64(piece.count)
        return piece.isEmpty ? nil : piece
      }
    }
  }

  /// The contents of a file byte by byte.
  public struct Bytes: AsyncSequence, Sendable {
    let pieces: Pieces

    public func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
      var pieces: Pieces.Iterator
      var piece: [UInt8] = []
      var position = 0

      /// Returns the next byte, or nil at the end of the file.
      ///
      /// - Throws: The errors of ``ProtectedFileHandle/Pieces/Iterator/next()``.
      public mutating func next() async throws -> UInt8? {
        if position == piece.count {
          guard let next = try await pieces.next() else { return nil }
          piece = Array(next)
          position = 0
        }
        defer { position += 1 }
        return piece[position]
      }
    }
  }
}
