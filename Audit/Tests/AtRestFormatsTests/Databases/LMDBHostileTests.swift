import AtRestFormats
import Testing

/// Databases that somebody wrote against their reader, and damaged ones: each loss is said.
@Suite struct LMDBHostileTests {
  private let pages = LMDBPages(pageSize: 4096)
  private let secret = Array("correct-horse-7".utf8)

  private func read(
    _ source: ByteSource
  ) throws -> (records: [LMDBFile.Record], remnants: [LMDBFile.Remnant], skipped: [String]) {
    var records: [LMDBFile.Record] = []
    var remnants: [LMDBFile.Remnant] = []
    let skipped = try LMDBFile.read(source, path: "a") {
      records.append($0)
    } remnant: {
      remnants.append($0)
    }
    return (records, remnants, skipped.map(\.reason))
  }

  private func read(
    _ bytes: [UInt8]
  ) throws -> (records: [LMDBFile.Record], remnants: [LMDBFile.Remnant], skipped: [String]) {
    try read(ByteSource(bytes))
  }

  /// The offset of the page has more than 64 bits.
  @Test func aPageFarBehindTheEndIsMissing() throws {
    let pages = LMDBPages(pageSize: 65536)
    let far = LMDBPages.none - 1
    let node = pages.longNode("key", at: far, size: 100)
    let contents = try read(
      pages.roots(main: 2) + pages.leaf(2, [node, pages.node("other", secret)]))
    #expect(contents.records.map(\.value) == [secret])
    #expect(
      contents.skipped == ["Page \(far) of the database, with a long value, is missing or damaged."]
    )
    #expect(
      try read(pages.roots(main: 2) + pages.branch(2, to: [far])).skipped
        == ["Page \(far) of the database is missing."])
  }

  /// A list of free pages is not what any number says.
  @Test(arguments: [3, 1 << 40]) func aListOfFreePagesHidesNoOthers(_ first: Int) throws {
    let list = pages.longNode("12345678", at: first, size: 0xFFFF_FFFF)
    let contents = try read(
      pages.roots(free: 2) + pages.leaf(2, [list]) + pages.leaf(3, [pages.node("key", secret)]))
    #expect(contents.records.map(\.value) == [secret])
    #expect(
      contents.skipped
        == ["Page \(first) of the database, with a list of free pages, is missing or damaged."])
  }

  @Test func aListOfFreePagesIsNoRemnant() throws {
    let list = pages.longNode("12345678", at: 3, size: 5000)
    let contents = try read(
      pages.roots(free: 2) + pages.leaf(2, [list])
        + pages.long(3, [UInt8](repeating: 7, count: 5000)))
    #expect(contents.skipped.isEmpty)
    #expect(!contents.remnants.contains { $0.bytes.contains(7) })
  }

  @Test func aValueWithManyEntriesIsGivenOnce() throws {
    let long = [UInt8](repeating: 1, count: 1 << 20)
    for node in [pages.longNode("key", at: 3, size: long.count), pages.node("key", secret)] {
      let contents = try read(
        pages.roots(main: 2) + pages.leaf(2, [node], repeating: 1000) + pages.long(3, long))
      #expect(contents.records.count < 300)
      #expect(contents.records.reduce(0) { $0 + $1.value.count } <= long.count)
      #expect(!contents.skipped.isEmpty)
    }
  }

  /// Each value begins within the one before.
  @Test func longValuesWithinEachOtherEnd() throws {
    let count = 200
    let nodes = (0..<count).map {
      pages.longNode("\($0)", at: 3 + $0, size: (count - $0) * 4096 - 16)
    }
    let values = (0..<count).flatMap { pages.long(3 + $0, [], pages: count - $0) }
    let bytes = pages.roots(main: 2) + pages.leaf(2, nodes.shuffled()) + values
    let contents = try read(bytes)
    #expect(contents.records.reduce(0) { $0 + $1.value.count } <= 2 * bytes.count)
  }

  @Test func whatHasTwoPlacesIsSaid() throws {
    let twice = "Page 3 of the database has two places, and was read at one."
    let leaf = pages.leaf(3, [pages.node("key", secret)])
    let contents = try read(pages.roots(main: 2) + pages.branch(2, to: [3, 3]) + leaf)
    #expect(contents.records.count == 1)
    #expect(contents.skipped == [twice])
    let nodes = ["a", "b"].map { pages.longNode($0, at: 3, size: 15) }
    #expect(
      try read(pages.roots(main: 2) + pages.leaf(2, nodes) + pages.long(3, secret)).skipped
        == [twice])
  }

  @Test func aTreeThatIsTooDeepIsSaid() throws {
    let levels = (2..<40).flatMap { pages.branch($0, to: [$0 + 1]) }
    #expect(
      try read(pages.roots(main: 2) + levels + pages.leaf(40, [pages.node("key", secret)])).skipped
        == ["Page 34 of the database is deeper than 32 levels."])
  }

  @Test func damagedValuesOfOneKeyAreSaid() throws {
    func inner(lower: UInt8, flags: UInt8 = 0x62) -> [UInt8] {
      [0, 0, 0, 0, 0, 0, 0, 0, 15, 0, flags, 0, lower, 0, 64, 0] + secret + secret
        + [UInt8](repeating: 0, count: 18)
    }
    func skipped(_ inner: [UInt8]) throws -> [String] {
      try read(pages.roots(main: 2) + pages.leaf(2, [pages.node("key", inner, flags: 4)])).skipped
    }
    #expect(try skipped(inner(lower: 20)) == [])
    for inner in [
      inner(lower: 4), inner(lower: 16), inner(lower: 60), inner(lower: 20, flags: 4), [1, 2, 3],
    ] {
      #expect(try skipped(inner) == ["Values of a key in page 2 are damaged."])
    }
  }

  @Test func aDamagedRootOfATableIsSaid() throws {
    let node = pages.node("table", [UInt8](repeating: 0, count: 40), flags: 2)
    let contents = try read(pages.roots(main: 2) + pages.leaf(2, [node]))
    #expect(contents.skipped == ["The root of a table in page 2 is damaged."])
    #expect(contents.records.map(\.isTable) == [true])
  }

  /// A page of another kind, one without nodes, and pages of roots that cannot be read.
  @Test func damagedPagesAreSaid() throws {
    for page in [pages.long(2, secret), pages.leaf(2, []), pages.leaf(2, [], flags: 0x22)] {
      #expect(
        try read(pages.roots(main: 2) + page).skipped == ["Page 2 of the database is damaged."])
    }
    var bytes = pages.roots(main: 2) + pages.leaf(2, [pages.node("key", secret)])
    bytes[4096 + 16] = 0
    let contents = try read(bytes)
    #expect(contents.skipped == ["Page 1 of the database, with roots, is damaged."])
    #expect(contents.records.map(\.value) == [secret])
  }

  @Test func aValueThatIsTooLongIsSaid() throws {
    let size = 64 << 20 + 100
    let long = pages.long(3, [1, 2, 3], pages: size / 4096 + 1)
    let head =
      pages.roots(main: 2) + pages.leaf(2, [pages.longNode("key", at: 3, size: size)]) + long
    let count = 3 * 4096 + size + 8192 & ~4095
    let source = ByteSource(count: count) { range throws(FormatError) in
      Array(head[min(head.count, range.lowerBound)..<min(head.count, range.upperBound)])
        + [UInt8](repeating: 0, count: range.count - range.clamped(to: 0..<head.count).count)
    }
    let contents = try read(source)
    #expect(contents.skipped == ["The value in page 3, of \(size) bytes, is too long to be read."])
    #expect(contents.remnants.isEmpty)
  }

  /// Names of tables are keys, also of a table that was dropped.
  @Test func theNameOfATableIsAKey() throws {
    var root = [UInt8](repeating: 0, count: 48)
    root[40] = 3
    let bytes =
      pages.leaf(2, [pages.node("table", root, flags: 2)])
      + pages.leaf(3, [pages.node("key", secret)])
    let contents = try read(pages.roots(main: 2) + bytes)
    #expect(contents.records.map { String(decoding: $0.key, as: UTF8.self) } == ["table", "key"])
    #expect(contents.records.map(\.isTable) == [true, false])
    #expect(contents.records.last?.table == Array("table".utf8))
    let dropped = try read(pages.roots() + bytes)
    #expect(dropped.records.map(\.isTable) == [true, false])
    #expect(!dropped.records.contains { !$0.isDeleted })
  }

  @Test func anErrorOfTheCallerEndsTheReading() throws {
    let bytes =
      pages.roots(main: 2) + pages.leaf(2, ["a", "b", "c"].map { pages.node($0, secret) })
    var count = 0
    #expect(throws: FormatError("enough")) {
      try LMDBFile.read(ByteSource(bytes), path: "a") { _ throws(FormatError) in
        count += 1
        throw FormatError("enough")
      } remnant: { _ in
      }
    }
    #expect(count == 1)
  }
}
