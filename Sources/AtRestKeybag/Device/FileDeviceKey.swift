@_spi(Tools) import AtRestCrypto
import AtRestTPM
import Foundation

/// A device key in a file that only its owner may read (0600), outside the stores that it protects.
///
/// Anyone who can read the file can use the key. The key protects a store that is copied without
/// the key file. It does not protect against anyone who has access to the user's account. ``risks``
/// reports this.
public final class FileDeviceKey: DeviceKeyProvider, ListedDevice {
  private static let magic = Data("AtRestDK".utf8)
  private static let version: UInt16 = 1
  static let fileName = "device.key"

  private let folder: DeviceFolder
  /// The folder of the key.
  var location: URL { folder.storage.folder }
  var storage: FolderStorage { folder.storage }
  private let use: DeviceUse?
  private let key: SecretBytes

  /// The default folder: `atrest/device` in the platform's folder for state, which is separate from
  /// the folder of the stores.
  public static var defaultFolder: URL {
    PlatformFolders().state.appendingPathComponent("device")
  }

  /// Opens the device key in a folder. Nothing is created: ``create(in:)`` and ``openOrCreate(in:)`` make
  /// a new key.
  ///
  /// - Throws: ``AtRestError/Code/deviceMissing`` if the folder has no key;
  ///   ``AtRestError/Code/damaged`` if the file is not a device key;
  ///   ``AtRestError/Code/notPermitted`` if it belongs to another user or other users may read it;
  ///   ``AtRestError/Code/busy`` if another process moves the key to a TPM;
  ///   ``AtRestError/Code/invalidArgument`` if the folder's key is in a TPM;
  ///   ``AtRestError/Code/system`` if the key cannot be read.
  public convenience init(in folder: URL = FileDeviceKey.defaultFolder) throws {
    try self.init(in: folder, patience: FolderLock.usualPatience)
  }

  /// Opens the device key.
  ///
  /// - Parameter patience: The longest time to wait for locks that other threads or processes hold.
  package init(in folder: URL, patience: Duration) throws {
    let storage = FolderStorage(folder, patience: patience)
    self.folder = DeviceFolder(storage, patience: patience)
    guard let use = try DeviceUse.begin(in: folder) else { throw DeviceRoot.missing(in: folder) }
    guard try !TPMDeviceKey.isPresent(in: folder) else {
      throw AtRestError.invalid(
        "The device key of \(folder.path) is in a TPM, not in a file.",
        remedy: "Open it with DeviceRoot.open(in:).")
    }
    guard let present = try Self.stored(in: storage) else {
      throw DeviceRoot.missing(in: folder)
    }
    if try storage.contains(TPMDeviceKey.formerName) {
      // A move out of the TPM was interrupted after it was done. `risks` names the folder until it is
      // gone.
      try? TPMDeviceKey.discard(TPMDeviceKey.formerName, in: folder, TPM())
    }
    self.use = use
    key = present.bytes.duplicate()
  }

  /// Creates a device key in a folder.
  ///
  /// A new folder gets a `CACHEDIR.TAG`. Backup tools that are told to honour this tag leave the
  /// folder out.
  ///
  /// - Parameter folder: The folder of the key. Keep it out of the store, and out of backups of the
  ///   store.
  /// - Throws: ``AtRestError/Code/duplicate`` if the folder has a device key;
  ///   ``AtRestError/Code/deviceMissing`` if it has the records of stores, whose key is gone;
  ///   ``AtRestError/Code/notPermitted`` if other users can write to the folder;
  ///   ``AtRestError/Code/busy`` if another process takes too long to create a key;
  ///   ``AtRestError/Code/system`` if the key cannot be created.
  public static func create(in folder: URL = FileDeviceKey.defaultFolder) throws -> FileDeviceKey {
    let storage = FolderStorage(folder)
    try storage.checkNew()
    try storage.exclusively {
      guard try DeviceRoot.present(in: folder) == nil else {
        throw DeviceRoot.duplicate(in: folder)
      }
      try CacheDirectoryTag.write(into: storage)
      try write(SecretBytes.random(count: 32), into: storage)
    }
    return try FileDeviceKey(in: folder)
  }

  /// Opens the device key in a folder, and creates one if the folder has nothing of a device: neither a
  /// key nor records of stores.
  ///
  /// Call this function only to create a store. If a store exists already and its device folder is
  /// missing, a new key does not open it.
  ///
  /// - Throws: The errors of ``init(in:)`` and ``create(in:)``.
  public static func openOrCreate(
    in folder: URL = FileDeviceKey.defaultFolder
  ) throws -> FileDeviceKey {
    guard try DeviceRoot.present(in: folder) == nil else { return try FileDeviceKey(in: folder) }
    do {
      return try create(in: folder)
    } catch AtRestError.Code.duplicate {
      // Another process created it meanwhile.
      return try FileDeviceKey(in: folder)
    }
  }

  /// Writes the file of a key, durably.
  static func write(_ key: borrowing SecretBytes, into storage: FolderStorage) throws {
    var encoded = encode(key)
    defer { encoded.erase() }
    try storage.replace(fileName, with: encoded)
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

  /// Reads the key of a folder, or returns nil if there is none.
  static func stored(in storage: FolderStorage) throws -> SecretBox? {
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

  public func recall(_ name: String) throws -> Data? { try folder.recall(name) }

  package func names() throws -> [String] { try folder.names() }

  public func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    try folder.exclusively(name, body)
  }

  public func rememberErasing(_ data: Data, as name: String) throws {
    try folder.rememberErasing(data, as: name)
  }

  public func remember(_ data: Data, as name: String, durably: Bool) throws {
    try folder.remember(data, as: name, durably: durably)
  }

  public func forget(_ name: String) throws { try folder.forget(name) }

  private var unerasedRisks: [StoreRisk] {
    let paths = (try? folder.unerased()) ?? []
    guard !paths.isEmpty else { return [] }
    return [
      StoreRisk(
        id: "former-record-in-place",
        message:
          "Former data of \(paths.joined(separator: ", ")) could not be erased: a copy of a store "
          + "from before the last change of its passcode, or from before a wipe, may still open.",
        remedy:
          "Make the device folder and its files writable. The next opening of the store erases them."
      )
    ]
  }

  public var risks: [StoreRisk] {
    TPMDeviceKey.leftoverRisks(in: folder.storage.folder) + unerasedRisks + [
      StoreRisk(
        id: "software-device-key",
        message: "The device key is a file: anyone who can read your account's files can copy it.",
        remedy: DeviceRoot.isTPMExpected
          ? "Move it into this machine's TPM (atrest device move tpm)."
          : "Keep a passcode set. The file alone then opens nothing that requires an unlock. This "
            + "machine has no TPM 2.0, or none that is enabled.")
    ]
  }
}
