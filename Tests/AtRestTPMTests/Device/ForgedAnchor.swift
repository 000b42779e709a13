import AtRestCrypto
import AtRestTPM
import Foundation

/// The attack of somebody who may use the TPM as AtRest does: reads the device key from the TPM, and
/// writes an anchor that makes the present records those of the TPM's counter.
struct ForgedAnchor {
  private let folder: URL
  private let deviceKey: SecretBox

  init(of store: DeviceStore) throws {
    folder = store.deviceFolder.appendingPathComponent("tpm")
    // docs/Formats.md, *Device key in a TPM*: 44 bytes, then the object with its size.
    let file = try Data(contentsOf: folder.appendingPathComponent("device.tpm"))
    let object = try TPMObject(Data(file[48..<(48 + Self.number(file[44..<48]))]))
    deviceKey = SecretBox(try store.device.tpm().perform { try $0.unseal(object) })
  }

  /// The authorization value of the device's counters.
  var counterAuthorization: Data {
    Data(copying: deviceKey.bytes.derive(Purpose("atrest.tpm-counter.v1")))
  }

  private static func number(_ bytes: Data) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  /// The value that the anchor has now.
  var value: UInt64 {
    get throws {
      try Data(contentsOf: folder.appendingPathComponent("anchor"))[10..<18].reduce(0) {
        $0 << 8 | UInt64($1)
      }
    }
  }

  /// Writes an anchor for a value of the counter, which lists the records as they are.
  func write(_ value: UInt64) throws {
    let url = folder.appendingPathComponent("anchor")
    let present = try Data(contentsOf: url)
    var records: [(name: String, tag: Data)] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where !["device.tpm", "anchor", "lock"].contains(name) && !name.hasSuffix(".lock") {
      let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
      records.append((name, Data(bytes.suffix(16))))
    }
    var forged = Data(present[..<10]) + Self.bytes(value) + present[18..<42]
    forged += Self.bytes(UInt32(records.count))
    for (name, tag) in records { forged += Self.bytes(UInt32(name.utf8.count)) + name.utf8 + tag }
    let key = deviceKey.bytes.derive(Purpose("atrest.device-anchor.v1"))
    forged += key.authenticationCode(for: forged)
    try forged.write(to: url)
  }

  private static func bytes(_ number: some FixedWidthInteger) -> Data {
    withUnsafeBytes(of: number.bigEndian) { Data($0) }
  }
}
