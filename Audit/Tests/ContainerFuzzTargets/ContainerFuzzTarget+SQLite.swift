import AtRestFormats

extension ContainerFuzzTarget {
  /// The first bytes of a write-ahead log, in its two byte orders, and of a rollback journal.
  private static let logs: [[UInt8]] = [
    [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83], [0xD9, 0xD5, 0x05, 0xF9],
  ]

  /// Reads a database, and the log after it if the input has one.
  func readSQLite(_ input: [UInt8]) throws {
    let split = stride(from: 0, to: input.count, by: 512).first { offset in
      Self.logs.contains { input[offset...].starts(with: $0) }
    }
    let main = ByteSource(Array(input[..<(split ?? input.count)]))
    let log = split.map { ByteSource(Array(input[$0...])) }
    let isJournal = split.map { input[$0] == 0xD9 } ?? false
    guard
      let file = try? SQLiteFile(
        main, wal: isJournal ? nil : log, journal: isJournal ? log : nil)
    else { return }
    _ = try file.forEachRow { table, row in
      guard row.values.count >= table.columns.count else {
        throw Fault(description: "A row of \(table.name) has fewer values than columns.")
      }
    }
    _ = try file.forEachRemnant { remnant in
      let size = remnant.file == .database ? main.count : log?.count ?? 0
      guard remnant.offset >= 0, !remnant.bytes.isEmpty,
        remnant.offset + remnant.bytes.count <= size
      else { throw Fault(description: "A remnant is at \(remnant.offset) of \(size) bytes.") }
    }
  }
}
