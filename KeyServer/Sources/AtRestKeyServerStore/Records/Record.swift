import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The contents of a row. Each kind begins with its version, a byte.
protocol Record: ~Copyable {
  static var name: String { get }
  init(reading reader: inout MessageReader) throws
  func write(to writer: inout MessageWriter)
}

extension Record where Self: ~Copyable {
  static var version: UInt8 { 1 }

  /// Decodes the contents of a row.
  init(_ row: Row) throws {
    self = try row.contents.bytes.withUnsafeBytes { bytes in
      var reader = MessageReader(bytes, name: Self.name)
      let version = try reader.integer(UInt8.self)
      guard version == Self.version else {
        throw AtRestError(
          .unsupportedVersion, "\(Self.name) has version \(version).",
          remedy: "Use a later version of atrest-keyserver.")
      }
      let record = try Self(reading: &reader)
      guard reader.remaining == 0 else {
        throw AtRestError(damaged: "\(Self.name) has \(reader.remaining) bytes too many.")
      }
      return record
    }
  }

  /// The bytes of the row's contents.
  var contents: SecretBytes {
    var writer = MessageWriter()
    writer.integer(Self.version)
    write(to: &writer)
    var data = writer.data
    return SecretBytes(erasing: &data)
  }
}
