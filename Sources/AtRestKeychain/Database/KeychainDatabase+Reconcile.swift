import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// Makes the items match the class keys of the keybag, before any query is answered.
extension KeychainDatabase {
  var passcodeClassID: UInt64 { keybag.keyID(of: .whenPasscodeSetThisDeviceOnly) ?? 0 }

  /// Deletes the when-passcode-set items whose class key is gone. Seals the other items under the
  /// present set of class keys once the class keys of the former and the present set are in memory.
  func reconcile(_ session: Session) throws {
    guard !isInTransaction else { return }
    if session.index.head.passcodeClassID != passcodeClassID {
      try transaction(session) { try removePasscodeItems(session) }
      anchor.raise(to: session.index.head, durably: false)
    }
    if session.index.head.keySet != UInt64(keybag.keySet), canRewrap {
      try transaction(session) { try rewrap(session) }
      anchor.raise(to: session.index.head, durably: false)
    }
  }

  private func removePasscodeItems(_ session: Session) throws {
    // Checked again: the beginning of the transaction may have read the changes of another process.
    let present = passcodeClassID
    guard session.index.head.passcodeClassID != present else { return }
    if session.index.head.passcodeClassID != 0 {
      let number = KeyClass.whenPasscodeSetThisDeviceOnly.rawValue
      var entries: [IndexEntry] = []
      try session.index.forEach { if $0.info.keyClassNumber == number { entries.append($0) } }
      for entry in entries { try session.remove(entry) }
      KeychainLog.logger.notice(
        "Deleted the items stored as when-passcode-set", metadata: ["items": "\(entries.count)"])
    }
    session.index.setKeys(passcodeClassID: present)
  }

  /// True if every class key of the current set and of the items' set is in memory, except the key
  /// for when-passcode-set items.
  private var canRewrap: Bool {
    KeyClass.allCases.allSatisfy {
      $0 == .whenPasscodeSetThisDeviceOnly
        || keybag.isAvailable($0) && keybag.isAvailable($0, set: classKeys.set)
    }
  }

  /// Wraps the key of every item and seals its metadata under the current class keys, except for
  /// when-passcode-set items. A damaged item stays as it is.
  private func rewrap(_ session: Session) throws {
    let former = UInt32(truncatingIfNeeded: session.index.head.keySet)
    let present = keybag.keySet
    guard former != present else { return }
    var entries: [IndexEntry] = []
    try session.index.forEach { entries.append($0) }
    for entry in entries.sorted(by: { $0.id < $1.id })
    where entry.info.keyClassNumber != KeyClass.whenPasscodeSetThisDeviceOnly.rawValue {
      guard var row = try session.row(id: entry.id), row.entry == entry else { continue }
      let (_, accessibility) = try entry.info.parts()
      do {
        try rewrap(&row, accessibility, from: former, to: present)
      } catch AtRestError.Code.damaged {
        continue
      }
      try session.store(row)
    }
    KeychainLog.logger.notice(
      "Sealed the items under new class keys", metadata: ["items": "\(entries.count)"])
    session.index.setKeys(keySet: UInt64(present))
  }

  private func rewrap(
    _ row: inout ItemRow, _ accessibility: Accessibility, from former: UInt32, to present: UInt32
  ) throws {
    func metadataKey(_ set: UInt32) throws -> SymmetricKey {
      try classKeys.metadataKey(accessibility, generation: row.generation, set: set)
        .bytes.symmetricKey()
    }
    let context = row.context(.metadata)
    let metadata = try row.metadata.withUnsafeBytes {
      try GCM.open($0, key: metadataKey(former), context: context, name: "An item")
    }
    if row.info.flags.contains(.secret) {
      let key = try WrappingKey(classKeys.wrapKey(accessibility, set: former).bytes.duplicate())
        .unwrap(row.wrappedKey, name: "The key of item \(row.id)")
      row.wrappedKey = try WrappingKey(
        classKeys.wrapKey(accessibility, set: present).bytes.duplicate()
      ).wrap(key)
    }
    row.metadata = try GCM.seal([UInt8](metadata), key: metadataKey(present), context: context)
  }
}
