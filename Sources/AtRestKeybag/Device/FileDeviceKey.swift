import AtRestCrypto
import CAtRestSystem
import Foundation
import Synchronization

/// A device key in a file that only its owner may read (0600), outside of the stores it guards.
///
/// Whoever can read the file can use the key: it protects a store that is copied without it, not
/// against someone who has the user's account. ``risks`` says so.
public final class FileDeviceKey: DeviceKeyProvider {
  private static let magic = Data("AtRestDK".utf8)
  private static let version: UInt16 = 1
  private static let fileName = "device.key"

  private let storage: FolderStorage
  private let patience: Duration
  private let key: SecretBytes
  private let counters = Mutex<[String: Int32]>([:])
  private let locks = Mutex<[String: FolderLock]>([:])

  /// The folder that is used where none is named: `atrest/device` in the platform's folder for state,
  /// which is not that of stores.
  public static var defaultFolder: URL {
    PlatformFolders().state.appendingPathComponent("device")
  }

  /// Opens the device key in a folder, and makes one if there is none.
  ///
  /// A folder that is made gets a `CACHEDIR.TAG`, by which backup tools leave it out where they are told to
  /// honour it.
  ///
  /// - Parameter folder: Keep it out of the store, and out of backups of the store.
  /// - Throws: ``AtRestError/Code/damaged`` if the file is not a device key;
  ///   ``AtRestError/Code/notPermitted`` if it belongs to another user or others may read it, and
  ///   if there is none and others can write to the folder;
  ///   ``AtRestError/Code/busy`` if another process makes one for too long;
  ///   ``AtRestError/Code/system`` if it cannot be read or made.
  public convenience init(in folder: URL = FileDeviceKey.defaultFolder) throws {
    try self.init(in: folder, patience: FolderLock.usualPatience)
  }

  /// Opens or makes the device key.
  ///
  /// - Parameter patience: How long to wait for the locks of others.
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
      // Another process may have made one since.
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
        remedy: "Run chmod 600 on it, and change the passcode if others used this machine.")
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
        throw AtRestError(
          .unsupportedVersion, "\(path) has version \(found), and \(version) is known.",
          remedy: "Use a later version of AtRest.")
      }
      let key = SecretBytes(copying: try reader.fixed(32))
      let covered = UnsafeRawBufferPointer(rebasing: bytes.prefix(reader.offset))
      let check = try reader.fixed(8)
      try reader.finish()
      guard key.authenticationCode(for: covered).prefix(8).elementsEqual(check) else {
        throw AtRestError.damaged("The device key \(path) was changed.")
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
      // A process ended here in the middle of a change, unless the change is under way now.
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
    // Written in place by one call: short, so a reader sees all of it or nothing of it.
    try counters.withLock { files in
      let file: Int32
      if let open = files[name], atrest_is_linked(open) == 1 {
        file = open
      } else {
        // Replaced or forgotten since, perhaps by another process: writing there would be in vain.
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

  public var risks: [Risk] {
    [
      Risk(
        id: "software-device-key",
        message: "The device key is a file: whoever can read your account can copy it.",
        remedy: "Keep a passcode set: the file alone then opens nothing that needs an unlock.")
    ]
  }
}
