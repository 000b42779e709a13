import AtRestCrypto
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
  private let key: SecretBytes
  private let counters = Mutex<[String: Int32]>([:])

  /// The folder that is used where none is named: `atrest/device` in the platform's folder for state,
  /// which is not that of stores.
  public static var defaultFolder: URL {
    PlatformFolders().state.appendingPathComponent("device")
  }

  /// Opens the device key in a folder, and makes one where there is none.
  ///
  /// A folder that is made gets a `CACHEDIR.TAG`, by which backup tools leave it out where they are told to
  /// honour it.
  ///
  /// - Parameter folder: Keep it out of the store, and out of backups of the store.
  /// - Throws: ``AtRestError/Code/damaged`` where the file is not a device key;
  ///   ``AtRestError/Code/notPermitted`` where others may read it;
  ///   ``AtRestError/Code/system`` where it cannot be read or made.
  public init(in folder: URL = FileDeviceKey.defaultFolder) throws {
    storage = FolderStorage(folder)
    let storage = storage
    key = try storage.exclusively {
      if let stored = try storage.read(Self.fileName) {
        return try Self.decode(stored, path: storage.path(Self.fileName))
      }
      let key = SecretBytes.random(count: 32)
      try CacheDirectoryTag.write(into: storage)
      try storage.replace(Self.fileName, with: Self.encode(key))
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

  private static func decode(_ stored: Data, path: String) throws -> SecretBytes {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SystemCall.error("inspect", path) }
    guard status.st_mode & 0o077 == 0 else {
      throw AtRestError(
        .notPermitted, "The device key \(path) can be read by other users.",
        remedy: "Run chmod 600 on it, and change the passcode if others used this machine.")
    }
    var stored = stored
    defer { stored.resetBytes(in: 0..<stored.count) }
    return try stored.withUnsafeBytes { bytes -> SecretBox in
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
      let covered = bytes.prefix(reader.offset)
      let check = try reader.fixed(8)
      try reader.finish()
      guard key.authenticationCode(for: Data(covered)).prefix(8).elementsEqual(check) else {
        throw AtRestError.damaged("The device key \(path) was changed.")
      }
      return SecretBox(key)
    }.bytes.duplicate()
  }

  public func tangle(
    _ input: borrowing SecretBytes, purpose: Purpose
  ) throws -> SecretBytes {
    input.withUnsafeBytes { key.derive(purpose, salt: $0) }
  }

  public func recall(_ name: String) throws -> Data? { try storage.read(name) }

  public func remember(_ data: Data, as name: String, durably: Bool) throws {
    if durably { return try storage.replace(name, with: data) }
    // Written in place by one call: short, so a reader sees all of it or nothing of it.
    try counters.withLock { files in
      let file: Int32
      if let open = files[name], Self.isLinked(open) {
        file = open
      } else {
        // Replaced or forgotten since, perhaps by another process: writing there would be in vain.
        if let old = files.removeValue(forKey: name) { close(old) }
        let path = storage.path(name)
        file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw SystemCall.error("create", path) }
        files[name] = file
      }
      let count = data.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
      guard count == data.count else { throw SystemCall.error("write", storage.path(name)) }
    }
  }

  private static func isLinked(_ file: Int32) -> Bool {
    var status = stat()
    return fstat(file, &status) == 0 && status.st_nlink > 0
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
