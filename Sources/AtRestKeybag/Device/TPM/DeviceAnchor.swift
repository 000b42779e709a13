@_spi(Tools) import AtRestCrypto
import Foundation

/// The state of a device's records at the last step of its counter in the TPM: `docs/Formats.md`,
/// *Records of a device in a TPM*.
///
/// A record that was written since then has the number of the step in it. Any other record must be
/// one that the anchor lists, so no record can be put back to a state from before the step.
struct DeviceAnchor: Equatable {
  static let name = "anchor"
  private static let magic = Data("AtRestTA".utf8)
  private static let version: UInt16 = 1
  private static let codeCount = 32
  /// The limit of records, which bounds the memory for a file that somebody made.
  private static let recordLimit = 65_536

  /// The value that the counter has, or gets by the step that the anchor prepares.
  let value: UInt64
  /// The boot in which the step was taken, and the seconds since then.
  let boot: Data
  let seconds: UInt64
  /// The tags of the records that existed, by their names.
  let records: [String: Data]

  /// True if the step was taken in another boot, or longer ago than an interval in seconds.
  func isOlder(than interval: UInt64, at now: BootClock.Reading) -> Bool {
    now.boot != boot || now.seconds < seconds || now.seconds - seconds >= interval
  }

  func encoded(_ key: borrowing SecretBytes) -> Data {
    var writer = ByteWriter(capacity: 128 + 80 * records.count)
    writer.fixed(Self.magic)
    writer.integer(Self.version)
    writer.integer(value)
    writer.fixed(boot)
    writer.integer(seconds)
    writer.integer(UInt32(records.count))
    for (name, tag) in records.sorted(by: { $0.key < $1.key }) {
      writer.counted(utf8: name)
      writer.fixed(tag)
    }
    writer.fixed(key.authenticationCode(for: writer.bytes))
    return writer.data
  }

  init(value: UInt64, at now: BootClock.Reading, records: [String: Data]) {
    self.value = value
    boot = now.boot
    seconds = now.seconds
    self.records = records
  }

  init(_ data: Data, path: String, authenticatedBy key: borrowing SecretBytes) throws {
    guard
      key.isValid(
        authenticationCode: data.suffix(Self.codeCount), for: data.dropLast(Self.codeCount))
    else {
      throw AtRestError.damaged(
        "\(path) was modified or cut off: its authentication code does not match.",
        remedy: "Put the device folder back as it was, or restore a backup into a new store.")
    }
    self = try data.dropLast(Self.codeCount).withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: path)
      guard try reader.fixed(8).elementsEqual(Self.magic) else {
        throw AtRestError.damaged("\(path) is not the anchor of a device.")
      }
      let found = try reader.integer(UInt16.self)
      guard found == Self.version else {
        throw AtRestError.unsupported(path, version: found, known: Self.version)
      }
      let value = try reader.integer(UInt64.self)
      let boot = Data(try reader.fixed(16))
      let seconds = try reader.integer(UInt64.self)
      let count = try reader.integer(UInt32.self)
      guard count <= Self.recordLimit else {
        throw AtRestError.damaged("\(path) lists \(count) records.")
      }
      var records: [String: Data] = [:]
      for _ in 0..<count {
        let name = String(decoding: try reader.counted(limit: 255), as: UTF8.self)
        records[name] = Data(try reader.fixed(AnchoredRecord.tagCount))
      }
      try reader.finish()
      return DeviceAnchor(
        value: value, at: BootClock.Reading(boot: boot, seconds: seconds, date: 0),
        records: records)
    }
  }
}
