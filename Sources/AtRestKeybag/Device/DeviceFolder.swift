import AtRestCrypto
import CAtRestSystem
import Foundation
import Synchronization

/// The records of a device in a folder, and their locks.
///
/// Every method may be called from several threads at once.
final class DeviceFolder: Sendable {
  let storage: FolderStorage
  private let patience: Duration
  private let open = Mutex<[String: Int32]>([:])
  private let locks = Mutex<[String: FolderLock]>([:])

  /// - Parameter patience: The longest time to wait for locks that other threads or processes hold.
  init(_ storage: FolderStorage, patience: Duration) {
    self.storage = storage
    self.patience = patience
  }

  deinit {
    open.withLock { files in files.values.forEach { close($0) } }
  }

  func recall(_ name: String) throws -> Data? {
    if try storage.needsErasing(name) {
      // Either a process ended in the middle of a change, or the change is still under way.
      try? newLock(name, patience: .zero).exclusively { try storage.finishErasing(name) }
    }
    return try storage.read(name)
  }

  func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    try lock(name).exclusively {
      if try storage.needsErasing(name) { try storage.finishErasing(name) }
      return try body()
    }
  }

  /// Returns the lock of a name.
  func lock(_ name: String) -> FolderLock {
    locks.withLock { locks in
      if let lock = locks[name] { return lock }
      let new = newLock(name, patience: patience)
      locks[name] = new
      return new
    }
  }

  private func newLock(_ name: String, patience: Duration) -> FolderLock {
    storage.lock("\(name).lock", patience: patience)
  }

  func rememberErasing(_ data: Data, as name: String) throws {
    try storage.replaceErasing(name, with: data)
  }

  func remember(_ data: Data, as name: String, durably: Bool) throws {
    if durably { return try storage.replace(name, with: data) }
    // The record is short and is written in place with one call, so a reader never sees a part of
    // it. A record that is new or of another size is replaced.
    let isInPlace = try open.withLock { files in
      let file: Int32
      if let open = files[name], atrest_is_linked(open) == 1 {
        file = open
      } else {
        // The file was replaced or removed meanwhile, perhaps by another process: data written to
        // it would be lost.
        if let old = files.removeValue(forKey: name) { close(old) }
        guard let opened = try PrivateFile.open(name, in: storage.made(), flags: O_WRONLY) else {
          return false
        }
        file = opened.descriptor
        files[name] = file
      }
      var status = stat()
      guard fstat(file, &status) == 0 else { throw SystemCall.error("inspect", storage.path(name)) }
      guard Int(status.st_size) == data.count else { return false }
      let count = data.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
      guard count == data.count else { throw SystemCall.error("write", storage.path(name)) }
      return true
    }
    if !isInPlace { try storage.replace(name, with: data) }
  }

  func forget(_ name: String) throws {
    open.withLock { files in
      if let file = files.removeValue(forKey: name) { close(file) }
    }
    try storage.destroy(name)
  }

  /// Makes the last write of a record durable.
  func flush(_ name: String) throws {
    guard let file = try PrivateFile.open(name, in: storage.made(), flags: O_RDONLY) else { return }
    defer { close(file.descriptor) }
    guard fsync(file.descriptor) == 0 else { throw SystemCall.error("flush", storage.path(name)) }
  }

  /// Erases what interrupted replacements of records left, and returns the paths of what cannot be erased.
  /// A replacement that is under way is left alone.
  func unerased() throws -> [String] {
    guard let folder = try storage.opened() else { return [] }
    let names = Set(
      try folder.names().map { String(decoding: $0, as: UTF8.self) }.filter { name in
        Self.isRecord(name) && [".old", ".new"].contains { name.hasSuffix($0) }
      }.map { String($0.dropLast(4)) })
    return try names.sorted().filter { name in
      do {
        return try newLock(name, patience: .zero).exclusively {
          try? storage.finishErasing(name)
          return try storage.needsErasing(name)
        }
      } catch AtRestError.Code.busy {
        return false
      }
    }.map { storage.path($0) }
  }

  /// Returns the names of the records, in ascending order. The folder may also have other files.
  func names() throws -> [String] {
    guard let folder = try storage.opened() else { return [] }
    return try folder.names().map { String(decoding: $0, as: UTF8.self) }.filter { name in
      Self.isRecord(name) && [".lock", ".new", ".old"].allSatisfy { !name.hasSuffix($0) }
        && !name.contains(".new-")
    }.sorted()
  }

  /// Returns true if a file with this name may be a record, its lock, or one of both under
  /// replacement: the names begin with `place-` or the 32 digits of a store.
  static func isRecord(_ name: String) -> Bool {
    name.hasPrefix("place-")
      || (name.utf8.count > 32 && name.utf8.prefix(32).allSatisfy { isHexadecimal($0) })
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }
}
