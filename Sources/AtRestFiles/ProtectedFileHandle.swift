import AtRestCrypto
import Foundation
import Synchronization

/// An open protected file. It reads and writes at any offset, and processes only the affected
/// chunks.
///
/// ```swift
/// let handle = try files.open(url, for: .updating)
/// let header = try handle.read(upToCount: 512, at: 0)
/// try handle.write(record, at: 4096)
/// try handle.append(line)
/// try handle.close()
/// ```
///
/// **Changes.** Written data is kept in memory, and in sealed form beside the file, until
/// ``synchronize()`` or ``close()`` makes all of it durable at once. Readers see the file either
/// before or after the change, even if power fails in between. Only one handle at a time can update
/// a file. A handle that is released without ``close()`` also commits, but cannot report an error.
///
/// **Reading.** Each call of a reading handle sees the contents that were last committed, by this
/// process or another one.
///
/// **Locking.** A handle of class ``FileProtection/complete`` throws while the store is locked, and
/// works again after the next unlock. Changes that were not yet durable stay sealed meanwhile.
/// Handles of the other classes stay usable.
///
/// **Wipe.** After a wipe of the store by any process, every call of a handle of the store throws
/// ``AtRestError/Code/wiped``.
///
/// Safe to use from several threads: their calls run one after the other. Memory use is constant:
/// 16 chunks, which is 768 KiB for new files.
public final class ProtectedFileHandle: Sendable {
  /// The access for which a handle is opened.
  public enum Access: Sendable {
    /// The handle reads.
    case reading
    /// The handle reads and writes an existing file.
    case updating
  }

  private struct State: ~Copyable {
    var contents: OpenContents?
    var offset: UInt64 = 0
  }

  /// The file's path, with links resolved.
  public let path: String
  private let state: Mutex<State>
  /// True from a lock of the store until plaintext and keys are removed from memory.
  private let isLockDue = Atomic(false)
  /// Kept as long as the handle exists, because it notifies the handle when the store locks.
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
    // The store may have been locked during this call.
    defer { lockUnlessInUse() }
    // Once per call, and not for each chunk.
    try files.keys.checkStore()
    return try state.withLock { state in
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

  // MARK: At any offset

  /// Returns the size of the contents in bytes, including changes that are not durable yet.
  ///
  /// - Throws: ``AtRestError/Code/locked``; ``AtRestError/Code/invalidArgument`` if the handle is
  ///   closed.
  public func size() throws -> UInt64 {
    try withState { contents, _ in try contents.currentSize() }
  }

  /// Returns the file's protection class, or nil if the file is protected without a store.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the handle is closed.
  public func protection() throws -> FileProtection? {
    try withState { contents, _ in contents.header.protection }
  }

  /// Reads up to `count` bytes at an offset. The result is shorter at the end of the file, and
  /// empty beyond it.
  ///
  /// - Throws: ``AtRestError/Code/locked`` while class complete is locked;
  ///   ``AtRestError/Code/damaged`` if a chunk was modified, moved, cut off or replaced by an older
  ///   version (none of its bytes are returned); ``AtRestError/Code/system``;
  ///   ``AtRestError/Code/invalidArgument`` if the handle is closed.
  public func read(upToCount count: Int, at offset: UInt64) throws -> Data {
    try withState { contents, _ in try Self.read(&contents, count, offset) }
  }

  /// Reads into memory at an offset, and returns the number of bytes read.
  ///
  /// - Throws: The errors of ``read(upToCount:at:)``.
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

  /// Writes at an offset. A gap between the end of the file and the offset is filled with zeros.
  ///
  /// - Throws: ``AtRestError/Code/locked``; ``AtRestError/Code/notPermitted`` if the handle is for
  ///   reading; ``AtRestError/Code/damaged`` if a chunk that is only partly overwritten cannot be
  ///   read; ``AtRestError/Code/invalidArgument`` if the handle is closed or the offset is too
  ///   large; ``AtRestError/Code/system``, for example if the disk is full. If the call throws, the
  ///   file is unchanged.
  public func write(_ data: some ContiguousBytes, at offset: UInt64) throws {
    try withState { contents, _ in
      try data.withUnsafeBytes { try contents.write($0, at: offset) }
    }
  }

  /// Writes at the end of the file.
  ///
  /// - Throws: The errors of ``write(_:at:)``.
  public func append(_ data: some ContiguousBytes) throws {
    try withState { contents, _ in
      try data.withUnsafeBytes { try contents.write($0, at: contents.size) }
    }
  }

  /// Cuts the contents to a size, or extends them with zeros, which take up space like other bytes.
  ///
  /// - Throws: The errors of ``write(_:at:)``.
  public func truncate(to size: UInt64) throws {
    try withState { contents, _ in try contents.truncate(to: size) }
  }

  /// Makes everything that was written so far durable, or none of it.
  ///
  /// The call waits for readers that are processing the whole file.
  ///
  /// - Throws: ``AtRestError/Code/locked``; ``AtRestError/Code/notFound`` if the file was replaced
  ///   or removed meanwhile; ``AtRestError/Code/invalidArgument`` if the handle is closed;
  ///   ``AtRestError/Code/system``, for example if the disk is full. The file then has its former
  ///   contents, or gets the new ones when it is opened next, and the call can be repeated.
  public func synchronize() throws {
    try withState { contents, _ in try contents.commit() }
    try files.keys.checkKept()
  }

  /// Makes everything written so far durable, and closes the handle. A second call does nothing.
  ///
  /// - Throws: The errors of ``synchronize()``. If the call throws, the handle is still
  ///   closed, and the file has its former contents, or gets the new ones when it is opened next.
  public func close() throws {
    try state.withLock { state in
      guard var contents = state.contents.take() else { return }
      do {
        let isChanged = contents.hasChanges
        if isChanged { try files.keys.checkStore() }
        try contents.commit()
        if isChanged { try files.keys.checkKept() }
      } catch {
        contents.rollBack()
        throw error
      }
    }
  }

  /// Closes the handle, and reverts changes that are not durable.
  public func discard() {
    state.withLock { state in
      guard var contents = state.contents.take() else { return }
      contents.rollBack()
    }
  }

  /// If the file's class is locked, removes plaintext and keys from memory. Called when the store
  /// locks.
  ///
  /// - Parameter waits: False to return at once if another thread uses the handle, which may wait for
  ///   the agent, or for the agent's user. That thread then removes them when its call ends.
  package func lock(waits: Bool) {
    isLockDue.store(true, ordering: .sequentiallyConsistent)
    if waits {
      state.withLock { lock(&$0) }
    } else {
      lockUnlessInUse()
    }
  }

  private func lockUnlessInUse() {
    while isLockDue.load(ordering: .sequentiallyConsistent) {
      guard state.withLockIfAvailable({ lock(&$0) }) != nil else { return }
    }
  }

  private func lock(_ state: inout sending State) {
    isLockDue.store(false, ordering: .sequentiallyConsistent)
    guard var contents = state.contents.take() else { return }
    contents.lock()
    state.contents = consume contents
  }

  // MARK: Sequential access, as in FileHandle

  /// Returns the offset at which the next ``read(upToCount:)`` or ``write(contentsOf:)`` begins.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the handle is closed.
  public func offset() throws -> UInt64 { try withState { _, offset in offset } }

  /// Moves to an offset, which may be beyond the end of the file.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the handle is closed.
  public func seek(toOffset offset: UInt64) throws {
    try withState { _, current in current = offset }
  }

  /// Moves to the end of the file, and returns its offset.
  ///
  /// - Throws: The errors of ``size()``.
  @discardableResult
  public func seekToEnd() throws -> UInt64 {
    try withState { contents, offset in
      offset = try contents.currentSize()
      return offset
    }
  }

  /// Reads up to `count` bytes at the current offset, and moves past them. Returns nil at the end
  /// of the file.
  ///
  /// - Throws: The errors of ``read(upToCount:at:)``.
  public func read(upToCount count: Int) throws -> Data? {
    try withState { contents, offset in
      let data = try Self.read(&contents, count, offset)
      offset += UInt64(data.count)
      return data.isEmpty ? nil : data
    }
  }

  /// Reads the rest of the file. Returns nil at the end of the file.
  ///
  /// - Throws: The errors of ``read(upToCount:at:)``.
  public func readToEnd() throws -> Data? { try read(upToCount: .max) }

  /// Writes at the current offset, and moves past the written bytes.
  ///
  /// - Throws: The errors of ``write(_:at:)``.
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
  /// The protection class, or nil if no store protects the file.
  var protection: FileProtection? {
    for case .store(let protection, _, _) in slots { return protection }
    return nil
  }
}
