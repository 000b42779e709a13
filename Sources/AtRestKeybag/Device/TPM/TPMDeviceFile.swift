@_spi(Tools) import AtRestCrypto
import AtRestTPM
import Foundation

/// The file of a device key in a TPM: `docs/Formats.md`, *Device key in a TPM*.
///
/// The TPM checks the sealed key, and the code at the end is under a key derived from it. Until that
/// code was checked, nothing else in the file is trusted.
struct TPMDeviceFile {
  static let name = "device.tpm"
  private static let magic = Data("AtRestTK".utf8)
  private static let version: UInt16 = 1
  private static let codeCount = 32
  /// A device key that is wrapped under a recovery key.
  static let wrappedCount = 40

  /// The name of the TPM's primary key.
  var primary: TPMName
  /// The device key, sealed by the TPM.
  var key: TPMObject
  var counter: TPMCounter
  /// The device key wrapped under the recovery key, or empty without a PCR policy.
  var recovery: Data

  /// Encodes the file, with the code under the device key.
  func encoded(_ deviceKey: borrowing SecretBytes) -> Data {
    var writer = ByteWriter(capacity: 512)
    writer.fixed(Self.magic)
    writer.integer(Self.version)
    writer.fixed(primary.data)
    writer.counted(key.data)
    writer.integer(counter.index)
    writer.counted(recovery)
    writer.fixed(Self.codeKey(deviceKey).authenticationCode(for: writer.bytes))
    return writer.data
  }

  /// Decodes a file that is not authenticated yet: see ``isAuthentic(_:under:)``.
  static func decoded(_ data: Data, path: String) throws -> TPMDeviceFile {
    try data.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The device key \(path)")
      guard try reader.fixed(8).elementsEqual(magic) else {
        throw AtRestError.damaged("\(path) is not a device key in a TPM.")
      }
      let found = try reader.integer(UInt16.self)
      guard found == version else {
        throw AtRestError.unsupported("The device key \(path)", version: found, known: version)
      }
      let file = TPMDeviceFile(
        primary: try TPMName(Data(try reader.fixed(34))),
        key: try TPMObject(Data(try reader.counted(limit: TPMObject.sizeLimit))),
        counter: try TPMCounter(index: reader.integer()),
        recovery: Data(try reader.counted(limit: wrappedCount)))
      _ = try reader.fixed(codeCount)
      try reader.finish()
      guard file.recovery.isEmpty || file.recovery.count == wrappedCount else {
        throw AtRestError.damaged("The device key \(path) has a malformed recovery key.")
      }
      return file
    }
  }

  /// Returns true if the encoded file has the code under a device key.
  static func isAuthentic(_ data: Data, under deviceKey: borrowing SecretBytes) -> Bool {
    codeKey(deviceKey).isValid(
      authenticationCode: data.suffix(codeCount), for: data.dropLast(codeCount))
  }

  private static func codeKey(_ deviceKey: borrowing SecretBytes) -> SecretBytes {
    deviceKey.derive(Purpose("atrest.tpm-device-file.v1"))
  }
}
