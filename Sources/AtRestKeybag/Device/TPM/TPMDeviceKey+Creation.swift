import AtRestCrypto
import AtRestTPM
import Foundation

extension TPMDeviceKey {
  static let newName = "\(folderName).new"
  static let formerName = "\(folderName).former"
  /// The kind of a recovery key: 32 random bytes.
  static let recoveryKeyCount = 32

  /// A new device key, and its recovery key if the key is bound to PCRs.
  public struct Creation: Sendable {
    /// The device key.
    public let device: TPMDeviceKey
    private let recovery: SecretBox?

    init(device: TPMDeviceKey, recovery: SecretBox?) {
      self.device = device
      self.recovery = recovery
    }

    /// The recovery key, 32 bytes, which is stored nowhere. The key is nil without a PCR policy.
    public func recoveryKey() -> SecretBytes? {
      guard let recovery else { return nil }
      return recovery.bytes.duplicate()
    }
  }

  /// Creates a device key in the TPM.
  ///
  /// - Parameters:
  ///   - folder: The folder of the key. Keep it out of the store.
  ///   - pcrs: The platform configuration registers, 0 to 23 (SHA-256 bank), whose values must be the
  ///     same whenever the key is opened. Each update of firmware or of the boot loader changes some
  ///     of them, so the default is none. With a policy, keep the recovery key: it opens the device
  ///     key after such a change (``reseal(in:recoveryKey:pcrs:)``).
  /// - Throws: ``AtRestError/Code/duplicate`` if the folder has a device key;
  ///   ``AtRestError/Code/deviceUnavailable`` if no TPM can be used;
  ///   ``AtRestError/Code/notPermitted`` if the user may not use the TPM, its owner hierarchy has a
  ///   password, or other users can write to the folder; ``AtRestError/Code/busy``;
  ///   ``AtRestError/Code/system``.
  public static func create(in folder: URL, pcrs: [Int] = []) throws -> Creation {
    try create(in: folder, pcrs: pcrs, transport: TPM.defaultTransport)
  }

  package static func create(
    in folder: URL, pcrs: [Int] = [], transport: String, clock: BootClock = .system,
    interval: UInt64 = AnchoredRecords.usualInterval
  ) throws -> Creation {
    let storage = FolderStorage(folder)
    try storage.checkNew()
    let recovery = try storage.exclusively {
      guard try DeviceRoot.present(in: folder) == nil else {
        throw AtRestError(
          .duplicate, "There is already a device key in \(folder.path).",
          remedy: "Use it, or choose another folder (--device, ATREST_DEVICE).")
      }
      try CacheDirectoryTag.write(into: storage)
      return try install(
        .random(count: 32), records: [:], pcrs: pcrs, in: folder, transport: transport,
        clock: clock)
    }
    return Creation(
      device: try TPMDeviceKey(
        in: folder, transport: transport, clock: clock, interval: interval),
      recovery: recovery)
  }

  /// Seals a device key in the TPM, and gives the folder everything that belongs to it at once, by a
  /// rename. Returns the recovery key if there is a policy.
  static func install(
    _ key: consuming SecretBytes, records: [String: Data], pcrs: [Int], in folder: URL,
    transport: String, clock: BootClock
  ) throws -> SecretBox? {
    let key = SecretBox(key)
    let tpm = TPM(transport: transport)
    // What an interrupted call left behind has a counter of its own.
    try? discard(newName, in: folder, tpm)
    let recovery = pcrs.isEmpty ? nil : SecretBox(.random(count: recoveryKeyCount))
    let policy = pcrs.isEmpty ? nil : try TPMPolicy(pcrs: pcrs)
    let new = FolderStorage(folder.appendingPathComponent(newName), followsLink: false)
    try tpm.perform { connection in
      let sealed = try connection.seal(key.bytes.duplicate(), policy: policy)
      let (counter, value) = try connection.defineCounter(
        authorization: DeviceCounter.authorization(key.bytes))
      do {
        let file = TPMDeviceFile(
          primary: try connection.primaryName(), key: sealed, counter: counter,
          recovery: try recovery.map { try wrap(key, under: $0) } ?? Data())
        try new.replace(TPMDeviceFile.name, with: file.encoded(key.bytes))
        let files = try AnchoredRecords.initial(
          records, value: value, deviceKey: key.bytes, clock: clock)
        for (name, data) in files { try new.replace(name, with: data) }
        let parent = try FolderStorage(folder).made()
        guard parent.rename(newName, to: folderName) else {
          throw SystemCall.error("create the folder", storage(in: folder).location)
        }
        try parent.flush()
      } catch {
        try? connection.undefine(counter)
        throw error
      }
    }
    return recovery
  }

  static func wrap(_ key: SecretBox, under recovery: SecretBox) throws -> Data {
    try recoveryWrap(recovery).wrap(key.bytes)
  }

  static func recoveryWrap(_ recovery: SecretBox) throws -> WrappingKey {
    try WrappingKey(recovery.bytes.derive(Purpose("atrest.tpm-recovery.v1")))
  }

  // MARK: Removal

  /// Removes a folder of this kind of key that is not in use any more, and its counter.
  static func discard(_ name: String, in folder: URL, _ tpm: TPM) throws {
    guard let subfolder = try FolderStorage(folder).opened()?.folder(name) else { return }
    let storage = FolderStorage(folder.appendingPathComponent(name), followsLink: false)
    if let stored = try storage.read(TPMDeviceFile.name),
      let file = try? TPMDeviceFile.decoded(stored, path: storage.location)
    {
      try? tpm.perform { try $0.undefine(file.counter) }
    }
    for name in try subfolder.names() {
      let name = String(decoding: name, as: UTF8.self)
      // A file under replacement is destroyed with the file that it belongs to.
      try storage.destroy(name)
    }
    guard try FolderStorage(folder).opened()?.removeFolder(name) ?? true else {
      throw SystemCall.error("remove", storage.location)
    }
  }

  /// Finishes a move into the TPM: destroys the key file and the records beside it.
  static func removeLeftovers(in folder: URL) throws {
    let storage = FolderStorage(folder)
    guard try storage.contains(FileDeviceKey.fileName) else { return }
    for name in try DeviceFolder(storage, patience: .zero).names() { try storage.destroy(name) }
    // The key is destroyed last, so that an interrupted removal is recognised.
    try storage.destroy(FileDeviceKey.fileName)
  }
}
