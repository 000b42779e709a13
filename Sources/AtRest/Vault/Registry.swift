@_spi(Tools) import AtRestCrypto
import Crypto
import Foundation

/// The vault's data about itself, in one keychain item: the installation to which the vault
/// belongs, its compartments, and the logouts that are not finished. See `docs/Formats.md`, *The
/// Vault's registry*.
///
/// The registry is readable without an unlock, and therefore contains no account names:
/// compartments are found by a keyed hash of the name.
package struct Registry {
  struct Entry: Hashable {
    let nameHash: Data
    let compartment: Data
  }

  var installation: Data
  private let nameKey: SecretBox
  var entries: [Entry]
  /// Former compartments whose items are gone, and whose files and caches must still be removed.
  var cleanups: [Data]
  /// The reason why the account of some compartments is unknown, in a registry that was rebuilt
  /// after damage; otherwise nil. A registry with a gap is not saved.
  var gap: AtRestError?
  /// The compartments whose account is unknown.
  var unnamed: [Data] = []

  private static let version: UInt8 = 1
  static let idCount = 16

  /// Creates the registry of a new vault.
  package init() { self.init(installation: RandomBytes.data(count: Self.idCount)) }

  init(installation: Data) {
    self.installation = installation
    nameKey = SecretBox(.random(count: 32))
    entries = []
    cleanups = []
  }

  /// Returns the compartment of an account, or of the device if the account is nil. The result is
  /// nil if the compartment does not exist.
  func compartment(_ account: String?) -> Data? {
    let hash = nameHash(account)
    return entries.first { $0.nameHash == hash }?.compartment
  }

  func contains(_ compartment: Data) -> Bool { entries.contains { $0.compartment == compartment } }

  /// Adds a compartment with a random identity, so that an account that logs in again cannot reach
  /// data that it left behind.
  @discardableResult
  package mutating func add(_ account: String?) -> Data {
    let id = RandomBytes.data(count: Self.idCount)
    add(account, id)
    return id
  }

  mutating func add(_ account: String?, _ id: Data) {
    entries.append(Entry(nameHash: nameHash(account), compartment: id))
  }

  private func nameHash(_ account: String?) -> Data {
    let message = account.map { Data([1]) + Data($0.inOneForm.utf8) } ?? Data([0])
    return nameKey.bytes.authenticationCode(for: message).prefix(Self.idCount)
  }

  package var encoded: SecretBytes {
    var writer = ByteWriter()
    writer.integer(Self.version)
    writer.fixed(installation)
    nameKey.bytes.withUnsafeBytes { writer.fixed($0) }
    writer.integer(UInt32(entries.count))
    for entry in entries {
      writer.fixed(entry.nameHash)
      writer.fixed(entry.compartment)
    }
    writer.integer(UInt32(cleanups.count))
    for cleanup in cleanups { writer.fixed(cleanup) }
    defer { writer.erase() }
    return SecretBytes(writer.bytes)
  }

  /// - Throws: ``AtRestError/Code/damaged``, ``AtRestError/Code/unsupportedVersion``.
  package init(decoding bytes: UnsafeRawBufferPointer) throws {
    var reader = ByteReader(bytes, name: "The vault's registry")
    let version = try reader.integer(UInt8.self)
    guard version == Self.version else {
      throw AtRestError.unsupported("The vault's registry", version: version, known: Self.version)
    }
    installation = Data(try reader.fixed(Self.idCount))
    nameKey = SecretBox(SecretBytes(copying: try reader.fixed(32)))
    var entries: [Entry] = []
    for _ in 0..<(try reader.integer(UInt32.self)) {
      entries.append(
        Entry(
          nameHash: Data(try reader.fixed(Self.idCount)),
          compartment: Data(try reader.fixed(Self.idCount))))
    }
    self.entries = entries
    var cleanups: [Data] = []
    for _ in 0..<(try reader.integer(UInt32.self)) {
      cleanups.append(Data(try reader.fixed(Self.idCount)))
    }
    self.cleanups = cleanups
    try reader.finish()
  }
}
