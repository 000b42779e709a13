import AtRestFormats
import Foundation
import Testing

@Suite struct SEGBFileTests {
  private static func little(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func first(_ records: [(state: Int, data: String)]) -> [UInt8] {
    var body: [UInt8] = []
    for record in records {
      body += little(record.data.utf8.count, 4) + little(record.state, 4)
      body += [UInt8](repeating: 1, count: 24) + Array(record.data.utf8)
      while body.count % 8 != 0 { body.append(0) }
    }
    let head = little(56 + body.count, 4) + [UInt8](repeating: 0, count: 48) + Array("SEGB".utf8)
    return head + body + [UInt8](repeating: 0, count: 64)
  }

  private static func second(_ records: [(state: Int, data: String)]) -> [UInt8] {
    var body: [UInt8] = []
    var list: [UInt8] = []
    for record in records {
      if record.state != 4 { body += [UInt8](repeating: 1, count: 8) + Array(record.data.utf8) }
      list = little(body.count, 4) + little(record.state, 4) + [0, 0, 0, 0, 0, 0, 0, 0x41] + list
      while body.count % 4 != 0 { body.append(0) }
    }
    let head = Array("SEGB".utf8) + little(records.count, 4) + [UInt8](repeating: 0, count: 24)
    return head + body + list
  }

  private func read(
    _ bytes: [UInt8]
  ) throws -> (records: [SEGBFile.Record], skipped: [Skip]) {
    var records: [SEGBFile.Record] = []
    let skipped = try SEGBFile.read(ByteSource(bytes), path: "a") { records.append($0) }
    return (records, skipped)
  }

  private static let records = [(1, "first event"), (3, "second"), (1, "a third one")]

  @Test(arguments: [1, 2]) func recordsAreReadWithTheirStates(_ version: Int) throws {
    let bytes = version == 1 ? Self.first(Self.records) : Self.second(Self.records + [(4, "")])
    let (records, skipped) = try read(bytes)
    #expect(skipped.isEmpty)
    #expect(
      records.map { String(decoding: $0.data, as: UTF8.self) } == Self.records.map { $0.1 })
    #expect(records.map(\.isDeleted) == [false, true, false])
    #expect(
      records.allSatisfy { Array(bytes[$0.offset..<$0.offset + $0.data.count]) == $0.data })
    #expect(FileType.read(bytes, isWhole: true) == .segb)
  }

  @Test func aRecordThatIsTooLongIsReported() throws {
    var bytes = Self.first(Self.records)
    bytes[57] = 0xFF
    #expect(try read(bytes).skipped.count == 1)
    var list = Self.second(Self.records)
    list[list.count - 16] = 0xFF
    #expect(try read(list).skipped.count == 1)
    #expect(throws: FormatError.self) { try read(Array("SEGX".utf8) + list.dropFirst(4)) }
  }

  @Test func brokenFilesAreSurvived() {
    Hostile.forms(of: Self.first(Self.records)) { _ = try? read($0) }
    Hostile.forms(of: Self.second(Self.records)) { _ = try? read($0) }
  }
}
