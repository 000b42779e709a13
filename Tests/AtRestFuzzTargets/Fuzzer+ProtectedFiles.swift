@_spi(Tools) import AtRestCrypto
import AtRestFiles
import Crypto
import Foundation

extension Fuzzer {
  private var path: URL { folder.appendingPathComponent("file") }
  private var journalPath: URL { folder.appendingPathComponent("file.atrest-journal") }

  /// Files with the key with which ``ForgedFile`` seals.
  private static let files = ProtectedFiles(
    keys: KnownFileKeys(slots: [
      .store(
        protection: .completeUntilFirstAuthentication, store: Data(repeating: 3, count: 16),
        wrapped: Data(repeating: 3, count: 40))
    ]), chunkSize: ForgedFile.chunkSize)

  /// Files for the owner of a key pair, which read the slots of recipients.
  private static let received: [ProtectedFiles] = [KeyAlgorithm.x25519, .p256].compactMap {
    do {
      let recipient = try PrivateKey(
        rawRepresentation: SecretBytes(Data(repeating: 9, count: 32)), algorithm: $0)
      return try ProtectedFiles(identity: recipient).chunked(by: ForgedFile.chunkSize)
    } catch { return nil }
  }

  // MARK: Files

  func readFile(_ input: Data) throws {
    try store(input)
    for files in Self.received { try isAccepted { _ = try files.read(path) } }
    try isAccepted { _ = try FileDescription(of: path) }
    try exercise()
  }

  func fileSeeds() throws -> [Data] {
    var seeds: [Data] = []
    for files in [Self.files] + Self.received {
      for count in [0, 1, 1024, 2500] {
        let contents = Data(repeating: 1, count: count)
        if files === Self.files {
          try store(ForgedFile(contents: contents).bytes())
        } else {
          try files.write(contents, to: path)
        }
        seeds.append(try Data(contentsOf: path))
      }
      let handle = try files.open(path, for: .updating)
      try handle.write(Data([2]), at: 1100)
      try handle.close()
      seeds.append(try Data(contentsOf: path))
    }
    return seeds
  }

  func readForgedFile(_ input: consuming FuzzInput) throws {
    let hasTable = input.integer(UInt8.self) & 1 == 1
    var file = ForgedFile(contents: Data())
    file.head = input.counted()
    if hasTable { file.table = input.counted() }
    file.contents = input.rest
    try store(try file.bytes())
    try exercise()
  }

  func forgedFileSeeds() -> [Data] {
    let tables: [Data?] = [
      nil, ForgedFile.table([(0, 1, 0)]), ForgedFile.table([(0, 1, 0), (1, 2, 0), (2, 1, 2)]),
      // Counters that overflow, and a run after the end.
      ForgedFile.table([(0, 1, .max)]), ForgedFile.table([(0, 1, 0), (1, 2, .max), (.max, 3, 1)]),
    ]
    var seeds: [Data] = []
    for table in tables {
      for count in [0, 100, 2500] {
        let head = FuzzInput.counted(ForgedFile(contents: Data()).head)
        seeds.append(
          Data([table == nil ? 0 : 1]) + head + (table.map(FuzzInput.counted) ?? Data())
            + Data(repeating: 1, count: count))
      }
    }
    var last = ForgedFile(contents: Data())
    last.head.replaceSubrange(35..<43, with: Data(repeating: 0xff, count: 8))
    return seeds + [Data([0]) + FuzzInput.counted(last.head) + Data([1])]
  }

  // MARK: Journals

  private static let journaled = ForgedFile(contents: Data(repeating: 1, count: 2500))

  func readJournal(_ input: consuming FuzzInput) throws {
    let form = input.integer(UInt8.self)
    try store(try Self.journaled.bytes())
    guard form & 1 == 1 else {
      try input.rest.write(to: journalPath)
      return try exercise()
    }
    let size = input.integer(UInt64.self)
    let finalSize = input.integer(UInt64.self)
    let head = form & 2 == 2 ? input.counted() : Self.journaled.head
    let journal = Self.journal(
      head: head, size: size, records: input.rest, finalSize: form & 4 == 4 ? finalSize : nil)
    try journal.write(to: journalPath)
    try exercise()
  }

  /// Returns a journal with the codes that authenticate it. It has no end record if the final size
  /// is nil.
  private static func journal(
    head: Data, size: UInt64, records: Data, finalSize: UInt64?
  ) -> Data {
    var writer = ByteWriter(capacity: 512)
    writer.fixed(utf8: "AtRestFJ")
    writer.integer(UInt16(1))
    writer.counted(ForgedFile.authenticated(head))
    writer.integer(size)
    let key = KnownFileKeys.key.derive(Purpose("atrest.file.journal.v1"))
    writer.fixed(key.authenticationCode(for: writer.data))
    writer.fixed(records)
    if let finalSize {
      writer.integer(UInt8(2))
      writer.integer(finalSize)
      writer.fixed(key.authenticationCode(for: writer.data))
    }
    return writer.data
  }

  func journalSeeds() throws -> [Data] {
    let before = try Self.journaled.bytes()
    var head = Self.journaled.head
    head[42] = 1
    var changed = Self.journaled
    changed.head = head
    changed.table = ForgedFile.table([(0, 6, 0)])
    changed.contents = Data(repeating: 2, count: 1500)
    let after = try changed.bytes()
    func seed(
      _ form: UInt8, _ finalSize: UInt64, _ writes: [(UInt64, Data)], head: Data = head
    ) -> Data {
      var writer = ByteWriter()
      writer.integer(form)
      writer.integer(UInt64(before.count))
      writer.integer(finalSize)
      if form & 2 == 2 { writer.fixed(FuzzInput.counted(head)) }
      for (offset, bytes) in writes {
        writer.integer(UInt8(1))
        writer.integer(offset)
        writer.counted(bytes)
      }
      return writer.data
    }
    let final = UInt64(after.count)
    let writes = [(256, Data(after[256...])), (0, Data(after[..<256]))].map { (UInt64($0), $1) }
    let whole = Self.journal(
      head: Self.journaled.head, size: UInt64(before.count),
      records: seed(0, 0, writes).dropFirst(17), finalSize: final)
    var last = head
    last.replaceSubrange(35..<43, with: Data(repeating: 0xff, count: 8))
    return [
      seed(5, final, writes), seed(7, final, writes, head: last), seed(1, final, writes),
      seed(7, final, writes), seed(5, final, []),
      // Bytes and an end at offsets that no file has.
      seed(5, .max, [(.max, Data([1]))]), seed(1, 300, writes), Data([0]) + whole,
      Data([0]) + whole.dropLast(40), Data([0]),
    ]
  }

  // MARK: -

  private func store(_ bytes: Data) throws {
    for path in [path, journalPath] { unlink(path.path) }
    try bytes.write(to: path)
  }

  /// Reads and changes the file in every possible way.
  private func exercise() throws {
    let files = Self.files
    try isAccepted {
      let handle = try files.open(path)
      let size = try handle.size()
      let all = try handle.read(upToCount: 65_536, at: 0)
      try expect(all.count == Int(min(size, 65_536)), "\(all.count) bytes of \(size) were read.")
      _ = try handle.read(upToCount: 10, at: size / 2)
    }
    // A separate read that processes the whole file once.
    try isAccepted { _ = try files.verify(path) }
    let mark = Data("changed".utf8)
    let isWritten = try isAccepted {
      let handle = try files.open(path, for: .updating)
      try handle.write(mark, at: 1020)
      try handle.append(mark)
      try handle.close()
    }
    try isAccepted {
      let handle = try files.open(path, for: .updating)
      if isWritten {
        let back = try handle.read(upToCount: mark.count, at: 1020)
        try expect(back == mark, "What was written does not read back.")
      }
      try handle.truncate(to: 1100)
      try handle.close()
      try expect(try files.open(path).size() == 1100, "What was cut has another size.")
    }
  }
}
