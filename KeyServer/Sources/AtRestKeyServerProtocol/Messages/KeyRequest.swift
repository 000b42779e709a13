import AtRestCrypto
import Foundation

/// A request for a version of a named key.
package struct KeyRequest: Message {
  /// The kinds of keys.
  package enum Kind: UInt8, Sendable {
    /// A random share of one device. The server gives it out.
    case deviceShare = 1
    /// A key-encryption key of an account. The server gives out only keys derived from it.
    case keyEncryption = 2
  }

  package var kind: Kind
  package var name: String
  /// The version, or 0 for the current one. For a minimum version, the new minimum.
  package var version: UInt32
  /// The identifier of the wrapped key that a key is derived for; zeros for a device share.
  package var identifier: Data
  /// True to create the key if it does not exist.
  package var creates: Bool

  package init(
    _ kind: Kind, name: String, version: UInt32 = 0,
    identifier: Data = Data(count: Limits.identifier), creates: Bool = false
  ) {
    self.kind = kind
    self.name = name
    self.version = version
    self.identifier = identifier
    self.creates = creates
  }

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The key request") { reader in
      let number = try reader.integer(UInt8.self)
      guard let kind = Kind(rawValue: number) else {
        throw AtRestError(damaged: "The key request has the unknown kind \(number).")
      }
      return KeyRequest(
        kind, name: try reader.text(limit: Limits.name), version: try reader.integer(),
        identifier: try reader.fixed(Limits.identifier), creates: try reader.flag())
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.integer(kind.rawValue)
    writer.counted(utf8: name)
    writer.integer(version)
    writer.fixed(identifier)
    writer.integer(UInt8(creates ? 1 : 0))
    return writer.data
  }

  /// The answer: a version and its key. The key is empty if the request only changed something.
  package struct Answer: Message {
    package var version: UInt32
    package var minimum: UInt32
    /// The seconds for which the client may use the key without the server, or 0.
    package var offlineSeconds: UInt32
    package var key: Data

    package init(version: UInt32, minimum: UInt32, offlineSeconds: UInt32 = 0, key: Data) {
      self.version = version
      self.minimum = minimum
      self.offlineSeconds = offlineSeconds
      self.key = key
    }

    package init(decoding body: Data) throws {
      self = try MessageReader.read(body, name: "The answer to a key request") { reader in
        Answer(
          version: try reader.integer(), minimum: try reader.integer(),
          offlineSeconds: try reader.integer(), key: try reader.counted(limit: 32))
      }
    }

    package var encoded: Data {
      var writer = MessageWriter()
      writer.integer(version)
      writer.integer(minimum)
      writer.integer(offlineSeconds)
      writer.counted(key)
      return writer.data
    }
  }
}
