import AtRestCrypto
import AtRestTPM
import Foundation

extension TPMDeviceKey {
  static let newName = "\(folderName).new"
  static let formerName = "\(folderName).former"
  /// The kind of a recovery key: 32 random bytes.
  static let recoveryKeyCount = 32

  /// A new device key, and its recovery key if the key is bound to PCRs.
  package struct Creation: Sendable {
    /// The device key.
    package let device: TPMDeviceKey
    private let recovery: SecretBox?

    init(device: TPMDeviceKey, recovery: SecretBox?) {
      self.device = device
      self.recovery = recovery
    }

    /// The recovery key, 32 bytes, which is stored nowhere. The key is nil without a PCR policy.
    package func recoveryKey() -> SecretBytes? {
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
  package static func create(in folder: URL, pcrs: [Int] = []) throws -> Creation {
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
        throw DeviceRoot.duplicate(in: folder)
      }
      try CacheDirectoryTag.write(into: storage)
      let recovery = try install(
        .random(count: 32), records: [:], pcrs: pcrs, in: folder, transport: transport,
        clock: clock)
      try storage.made().flush()
      return recovery
    }
    return Creation(
      device: try TPMDeviceKey(
        in: folder, transport: transport, clock: clock, interval: interval),
      recovery: recovery)
  }

  /// Seals a device key in the TPM, and gives the folder everything that belongs to it at once, by a
  /// rename. Returns the recovery key if there is a policy. The caller flushes the folder, and destroys nothing
  /// before that.
  static func install(
    _ key: consuming SecretBytes, records: [String: Data], pcrs: [Int], in folder: URL,
    transport: String, clock: BootClock
  ) throws -> SecretBox? {
    let key = SecretBox(key)
    let tpm = TPM(transport: transport)
    // What an interrupted call left behind has counters of its own.
    try discard(newName, in: folder, tpm)
    let recovery = pcrs.isEmpty ? nil : SecretBox(.random(count: recoveryKeyCount))
    let policy = pcrs.isEmpty ? nil : try TPMPolicy(pcrs: pcrs)
    let new = FolderStorage(folder.appendingPathComponent(newName), followsLink: false)
    try tpm.perform { connection in
      let sealed = try connection.seal(key.bytes.duplicate(), policy: policy)
      let (counter, value) = try connection.defineCounter(
        authorization: DeviceCounter.authorization(key.bytes))
      var made = [counter]
      do {
        let file = TPMDeviceFile(
          primary: try connection.primaryName(), key: sealed, counter: counter,
          recovery: try recovery.map { try wrap(key, under: $0) } ?? Data())
        try new.replace(TPMDeviceFile.name, with: file.encoded(key.bytes))
        let files = try AnchoredRecords.initial(
          records, value: value, deviceKey: key.bytes, clock: clock
        ) { name, data in
          guard DeviceRecord.isSecret(data, name: name) else { return nil }
          let sealed = try RecordSeals.sealed(
            data, on: connection, authorization: DeviceCounter.authorization(key.bytes))
          made.append(sealed.counter)
          return sealed
        }
        for (name, data) in files { try new.replace(name, with: data) }
        let parent = try FolderStorage(folder).made()
        guard parent.rename(newName, to: folderName) else {
          throw SystemCall.error("create the folder", storage(in: folder).location)
        }
        // From here on, the key is the one in the TPM, so its counters stay, whatever fails.
      } catch {
        // The error counts. If this fails too, the next call finds the counters in `tpm.new`, or
        // `atrest device counters` shows them.
        for counter in made { try? connection.undefine(counter) }
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

  /// Returns the counters that a folder of this kind of key names, each with the store whose record it
  /// seals, or nil for the counter of the device. Nothing is authenticated.
  static func counters(_ name: String, in folder: URL) throws -> [TPMCounter: StoreIdentity?] {
    let storage = FolderStorage(folder.appendingPathComponent(name), followsLink: false)
    var counters: [TPMCounter: StoreIdentity?] = [:]
    if let stored = try storage.read(TPMDeviceFile.name),
      let file = try? TPMDeviceFile.decoded(stored, path: storage.location)
    {
      counters.updateValue(nil, forKey: file.counter)
    }
    for name in try DeviceFolder(storage, patience: .zero).names() {
      guard let stored = try storage.read(name),
        let counter = AnchoredRecord.counter(in: stored, name: name)
      else { continue }
      let store = StoreIdentity(text: String(name.dropLast(DeviceRecord.suffix.count)))
      counters.updateValue(store, forKey: counter)
    }
    return counters
  }

  /// Returns the counters of a folder whose files are authentic, so that a file that somebody put there
  /// does not name the counters of others.
  private static func ownCounters(
    _ name: String, in folder: URL, _ connection: TPMConnection
  ) throws -> [TPMCounter] {
    let storage = FolderStorage(folder.appendingPathComponent(name), followsLink: false)
    let path = storage.path(TPMDeviceFile.name)
    guard let stored = try storage.read(TPMDeviceFile.name) else { return [] }
    let file = try TPMDeviceFile.decoded(stored, path: path)
    let key = SecretBox(try unsealed(file, connection))
    try check(stored, key.bytes, path: path)
    let authenticator = try MessageAuthenticator(AnchoredRecords.recordKey(key.bytes))
    return try DeviceFolder(storage, patience: .zero).names().reduce(into: [file.counter]) {
      counters, name in
      if let record = try storage.read(name),
        AnchoredRecord(record, name: name, authenticator) != nil,
        let counter = AnchoredRecord.counter(in: record, name: name)
      {
        counters.append(counter)
      }
    }
  }

  /// Removes a folder of this kind of key that is not in use any more, and its counters.
  ///
  /// - Parameter isForced: True to go on if the counters cannot be freed.
  static func discard(
    _ name: String, in folder: URL, _ tpm: TPM, isForced: Bool = true
  ) throws {
    let parent = try FolderStorage(folder).opened()
    guard let parent, let subfolder = try parent.folder(name) else { return }
    // What the folder has in its place must outlast a power loss before this goes.
    try parent.flush()
    let storage = FolderStorage(folder.appendingPathComponent(name), followsLink: false)
    do {
      try tpm.perform { connection in
        for counter in try ownCounters(name, in: folder, connection) {
          try connection.undefine(counter)
        }
      }
    } catch  where isForced {
      // The memory of the TPM is all that is lost. `atrest device counters` shows it.
    }
    for name in try subfolder.names() {
      let name = String(decoding: name, as: UTF8.self)
      // A file under replacement is destroyed with the file that it belongs to.
      try storage.destroy(name)
    }
    guard parent.removeFolder(name) else {
      throw SystemCall.error("remove", storage.location)
    }
  }
}
