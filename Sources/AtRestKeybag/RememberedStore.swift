import AtRestCrypto
import Foundation

/// A store that a device remembers: its key is bound to the device key, and its last passcode too.
///
/// A store whose folder was deleted, or is on a disk that is not mounted, is remembered until
/// ``DeviceRoot/forget(_:in:)``.
package struct RememberedStore: Sendable, Hashable, Codable {
  /// The identity of the store.
  package let identity: StoreIdentity
  /// The folder in which the store was created, or in which it was opened after it was moved. nil if it is
  /// not known.
  package let folder: String?
  /// True if the folder has the store now.
  package let isThere: Bool

  /// The store in words: its identity and its folder.
  package var text: String {
    switch (folder, isThere) {
    case (let folder?, true): "\(identity) in \(folder)"
    case (let folder?, false): "\(identity), last in \(folder), where it is not now"
    case (nil, _): "\(identity), whose folder is not known"
    }
  }

  /// - Parameter device: The device, or nil if its key does not open.
  init(_ identity: StoreIdentity, on device: (any DeviceKeyProvider)?) {
    self.identity = identity
    folder = device.flatMap { try? Self.folder(of: identity, on: $0) }
    isThere = folder.map { Self.contains($0, identity) } ?? false
  }

  /// Returns the stores of a device, except those that were wiped or never came to be.
  package static func all(on device: any DeviceKeyProvider & ListedDevice) throws
    -> [RememberedStore]
  {
    try identities(in: device.names()).compactMap { identity in
      guard let record = try DeviceRecord.load(identity, from: device), record.state != .wiped
      else { return nil }
      let store = RememberedStore(identity, on: device)
      return record.state == .creating && !store.isThere ? nil : store
    }
  }

  /// Returns the identities whose keybag records are among the names of a device's records.
  static func identities(in names: [String]) -> [StoreIdentity] {
    names.filter { $0.hasSuffix(DeviceRecord.suffix) }.compactMap {
      StoreIdentity(text: String($0.dropLast(DeviceRecord.suffix.count)))
    }
  }

  // MARK: Folders

  private static let suffix = ".folder"

  /// Remembers durably where a store is.
  static func remember(
    _ store: StoreIdentity, in folder: URL, on device: any DeviceKeyProvider
  ) throws {
    let path = RealPath.of(folder)
    guard (try? self.folder(of: store, on: device)) != path else { return }
    let box = try key(store, device).seal(Data(path.utf8), context: store.bytes)
    try device.remember(box, as: store.text + suffix, durably: true)
  }

  /// Remembers a store that was opened in a folder, if it is not in the one that is remembered: it was
  /// moved. A copy of it changes nothing. What cannot be written is left for the next opening.
  static func follow(_ store: StoreIdentity, to folder: URL, on device: any DeviceKeyProvider) {
    let known = try? self.folder(of: store, on: device)
    guard known != RealPath.of(folder), known.map({ !contains($0, store) }) ?? true else { return }
    try? remember(store, in: folder, on: device)
  }

  private static func folder(
    of store: StoreIdentity, on device: any DeviceKeyProvider
  ) throws -> String? {
    guard let box = try device.recall(store.text + suffix) else { return nil }
    let path = try key(store, device).open(
      box, context: store.bytes, name: "The device's record of the folder of the store \(store)")
    return String(copying: path)
  }

  private static func key(
    _ store: StoreIdentity, _ device: any DeviceKeyProvider
  ) throws -> SealingKey {
    try SealingKey(
      device.tangle(SecretBytes(store.bytes), purpose: Purpose("atrest.store-folder.v1")))
  }

  /// Returns true if a folder has the keybag of a store, which is not authenticated.
  private static func contains(_ folder: String, _ store: StoreIdentity) -> Bool {
    let storage = FolderStorage(SystemPath.url(folder))
    guard var stored = (try? storage.read(KeybagFile.fileName)).flatMap({ $0 }) else {
      return false
    }
    defer { stored.erase() }
    return (try? KeybagFile.head(of: stored, location: folder))?.store == store
  }

  // MARK: Forgetting

  /// Finishes interrupted wipes, and drops the records of stores whose creation was interrupted before they
  /// had a keybag, as far as that is certain: they were to be in a folder without a keybag, or it is not
  /// known in which.
  ///
  /// - Parameter folder: The folder without a keybag, in which no store is being created.
  static func tidy(for folder: URL?, on device: any DeviceKeyProvider) {
    guard let folder, let listed = device as? any ListedDevice,
      let names = try? listed.names()
    else { return }
    let path = RealPath.of(folder)
    for store in identities(in: names) {
      // A device that is not in order is not changed here. Whoever opens a store is told.
      guard let state = (try? DeviceRecord.load(store, from: device))??.state else { continue }
      if state == .wiped { try? device.releaseHardware(for: DeviceRecord.name(store)) }
      guard state == .creating else { continue }
      // The process that is creating the store has the lock.
      try? Keybag.inTurn(device, store) {
        guard try DeviceRecord.load(store, from: device)?.state == .creating else { return }
        let intended = try self.folder(of: store, on: device)
        guard intended == nil || intended == path else { return }
        try DeviceRecord.wiped.save(store, to: device)
        try forgetRecords(of: store, on: device)
      }
    }
  }

  /// Forgets what a device has of a store that is gone, except that it is.
  static func forgetRecords(of store: StoreIdentity, on device: any DeviceKeyProvider) throws {
    try device.forget(AttemptRecord.name(store))
    try device.forget("\(store.text).counter")
    try device.forget(store.text + suffix)
  }
}
