import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// An encrypted database whose key lies beside it is opened with it and searched.
@Suite struct VoidEncryptionTests {
  private func scan(
    _ files: [String: [UInt8]], _ canary: String = "never typed", keychain: [KeychainItem] = [],
    _ change: (inout WalkLimits) -> Void = { _ in }
  ) throws -> ContainerScan.Result {
    var limits = WalkLimits.standard
    limits.passphraseTime = .seconds(60)
    change(&limits)
    return try ContainerScan(
      ContainerSource(files: files), canaries: [Canary(name: "1", value: canary)], limits: limits,
      keychain: keychain
    ).run()
  }

  private func list(_ entries: [(String, BinaryList)]) -> [UInt8] {
    Array(BinaryList.dictionary(entries).encoded)
  }

  private func places(_ result: ContainerScan.Result) -> [String] {
    result.discoveries.filter { if case .canary = $0.subject { true } else { false } }
      .map(\.locator.description)
  }

  @Test(arguments: SQLCipherFixture.raw)
  func aKeyOpensEachVariant(_ database: SQLCipherFixture) throws {
    let place = KeyPlace.all[1]
    let files = try database.files.merging([place.path: place.contents(database.key)]) { $1 }
    let result = try scan(files, "canary-of-\(database.name)")
    let opened = try #require(result.opened.first)
    #expect(opened.database.description == "Documents/\(database.name).db")
    #expect(opened.format == database.format && !opened.isPassphrase)
    #expect(opened.key.locator.path == place.path)
    #expect(
      places(result) == [
        "Documents/\(database.name).db › \(database.format) › notes, row 99, body"
      ])
  }

  @Test(arguments: SQLCipherFixture.passphrases)
  func aPassphraseOpensEachVersion(_ database: SQLCipherFixture) throws {
    let preferences =
      database.name == "bytes-4"
      ? list([("databaseKey", .data(Data(database.key)))])
      : list([
        ("databasePassword", .string(String(decoding: database.key, as: UTF8.self)))
      ])
    let result = try scan(
      database.files.merging(["Library/Preferences/a.plist": preferences]) { $1 },
      "canary-of-\(database.name)")
    let opened = try #require(result.opened.first)
    #expect(opened.format == database.format && opened.isPassphrase)
    #expect(
      places(result) == [
        "Documents/\(database.name).db › \(database.format) › notes, row 99, body"
      ])
  }

  @Test(arguments: KeyPlace.all) func aKeyIsFoundInEachPlace(_ place: KeyPlace) throws {
    let database = SQLCipherFixture.raw[0]
    let result = try scan(
      database.files.merging([place.path: place.contents(database.key)]) { $1 })
    #expect(result.opened.map(\.key.locator.path) == [place.path])
  }

  @Test(arguments: SQLCipherFixture.raw + SQLCipherFixture.passphrases)
  func withoutTheKeyItStaysClosed(_ database: SQLCipherFixture) throws {
    let other = SQLCipherFixture.raw[1].name == database.name ? 0 : 1
    let key = SQLCipherFixture.raw[other].key
    let result = try scan(
      database.files.merging([
        "Library/Preferences/a.plist": list([("databaseKey", .data(Data(key)))])
      ]) { $1 }, "canary-of-\(database.name)")
    #expect(result.opened.isEmpty && places(result).isEmpty)
    let tries = result.summary.files.compactMap(\.tries)
    #expect(tries.map(\.keys) == [1])
    // The salt of a database with a header in plaintext is not in the file.
    #expect(tries.map { $0.passphrases > 0 } == [!database.name.hasPrefix("header")])
  }

  @Test func twoDatabasesHaveTwoKeys() throws {
    let (first, second) = (SQLCipherFixture.raw[0], SQLCipherFixture.raw[1])
    let files = try first.files.merging(second.files) { $1 }.merging([
      "Documents/a.json": Array(#"{"a": "\#(first.hex)", "b": "\#(second.hex)"}"#.utf8)
    ]) { $1 }
    let opened = try scan(files).opened.map { "\($0.database) \($0.key.locator)" }.sorted()
    #expect(
      opened == [
        "Documents/raw-3.db Documents/a.json › b",
        "Documents/raw-4.db Documents/a.json › a",
      ])
  }

  @Test func aKeyInAFileIsWorseThanInTheKeychain() throws {
    let database = SQLCipherFixture.raw[0]
    let item = KeychainItem(
      .genericPassword, value: .bytes(database.key), locator: Locator("keychain-backup.plist"),
      accessibility: .afterFirstUnlock)
    let files = try database.files
    #expect(try scan(files, keychain: [item]).opened.first?.key.keychainItem == item)
    let both = files.merging(["Documents/k.txt": Array(database.hex.utf8)]) { $1 }
    let key = try scan(both, keychain: [item]).opened.first?.key
    #expect(key != nil && key?.keychainItem == nil)
  }

  @Test func whatIsInNoTimeTriedIsSaid() throws {
    let database = SQLCipherFixture.passphrases[0]
    let files = try database.files.merging([
      "Library/Preferences/a.plist": list([
        ("databasePassword", .string(String(decoding: database.key, as: UTF8.self)))
      ])
    ]) { $1 }
    let result = try scan(files) { $0.passphraseTime = .zero }
    let tries = try #require(result.summary.files.compactMap(\.tries).first)
    #expect(result.opened.isEmpty && tries.passphrases == 0 && tries.allPassphrases > 0)
  }

  @Test func inAnArchiveTheyAreOpenedToo() throws {
    let database = SQLCipherFixture.raw[0]
    let name = "Documents/raw-4.db"
    let archive = Packing.zip(name, try #require(database.files[name]))
    let result = try scan(
      ["Bank.ipa": archive, "k.txt": Array(database.hex.utf8)], "canary-of-raw-4")
    #expect(
      places(result) == [
        "Bank.ipa › Documents/raw-4.db › SQLCipher 4 › notes, row 99, body"
      ])
  }

  /// Files that were changed or cut are read as far as they go.
  @Test(arguments: ["log-4", "log-3", "header-4", "raw-1", "many-3"])
  func damagedFilesAreSurvived(_ name: String) throws {
    let database = try #require(SQLCipherFixture.raw.first { $0.name == name })
    let files = try database.files
    var random = SplitMix(state: 11)
    var opened = 0
    for _ in 0..<40 {
      var damaged = files.mapValues { bytes in
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...8, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        return Bool.random(using: &random)
          ? bytes : Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      }
      damaged["k.txt"] = Array(database.hex.utf8)
      opened += try scan(damaged) { $0.passphraseTime = .zero }.opened.count
    }
    #expect(opened > 5)
  }

  /// Beyond the limit, each file is named.
  @Test func whatIsNotTriedIsNamed() throws {
    var files = try SQLCipherFixture.raw[0].files
    var random = SplitMix(state: 5)
    for number in 0..<64 {
      files["Documents/a\(number)"] = (0..<2048).map { _ in .random(in: 0...255, using: &random) }
    }
    files["k.txt"] = Array(SQLCipherFixture.raw[0].hex.utf8)
    let result = try scan(files) { $0.passphraseTime = .zero }
    #expect(result.opened.isEmpty)
    let problems = result.summary.problems.filter { $0.reason.contains("No keys were tried") }
    #expect(problems.map(\.locator.path) == ["Documents/raw-4.db"])
  }

  /// The name of an entry may be the key.
  @Test func aKeyOfADictionaryIsTried() throws {
    let database = SQLCipherFixture.raw[0]
    let files = try database.files.merging([
      "k.json": Array(#"{"\#(database.hex)": 1}"#.utf8)
    ]) { $1 }
    #expect(try scan(files).opened.map(\.key.locator.path) == ["k.json"])
  }

  @Test func anEmptyJournalDoesNotHideTheLog() throws {
    let database = SQLCipherFixture.raw.first { $0.name == "log-4" }
    var files = try #require(database).files
    files["Documents/log-4.db-journal"] = Array(repeating: 0, count: 512)
    files["k.txt"] = Array(try #require(database).hex.utf8)
    #expect(try places(scan(files, "canary-of-log-4")).count == 1)
  }

  @Test func noiseIsNoDatabase() throws {
    var random = SplitMix(state: 7)
    let noise = (0..<8192).map { _ in UInt8.random(in: 0...255, using: &random) }
    let result = try scan([
      "Documents/noise.db": noise, "Documents/k.txt": Array(SQLCipherFixture.raw[0].hex.utf8),
    ])
    #expect(result.opened.isEmpty)
  }
}
