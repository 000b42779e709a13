import Foundation

/// Writes binary property lists. Unlike Foundation, it can write the references of archives.
indirect enum BinaryList {
  case string(String)
  case integer(Int)
  case data(Data)
  case boolean(Bool)
  case uid(Int)
  case date(Date)
  case array([BinaryList])
  case dictionary([(String, BinaryList)])

  var encoded: Data {
    var objects: [Data] = []
    let top = Self.append(self, to: &objects)
    var result = Data("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(result.count)
      result += object
    }
    let table = result.count
    for offset in offsets { result += Self.bytes(offset, 4) }
    return result + Data(count: 6) + [4, 2] + Self.bytes(objects.count, 8) + Self.bytes(top, 8)
      + Self.bytes(table, 8)
  }

  /// Returns an archive of one object. `value` may refer to `others`, whose numbers begin at 2.
  static func archive(_ value: BinaryList, others: [BinaryList]) -> BinaryList {
    .dictionary([
      ("$version", .integer(100_000)), ("$archiver", .string("NSKeyedArchiver")),
      ("$top", .dictionary([("root", .uid(1))])),
      ("$objects", .array([.string("$null"), value] + others)),
    ])
  }

  private static func append(_ value: BinaryList, to objects: inout [Data]) -> Int {
    let index = objects.count
    objects.append(Data())
    let object: Data
    switch value {
    case .boolean(let flag): object = Data([flag ? 9 : 8])
    case .integer(let number): object = Data([0x13]) + bytes(number, 8)
    case .uid(let number): object = Data([0x83]) + bytes(number, 4)
    case .date(let date):
      object =
        Data([0x33])
        + bytes(Int(truncatingIfNeeded: date.timeIntervalSinceReferenceDate.bitPattern), 8)
    case .data(let data): object = marker(0x40, data.count) + data
    case .string(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) {
        object = marker(0x50, text.utf8.count) + Data(text.utf8)
      } else {
        let units = Array(text.utf16)
        object = marker(0x60, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      }
    case .array(let values):
      let references = values.map { append($0, to: &objects) }
      object = references.reduce(marker(0xA0, values.count)) { $0 + bytes($1, 2) }
    case .dictionary(let entries):
      let keys = entries.map { append(.string($0.0), to: &objects) }
      let values = entries.map { append($0.1, to: &objects) }
      object = (keys + values).reduce(marker(0xD0, entries.count)) { $0 + bytes($1, 2) }
    }
    objects[index] = object
    return index
  }

  private static func marker(_ kind: UInt8, _ count: Int) -> Data {
    count < 15 ? Data([kind | UInt8(count)]) : Data([kind | 15, 0x12]) + bytes(count, 4)
  }

  private static func bytes(_ number: Int, _ count: Int) -> Data {
    Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }
}
