import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import Foundation

/// The properties of a stored value that can be read without opening it.
public struct ValueDescription: Sendable, Hashable {
  /// The record's name.
  public let name: String
  /// The name of the kind of data.
  public let kind: String
  /// The sensitivity of the value.
  public let sensitivity: Sensitivity
  /// The store that holds the value.
  public let store: StorageDecision.Store
  /// The key needed in addition to the device's keys.
  public let key: StorageDecision.Key
  /// The size of the value in bytes. That of a database is the present size of its files.
  public let size: UInt64
  /// The time at which the value was stored.
  public let stored: Date
  /// The latest time at which the value expires, or nil if there is no such time.
  public let expires: Date?
  /// The number of reads left, or nil if reads are not limited.
  public let usesLeft: Int?

  init(_ name: String, _ stored: StoredValue, size: UInt64) {
    self.name = name
    kind = stored.head.kind
    sensitivity = stored.head.sensitivity
    store = stored.head.store
    key = stored.head.key
    self.size = size
    self.stored = stored.head.stored
    expires = stored.head.expires
    usesLeft = stored.usesLeft == StoredValue.unlimited ? nil : Int(stored.usesLeft)
  }
}
