import AtRestCrypto
import CAtRestSystem
import Foundation
import Synchronization

/// A device key in a file that only its owner may read (0600), outside the stores that it protects.
///
/// Anyone who can read the file can use the key. The key protects a store that is copied without
/// the key file. It does not protect against anyone who has access to the user's account. ``risks``
/// reports this.
public final class FileDeviceKey: DeviceKeyProvider {
  private static let magic = Data("AtRestDK".utf8)
  private static let version: UInt16 = 1
  private static let fileName = "device.key"

  private let storage: FolderStorage
  private let patience: Duration
  private let key: SecretBytes
  private let counters = Mutex<[String: Int32]>([:])
  private let locks = Mutex<[String: FolderLock]>([:])

  /// The default folder: `atrest/device` in the platform's folder for state, which is separate from
  /// the folder of the stores.
  public static var defaultFolder: URL {
    PlatformFolders().state.appendingPathComponent("device")
  }

  /// Opens the device key in a folder, and creates it if it does not exist.
  ///
  /// A new folder gets a `CACHEDIR.TAG`. Backup tools that are told to honour this tag leave the
  /// folder out.
  ///
  /// - Parameter folder: The folder of the key. Keep it out of the store, and out of backups of the
  ///   store.
  /// - Throws: ``AtRestError/Code/damaged`` if the file is not a device key;
  ///   ``AtRestError/Code/notPermitted`` if it belongs to another user or other users may read it,
  ///   or if there is no key yet and other users can write to the folder; ``AtRestError/Code/busy``
  ///   if another process takes too long to create the key; ``AtRestError/Code/system`` if the key
  ///   cannot be read or created.
  public convenience init(in folder: URL = FileDeviceKey.defaultFolder) throws {
    try self.init(in: folder, patience: FolderLock.usualPatience)
  }

  /// Opens or creates the device key.
  ///
  /// - Parameter patience: The longest time to wait for locks that other threads or processes hold.
  package init(in folder: URL, patience: Duration) throws {
    let storage = FolderStorage(folder, patience: patience)
    self.storage = storage
    self.patience = patience
    if let present = try Self.stored(in: storage) {
      key = present.bytes.duplicate()
      return
    }
    try storage.checkNew()
    key = try storage.exclusively {
      // Another process may have created the key in the meantime.
      if let present = try Self.stored(in: storage) { return present.bytes.duplicate() }
      let key = SecretBytes.random(count: 32)
      try CacheDirectoryTag.write(into: storage)
      var encoded = Self.encode(key)
      defer { encoded.erase() }
      try storage.replace(Self.fileName, with: encoded)
      return key
    }
  }

  deinit {
    counters.withLock { files in files.values.forEach { close($0) } }
  }

  private static func encode(_ key: borrowing SecretBytes) -> Data {
    var writer = ByteWriter(capacity: 64)
    defer { writer.erase() }
    writer.fixed(magic)
    writer.integer(version)
    key.withUnsafeBytes { writer.fixed($0) }
    let check = key.authenticationCode(for: writer.data).prefix(8)
    writer.fixed(check)
    return writer.data
  }

  private static func stored(in storage: FolderStorage) throws -> SecretBox? {
    let path = storage.path(fileName)
    guard let stored = try storage.readSecret(fileName, checking: { try check($0, path: path) })
    else { return nil }
    return try decode(stored, path: path)
  }

  private static func check(_ status: stat, path: String) throws {
    guard status.st_uid == geteuid() else {
      throw AtRestError(
        .notPermitted, "The device key \(path) belongs to another user (\(status.st_uid)).",
        remedy: "Run as that user, or use a device folder of your own (--device, ATREST_DEVICE).")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw AtRestError(
        .notPermitted, "The device key \(path) can be read by other users.",
        remedy: "Run chmod 600 on it. Change the passcode if other people used this machine.")
    }
  }

  private static func decode(_ stored: SecretBox, path: String) throws -> SecretBox {
    try stored.bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The device key \(path)")
      guard try reader.fixed(8).elementsEqual(magic) else {
        throw AtRestError.damaged("\(path) is not a device key.")
      }
      let found = try reader.integer(UInt16.self)
      guard found == version else {
        throw AtRestError.unsupported("The device key \(path)", version: found, known: version)
      }
      let key = SecretBytes(copying: try reader.fixed(32))
      let covered = UnsafeRawBufferPointer(rebasing: bytes.prefix(reader.offset))
      let check = try reader.fixed(8)
      try reader.finish()
      guard key.authenticationCode(for: covered).prefix(8).elementsEqual(check) else {
        throw AtRestError.damaged("The device key \(path) was modified.")
      }
      return SecretBox(key)
    }
  }

  public func tangle(
    _ input: borrowing SecretBytes, purpose: Purpose
  ) throws -> SecretBytes {
    key.tangle(input, purpose)
  }

  public func recall(_ name: String) throws -> Data? {
    if try storage.needsErasing(name) {
      // Either a process ended in the middle of a change, or the change is still under way.
      try? lock(name, patience: .zero).exclusively { try storage.finishErasing(name) }
    }
    return try storage.read(name)
  }

  public func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    let lock = locks.withLock { locks in
      if let lock = locks[name] { return lock }
      let new = self.lock(name, patience: patience)
      locks[name] = new
      return new
    }
    return try lock.exclusively {
      if try storage.needsErasing(name) { try storage.finishErasing(name) }
      return try body()
    }
  }

  private func lock(_ name: String, patience: Duration) -> FolderLock {
    storage.lock("\(name).lock", patience: patience)
  }

  public func rememberErasing(_ data: Data, as name: String) throws {
    try storage.replaceErasing(name, with: data)
  }

  public func remember(_ data: Data, as name: String, durably: Bool) throws {
    if durably { return try storage.replace(name, with: data) }
    // The record is short and is written in place with one call, so a reader never sees a part of
    // it.
    try counters.withLock { files in
      let file: Int32
      if let open = files[name], atrest_is_linked(open) == 1 {
        file = open
      } else {
        // The file was replaced or removed meanwhile, perhaps by another process: data written to
        // it would be lost.
        if let old = files.removeValue(forKey: name) { close(old) }
        let opened = try PrivateFile.open(name, in: storage.made(), flags: O_WRONLY | O_CREAT)
        guard let opened else { throw SystemCall.error("create", storage.path(name)) }
        file = opened.descriptor
        files[name] = file
      }
      let count = data.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
      guard count == data.count else { throw SystemCall.error("write", storage.path(name)) }
    }
  }

  public func forget(_ name: String) throws {
    counters.withLock { files in
      if let file = files.removeValue(forKey: name) { close(file) }
    }
    try storage.destroy(name)
  }

  public var risks: [StoreRisk] {
    [
      StoreRisk(
        id: "software-device-key",
        message: "The device key is a file: anyone who can read your account's files can copy it.",
        remedy: "Keep a passcode set. The file alone then opens nothing that requires an unlock.")
    ]
  }
}
