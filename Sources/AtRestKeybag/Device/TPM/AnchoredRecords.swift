import AtRestCrypto
import AtRestTPM
import Foundation
import Synchronization

/// The records of a device whose key is in a TPM.
///
/// A step of the TPM's counter fixes all records: none can be put back to a state from before it,
/// even if the whole folder is put back. Between two steps, a record can be put back to any state
/// that it had since the last one. A step is taken with each change of a keybag, and otherwise with
/// the first write that comes ``interval`` seconds after the last step, because the TPM's memory
/// wears out.
///
/// A record that is secret is also sealed by the TPM: see ``RecordSeals``.
final class AnchoredRecords: Sendable {
  /// The shortest time in seconds between two steps that no change of a keybag demands.
  static let usualInterval: UInt64 = 600

  private struct Known {
    var anchor: DeviceAnchor
    var mark: ChangeMark
  }

  private let folder: DeviceFolder
  private let counter: DeviceCounter
  private let seals: RecordSeals
  private let authenticator: MessageAuthenticator
  private let anchorKey: SecretBox
  private let clock: BootClock
  private let interval: UInt64
  private let known: Mutex<Known>

  /// Reads the anchor of a folder, and compares it with the counter.
  ///
  /// - Parameter value: The present value of the counter.
  /// - Throws: ``AtRestError/Code/rolledBack`` if the folder was put back to an earlier state;
  ///   ``AtRestError/Code/damaged`` if its anchor is missing or was modified.
  init(
    _ folder: DeviceFolder, _ counter: DeviceCounter, value: UInt64,
    deviceKey: borrowing SecretBytes, clock: BootClock, interval: UInt64
  ) throws {
    self.folder = folder
    self.counter = counter
    seals = RecordSeals(counter.tpm, deviceKey: deviceKey)
    self.clock = clock
    self.interval = interval
    authenticator = try MessageAuthenticator(Self.recordKey(deviceKey))
    anchorKey = SecretBox(Self.anchorKey(deviceKey))
    let (anchor, mark) = try Self.read(folder, anchorKey)
    known = Mutex(Known(anchor: anchor, mark: mark))
    // The anchor is written before the step that it prepares, so it may be one ahead.
    guard anchor.value == value || anchor.value == value + 1 else {
      throw anchor.value < value
        ? rolledBack("The device folder \(folder.storage.location) is older")
        : counter.refusal
    }
    if anchor.isOlder(than: interval, at: clock.now()), try hasNewRecords(anchor) {
      // Without this, writes just after a step could be put back until the next write.
      // The next write, or the next opening, tries again.
      try? lock.exclusively { try step() }
    }
  }

  static func recordKey(_ deviceKey: borrowing SecretBytes) -> SecretBytes {
    deviceKey.derive(Purpose("atrest.anchored-record.v1"))
  }

  static func anchorKey(_ deviceKey: borrowing SecretBytes) -> SecretBytes {
    deviceKey.derive(Purpose("atrest.device-anchor.v1"))
  }

  private var lock: FolderLock { folder.lock(DeviceAnchor.name) }

  // MARK: Reading

  func recall(_ name: String) throws -> Data? {
    // A record or the anchor may be replaced between the two reads.
    for _ in 0..<3 {
      var data: Data?
      guard case .success(let record) = try judge(name, try anchor(), data: &data) else {
        continue
      }
      guard let record, record.isSealed, let stored = data else { return data }
      if let opened = try seals.data(in: stored, name: name) { return opened }
    }
    return try lock.exclusively { try valid(name, anchor()) }
  }

  /// Returns the data of a record, or throws the reason why it is not valid.
  private func valid(_ name: String, _ anchor: DeviceAnchor) throws -> Data? {
    var data: Data?
    let record = try judge(name, anchor, data: &data).get()
    guard let record, record.isSealed, let stored = data else { return data }
    guard let opened = try seals.data(in: stored, name: name) else {
      throw rolledBack("The TPM does not open the record \(name): it is older")
    }
    return opened
  }

  private func judge(
    _ name: String, _ anchor: DeviceAnchor
  ) throws -> Result<AnchoredRecord?, AtRestError> {
    var data: Data?
    defer { data?.erase() }
    return try judge(name, anchor, data: &data)
  }

  /// Reads a record. The result is a failure if it does not belong to the present state of the device.
  ///
  /// - Parameter data: The data of the record, which may be secret, so the caller erases it.
  private func judge(
    _ name: String, _ anchor: DeviceAnchor, data: inout Data?
  ) throws -> Result<AnchoredRecord?, AtRestError> {
    let listed = anchor.records[name]
    guard var stored = try folder.recall(name) else {
      return listed == nil
        ? .success(nil)
        : .failure(rolledBack("The record \(name) is gone. The device folder is older"))
    }
    defer { stored.erase() }
    guard let record = AnchoredRecord(stored, name: name, authenticator) else {
      return .failure(
        AtRestError(
          .damaged, "The device's record \(folder.storage.path(name)) was modified.",
          remedy: "Put the device folder back as it was, or restore a backup into a new store.",
          cause: AnchoredRecord.Invalid()))
    }
    // A record that was forgotten, and that a crash left behind, is none. The next step removes it.
    let isLeft = record.isForgotten && listed == nil
    guard record.value == anchor.value || record.tag == listed || isLeft else {
      return .failure(rolledBack("The record \(name) is older"))
    }
    if !record.isForgotten { data = AnchoredRecord.data(in: stored) }
    return .success(record)
  }

  private func hasNewRecords(_ anchor: DeviceAnchor) throws -> Bool {
    try folder.names().contains { name in
      if case .success(let record?) = try judge(name, anchor) {
        record.tag != anchor.records[name]
      } else {
        false
      }
    }
  }

  /// Returns the present anchor, which another process may have replaced.
  private func anchor() throws -> DeviceAnchor {
    try known.withLock { known in
      if try ChangeMark(of: DeviceAnchor.name, in: folder.storage) == known.mark {
        return known.anchor
      }
      let (anchor, mark) = try Self.read(folder, anchorKey)
      guard anchor.value >= known.anchor.value else {
        throw rolledBack("The device folder \(folder.storage.location) is older")
      }
      known = Known(anchor: anchor, mark: mark)
      return anchor
    }
  }

  private static func read(
    _ folder: DeviceFolder, _ key: SecretBox
  ) throws -> (DeviceAnchor, ChangeMark) {
    let path = folder.storage.path(DeviceAnchor.name)
    // The mark is taken first: if the file is replaced meanwhile, it is read once more.
    guard let mark = try ChangeMark(of: DeviceAnchor.name, in: folder.storage),
      let stored = try folder.storage.read(DeviceAnchor.name)
    else {
      throw AtRestError.damaged(
        "\(path) is missing.",
        remedy: "Put the device folder back as it was, or restore a backup into a new store.")
    }
    return (try DeviceAnchor(stored, path: path, authenticatedBy: key.bytes), mark)
  }

  private func rolledBack(_ what: String) -> AtRestError {
    AtRestError(
      .rolledBack, "\(what) than the TPM remembers.",
      remedy: "Put the current device folder back, or restore a backup into a new store with "
        + "another device folder.", cause: AnchoredRecord.Invalid())
  }

  // MARK: Writing

  /// Runs a closure that writes an encoded record, and takes a step if one is due.
  ///
  /// - Parameters:
  ///   - data: The data of the record, or nil to forget it.
  func write(_ data: Data?, as name: String, _ body: (Data) throws -> Void) throws {
    try lock.exclusively {
      let anchor = try anchor()
      var stored = AnchoredRecord.encoded(data, name: name, value: anchor.value, authenticator)
      defer { stored.erase() }
      try body(stored)
      if anchor.isOlder(than: interval, at: clock.now()) {
        // The record is written. The next write tries again.
        try? step()
      }
    }
  }

  /// Seals the data of a secret record, runs a closure that writes it, and fixes it by a step before the
  /// call returns. The TPM then refuses the former data.
  func writeSecret(_ data: Data, as name: String, _ body: (Data) throws -> Void) throws {
    try lock.exclusively {
      let value = try anchor().value
      let former = try sealedRecord(name)
      try counter.tpm.perform { connection in
        let isNamed = { (counter: TPMCounter) in
          do { return try self.sealedRecord(name)?.counter == counter } catch { return true }
        }
        try seals.replace(former, with: data, name: name, on: connection, naming: isNamed) {
          sealed in
          try body(
            AnchoredRecord.encoded(
              sealed, isSealed: true, name: name, value: value, authenticator))
        }
        try step(on: connection)
      }
    }
  }

  /// Runs a closure that writes a record whose data is not secret any more, and frees its counter.
  func writeUnsealed(_ name: String, _ body: (Data) throws -> Void) throws {
    let counter: TPMCounter? = try lock.exclusively {
      let anchor = try anchor()
      guard let former = try sealedRecord(name), let data = try valid(name, anchor) else {
        return nil
      }
      try body(
        AnchoredRecord.encoded(data, name: name, value: anchor.value, authenticator))
      return former.counter
    }
    if let counter { try seals.free(counter) }
  }

  /// Returns the sealed record of a name, whatever the state that it is from, or nil if there is none.
  private func sealedRecord(_ name: String) throws -> SealedRecord? {
    guard let stored = try folder.recall(name),
      let record = AnchoredRecord(stored, name: name, authenticator), record.isSealed
    else { return nil }
    return try SealedRecord(AnchoredRecord.data(in: stored), name: name)
  }

  /// Fixes all records: writes an anchor that lists them, and then steps the counter. Call this
  /// method only while holding the lock.
  private func step() throws { try counter.tpm.perform { try step(on: $0) } }

  private func step(on connection: TPMConnection) throws {
    let anchor = try anchor()
    // A record that is not valid now stays invalid: the entry of the last anchor is kept.
    var records = anchor.records
    var forgotten: [String] = []
    for name in try folder.names() {
      guard case .success(let record?) = try judge(name, anchor) else { continue }
      // After a power loss, the file must still be the one that the anchor lists.
      if record.tag != anchor.records[name] { try folder.flush(name) }
      records[name] = record.isForgotten ? nil : record.tag
      if record.isForgotten { forgotten.append(name) }
    }
    let next = DeviceAnchor(value: anchor.value + 1, at: clock.now(), records: records)
    try counter.step(from: anchor.value, on: connection) {
      let stored = next.encoded(anchorKey.bytes)
      try folder.storage.replace(DeviceAnchor.name, with: stored)
      _ = try self.anchor()
    }
    for name in forgotten { try folder.forget(name) }
  }

  /// The anchor and the stored records of a device that gets a TPM.
  ///
  /// - Parameter seal: Returns the sealed form of a record, or nil if it is not secret.
  static func initial(
    _ records: [String: Data], value: UInt64, deviceKey: borrowing SecretBytes, clock: BootClock,
    sealing seal: (String, Data) throws -> SealedRecord?
  ) throws -> [String: Data] {
    let authenticator = try MessageAuthenticator(recordKey(deviceKey))
    var files: [String: Data] = [:]
    for (name, data) in records {
      let sealed = try seal(name, data)
      files[name] = AnchoredRecord.encoded(
        sealed?.encoded ?? data, isSealed: sealed != nil, name: name, value: value,
        authenticator)
    }
    let tags = files.mapValues { Data($0.suffix(AnchoredRecord.tagCount)) }
    files[DeviceAnchor.name] = DeviceAnchor(value: value, at: clock.now(), records: tags)
      .encoded(anchorKey(deviceKey))
    return files
  }

  /// Returns the names of the records that are not forgotten.
  func names() throws -> [String] {
    let anchor = try anchor()
    return try Set(folder.names()).union(anchor.records.keys).filter {
      try judge($0, anchor).get()?.isForgotten == false
    }
  }

  /// Returns the data of every valid record, which the caller erases.
  func all() throws -> [String: Data] {
    try lock.exclusively {
      let anchor = try anchor()
      return try Set(folder.names()).union(anchor.records.keys).reduce(into: [:]) { all, name in
        all[name] = try valid(name, anchor)
      }
    }
  }
}
