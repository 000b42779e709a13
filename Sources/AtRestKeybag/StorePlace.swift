@_spi(Tools) import AtRestCrypto
import Foundation

/// The device's record of the store that belongs in a folder.
///
/// An empty folder may be new, or its store may have been removed, or its disk may not be mounted.
/// Only this record distinguishes the first case from the others. See `docs/Formats.md`, *Device
/// folder*.
struct StorePlace {
  /// The folder's path with links resolved, and the path as given if it is different.
  ///
  /// The device remembers the store under both paths. The resolved path is the same for every way
  /// to the folder, and the given path still finds the store after a link was removed.
  private let paths: [String]
  private let folder: URL

  init(_ folder: URL) {
    self.folder = folder
    let named = SystemPath.url(folder.path).path
    let real = RealPath.of(folder)
    paths = named == real ? [real] : [real, named]
  }

  /// Returns the store that belongs in the folder. The set is empty if the device remembers none.
  ///
  /// The set has two stores if the folder of a store was replaced by a link to the folder of
  /// another store. In that case, neither of them is the right one.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if a record was modified or truncated.
  func stores(on device: any DeviceKeyProvider) throws -> Set<StoreIdentity> {
    var stores: Set<StoreIdentity> = []
    for path in paths {
      guard let stored = try device.recall(Self.name(path, device)) else { continue }
      stores.insert(try Self.decoded(stored, path, device))
    }
    return stores
  }

  /// Remembers durably which store belongs in the folder, in place of the earlier record.
  func remember(_ store: StoreIdentity, on device: any DeviceKeyProvider) throws {
    for path in paths {
      let record = store.bytes + (try Self.key(path, device).authenticationCode(for: store.bytes))
      let name = try Self.name(path, device)
      guard try device.recall(name) != record else { continue }
      try device.remember(record, as: name, durably: true)
    }
    try RememberedStore.remember(store, in: folder, on: device)
  }

  /// Forgets which store belongs in the folder.
  ///
  /// - Parameter store: The store to forget; a record of another store is kept. nil forgets any
  ///   store, even if the record is damaged.
  func forget(_ store: StoreIdentity? = nil, on device: any DeviceKeyProvider) throws {
    for path in paths {
      let name = try Self.name(path, device)
      if let store {
        guard let stored = try device.recall(name), stored.prefix(16) == store.bytes else {
          continue
        }
      }
      try device.forget(name)
    }
  }

  /// Forgets a store under every path, whose records are among those with the given names.
  static func forget(
    _ store: StoreIdentity, among names: [String], on device: any DeviceKeyProvider
  ) throws {
    for name in names where name.hasPrefix(prefix) {
      if try device.recall(name)?.prefix(StoreIdentity.count) == store.bytes {
        try device.forget(name)
      }
    }
  }

  // MARK: Layout

  private static let prefix = "place-"

  private static func decoded(
    _ stored: Data, _ path: String, _ device: any DeviceKeyProvider
  ) throws -> StoreIdentity {
    let key = SecretBox(try key(path, device))
    return try stored.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The device's record of \(path)")
      let store = Data(try reader.fixed(16))
      let code = Data(try reader.fixed(32))
      try reader.finish()
      guard key.bytes.isValid(authenticationCode: code, for: store) else {
        throw AtRestError.damaged(
          "The device's record of the store in \(path) was modified.",
          remedy: "If the store is the right one, let the device forget the record: "
            + "StoreLocation.forgetStore().")
      }
      return StoreIdentity(store)
    }
  }

  /// Returns a name that does not reveal the path to anyone who can only list the device folder.
  private static func name(_ path: String, _ device: any DeviceKeyProvider) throws -> String {
    let mark = try device.tangle(
      SecretBytes(utf8: path), purpose: Purpose("atrest.store-place-name.v1"))
    return "\(prefix)\(StoreIdentity(Data(copying: mark).prefix(16)).text)"
  }

  private static func key(_ path: String, _ device: any DeviceKeyProvider) throws -> SecretBytes {
    try device.tangle(SecretBytes(utf8: path), purpose: Purpose("atrest.store-place.v1"))
  }
}
