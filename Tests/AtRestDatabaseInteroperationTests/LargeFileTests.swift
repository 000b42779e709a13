import Foundation
import Testing

/// SQLite locks bytes at 1 GiB, and never writes the page there. `make torture` writes past it.
@Suite(
  .enabled(
    if: Implementation.peersAreInstalled
      && ProcessInfo.processInfo.environment["ATREST_TORTURE"] == "full"), .serialized)
struct LargeFileTests {
  @Test(arguments: SchemaTests.pairs, [4096, 65_536])
  func aFileOfMoreThanAGibibyte(_ pair: Pair, pageSize: Int) throws {
    let folder = try DatabaseFolder()
    let layout = DatabaseLayout(pageSize: pageSize)
    let maker = try DatabaseProgram(pair.first, opening: folder.database, layout)
    try maker.run("CREATE TABLE note (id INTEGER PRIMARY KEY, body BLOB)")
    for _ in 0..<11 { try maker.run("INSERT INTO note (body) VALUES (zeroblob(100000000))") }
    try maker.close()
    let other = try DatabaseProgram(pair.second, opening: folder.database, layout)
    #expect(try other.value("SELECT sum(length(body)) FROM note") == "1100000000")
    #expect(try other.value("PRAGMA integrity_check") == "ok")
    try other.run("INSERT INTO note (body) VALUES (x'0011')")
    try other.run("DELETE FROM note WHERE id = 10")
    try other.close()
    try maker.open(folder.database, layout)
    #expect(try maker.value("SELECT sum(length(body)) FROM note") == "1000000002")
    #expect(try maker.value("PRAGMA integrity_check") == "ok")
    #expect(try maker.value("SELECT hex(body) FROM note WHERE id = 12") == "0011")
  }
}
