import Foundation
import Testing

/// The first bytes of a file.
@Suite(.enabled(if: Implementation.peersAreInstalled)) struct HeaderTests {
  static let programs: [Implementation] = [.atRest, .sqlcipher]

  @Test(arguments: programs) func aNewFileStartsWithARandomSalt(_ program: Implementation) throws {
    let starts = try (0..<3).map { _ in try header(program, .standard).prefix(16) }
    #expect(Set(starts).count == 3)
    #expect(!starts.contains(Data("SQLite format 3\0".utf8)))
    #expect(!starts.contains(Data(count: 16)))
  }

  @Test(arguments: programs, [96, 160])
  func aRawKeyWithASaltSetsTheStart(_ program: Implementation, digits: Int) throws {
    let key = String(repeating: ExchangeTests.key, count: digits / 64)
    let layout = DatabaseLayout(key: "x'\(key)\(ExchangeTests.salt)'")
    #expect(try header(program, layout).prefix(16).hex == ExchangeTests.salt)
  }

  /// iOS reads these bytes to find out that an open file is a SQLite database in WAL mode.
  @Test(arguments: programs, ["delete", "wal"])
  func aPlaintextHeaderShowsTheFormat(_ program: Implementation, mode: String) throws {
    let layout = DatabaseLayout(pageSize: 1024, salt: ExchangeTests.salt)
    let header = try header(program, layout, mode: mode)
    #expect(header.prefix(16) == Data("SQLite format 3\0".utf8))
    let version: UInt8 = mode == "wal" ? 2 : 1
    #expect(Array(header[16..<24]) == [4, 0, version, version, 80, 64, 32, 32])
    // The schema's root begins after byte 100. The rest of the header is not zero, as it would be in
    // plaintext.
    #expect(header[72..<92] != Data(count: 20))
  }

  @Test(arguments: programs) func anEmptyPassphraseNeverMeansPlaintext(
    _ implementation: Implementation
  ) throws {
    let folder = try DatabaseFolder()
    let program = try DatabaseProgram(implementation)
    // Both may refuse it.
    _ = try? program.open(folder.database, DatabaseLayout(key: ""))
    _ = try? program.run("CREATE TABLE walrus (text)")
    program.kill()
    let file = (try? Data(contentsOf: folder.database)) ?? Data()
    #expect(implementation == .sqlcipher || file.range(of: Data("walrus".utf8)) == nil)
  }

  /// The number of a page is part of what is authenticated, so the same page has other bytes.
  @Test(arguments: programs) func pagesAreNeverEqual(_ program: Implementation) throws {
    let folder = try DatabaseFolder()
    let database = try DatabaseProgram(program, opening: folder.database)
    try database.run("CREATE TABLE note (body BLOB)")
    try database.run("INSERT INTO note VALUES (zeroblob(200000))")
    try database.close()
    let file = try Data(contentsOf: folder.database)
    let pages = stride(from: 0, to: file.count, by: 4096).map { file[$0..<$0 + 4096] }
    #expect(pages.count > 40)
    #expect(Set(pages.map { $0.prefix(32) }).count == pages.count)
    #expect(Set(pages.map { $0.suffix(80).prefix(16) }).count == pages.count)
  }

  private func header(
    _ implementation: Implementation, _ layout: DatabaseLayout, mode: String = "delete"
  ) throws -> Data {
    let folder = try DatabaseFolder()
    let program = try DatabaseProgram(implementation, opening: folder.database, layout)
    try program.run("PRAGMA journal_mode = \(mode)")
    try program.run("CREATE TABLE note (text)")
    try program.close()
    return try Data(contentsOf: folder.database).prefix(100)
  }
}
