import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The versions of a device share or of a key-encryption key. The owner is the device or the
/// account.
struct KeyRecord: Record {
  static let name = "A key"
  static let maximumVersions = 64
  /// The most keys of an account, and the most shares of a device.
  static let maximumOfOwner = 1_000

  struct Version {
    var number: UInt32
    var key: SecretHolder
  }

  var name: String
  /// The versions that can be used, in rising order. The last is the current one.
  var versions: [Version]

  var current: Version { versions[versions.count - 1] }
  var minimum: UInt32 { versions[0].number }

  init(name: String) {
    self.name = name
    versions = [Version(number: 1, key: SecretHolder(.random(count: 32)))]
  }

  init(reading reader: inout MessageReader) throws {
    name = try reader.text(limit: Limits.name)
    let count = Int(try reader.integer(UInt8.self))
    guard (1...Self.maximumVersions).contains(count) else {
      throw AtRestError(damaged: "A key has \(count) versions.")
    }
    versions = []
    for _ in 0..<count {
      versions.append(
        Version(number: try reader.integer(), key: SecretHolder(try reader.secret(32))))
    }
  }

  func write(to writer: inout MessageWriter) {
    writer.counted(utf8: name)
    writer.integer(UInt8(versions.count))
    for version in versions {
      writer.integer(version.number)
      writer.fixed(version.key.bytes)
    }
  }
}
