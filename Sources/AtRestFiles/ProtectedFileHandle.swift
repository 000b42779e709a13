import AtRestCrypto
import Foundation
import Synchronization

/// A protected file that is open: reads and writes anywhere, and touches no more than the chunks
/// concerned.
///
/// ```swift
/// let handle = try files.open(url, for: .updating)
/// let header = try handle.read(upToCount: 512, at: 0)
/// try handle.write(record, at: 4096)
/// try handle.append(line)
/// try handle.close()
/// ```
///
/// **Changes.** What is written is kept in memory and, sealed, beside the file, until
/// ``synchronize()`` or ``close()`` makes all of it durable at once: readers see the file as it was
/// before or as it is after, also when power fails in between. One handle at a time updates a file.
/// A handle that is let go of without ``close()`` commits too, but can report no error.
///
/// **Reading** handles see what was last committed at each call, also by other processes.
///
/// **The lock.** A handle of class ``FileProtection/complete`` is refused while the store is locked,
/// and works again after the next unlock; what it had not yet made durable waits sealed. Handles of
/// the other classes stay usable.
///
/// Safe to use from several threads, which take turns. Memory is constant: 16 chunks, 768 KiB in new files.
public final class ProtectedFileHandle: Sendable {
  /// What a handle is for.
  public enum Access: Sendable {
    /// Reads.
    case reading
    /// Reads and writes a file that exists.
    case updating
  }

  private struct State: ~Copyable {
    var contents: OpenContents?
    var offset: UInt64 = 0
  }

  /// The file's path, with links resolved.
  public let path: String
  private let state: Mutex<State>
  /// Tells this handle of a lock, as long as there is one.
  private let files: ProtectedFiles

  init(_ stored: StoredFile, journal: sending RedoJournal?, of files: ProtectedFiles) {
    self.files = files
    path = stored.file.path
    state = Mutex(State(contents: OpenContents(stored, journal: journal)))
  }

  deinit { try? close() }

  private func withState<Result>(
    _ body: (inout OpenContents, inout UInt64) throws -> Result
  ) throws -> Result {
    try state.withLock { state in
      guard var contents = state.contents.take() else {
        throw AtRestError.invalid("The handle of \(path) is closed.", remedy: "Open it again.")
      }
      do {
        let result = try body(&contents, &state.offset)
        state.contents = consume contents
        return result
      } catch {
        state.contents = consume contents
        throw error
      }
    }
  }

  // MARK: Anywhere

  /// The size of the contents in bytes, with what was written and is not yet durable.
  ///
  /// - Throws: ``AtRestError/Code/locked``; ``AtRestError/Code/invalidArgument`` once closed.
  public func size() throws -> UInt64 {
    try withState { contents, _ in try contents.currentSize() }
  }

  /// The file's protection class, or nil where it is protected without a store.
  public func protection() throws -> FileProtection? {
    try withState { contents, _ in contents.header.protection }
  }

  /// Reads up to so many bytes at an offset; fewer at the end, none beyond it.
  ///
  /// - Throws: ``AtRestError/Code/locked`` while class complete is locked;
  ///   ``AtRestError/Code/damaged`` where a chunk was changed, moved, cut off or put back: no byte of
  ///   it is given; ``AtRestError/Code/system``; ``AtRestError/Code/invalidArgument`` once closed.
  public func read(upToCount count: Int, at offset: UInt64) throws -> Data {
    try withState { contents, _ in try Self.read(&contents, count, offset) }
  }

  /// Reads into memory at an offset, and gives the count.
  ///
  /// - Throws: As ``read(upToCount:at:)``.
  public func read(into bytes: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    try withState { contents, _ in try contents.read(into: bytes, at: offset) }
  }

  private static func read(
    _ contents: inout OpenContents, _ count: Int, _ offset: UInt64
  ) throws -> Data {
    let size = try contents.currentSize()
    guard count > 0, offset < size else { return Data() }
    var data = Data(count: Int(min(UInt64(count), size - offset)))
    let got = try data.withUnsafeMutableBytes { try contents.read(into: $0, at: offset) }
    return got == data.count ? data : data.prefix(got)
  }

  /// Writes at an offset. Beyond the end, what lies between becomes zeros.
  ///
  /// - Throws: ``AtRestError/Code/locked``; ``AtRestError/Code/notPermitted`` where the handle is for
  ///   reading; ``AtRestError/Code/damaged`` where a chunk that is written in part cannot be read;
  ///   ``AtRestError/Code/system``, as where the disk is full: the file stands as it was.
  public func write(_ data: some ContiguousBytes, at offset: UInt64) throws {
    try withState { contents, _ in
      try data.withUnsafeBytes { try contents.write($0, at: offset) }
    }
  }

  /// Writes at the end.
  ///
  /// - Throws: As ``write(_:at:)``.
  public func append(_ data: some ContiguousBytes) throws {
    try withState { contents, _ in
      try data.withUnsafeBytes { try contents.write($0, at: contents.size) }
    }
  }

  /// Cuts the contents off at a size, or makes them longer with zeros, which take room as any bytes.
  ///
  /// - Throws: As ``write(_:at:)``.
  public func truncate(to size: UInt64) throws {
    try withState { contents, _ in try contents.truncate(to: size) }
  }

  /// Makes everything written so far durable, all of it or none.
  ///
  /// Waits for readers that have a whole file under way.
  ///
  /// - Throws: ``AtRestError/Code/locked``; ``AtRestError/Code/notFound`` where the file was replaced
  ///   or removed meanwhile; ``AtRestError/Code/system``, as where the disk is full: the file stands
  ///   as it was, and what was written can be tried again.
  public func synchronize() throws { try withState { contents, _ in try contents.commit() } }

  /// Makes what was written durable, and closes. The second call does nothing.
  ///
  /// - Throws: As ``synchronize()``; the handle is closed all the same, and the file as it was.
  public func close() throws {
    try state.withLock { state in
      guard var contents = state.contents.take() else { return }
      do {
        try contents.commit()
      } catch {
        contents.rollBack()
        throw error
      }
    }
  }

  /// Closes, and takes back what was not made durable.
  public func discard() {
    state.withLock { state in
      guard var contents = state.contents.take() else { return }
      contents.rollBack()
    }
  }

  /// At a lock of the store.
  package func lock() {
    state.withLock { state in
      guard var contents = state.contents.take() else { return }
      contents.lock()
      state.contents = consume contents
    }
  }

  // MARK: One after the other, as FileHandle does

  /// Where the next ``read(upToCount:)`` or ``write(contentsOf:)`` begins.
  public func offset() throws -> UInt64 { try withState { _, offset in offset } }

  /// Moves to an offset, which may lie beyond the end.
  public func seek(toOffset offset: UInt64) throws {
    try withState { _, current in current = offset }
  }

  /// Moves to the end, and gives its offset.
  @discardableResult
  public func seekToEnd() throws -> UInt64 {
    try withState { contents, offset in
      offset = try contents.currentSize()
      return offset
    }
  }

  /// Reads up to so many bytes where the last call ended; nil at the end.
  ///
  /// - Throws: As ``read(upToCount:at:)``.
  public func read(upToCount count: Int) throws -> Data? {
    try withState { contents, offset in
      let data = try Self.read(&contents, count, offset)
      offset += UInt64(data.count)
      return data.isEmpty ? nil : data
    }
  }

  /// Reads what is left; nil at the end.
  ///
  /// - Throws: As ``read(upToCount:at:)``.
  public func readToEnd() throws -> Data? { try read(upToCount: .max) }

  /// Writes where the last call ended.
  ///
  /// - Throws: As ``write(_:at:)``.
  public func write(contentsOf data: some ContiguousBytes) throws {
    try withState { contents, offset in
      try data.withUnsafeBytes { bytes in
        try contents.write(bytes, at: offset)
        offset += UInt64(bytes.count)
      }
    }
  }
}

extension FileHeader {
  /// The class, where a store protects the file.
  var protection: FileProtection? {
    for case .store(let protection, _, _) in slots { return protection }
    return nil
  }
}
