import Foundation
import Testing

/// A new key leaves a database with the size of pages that programs open it with.
struct DatabasePageSizeTests {
  @Test(arguments: [nil, "16384"]) func aNewKeyKeepsIt(_ size: String?) throws {
    let run = try CommandRun.withStore()
    let file = run.folder.appendingPathComponent("notes.db").path
    func database(_ words: [String], _ size: String?, _ more: String...) throws -> CommandRun.Result
    {
      try run.run(
        ["database"] + words + ["--item", "notes"] + (size.map { ["--page-size", $0] } ?? []) + [
          file
        ]
          + more, input: nil)
    }
    #expect(
      try database(["shell", "--new"], size, "CREATE TABLE t AS SELECT 'walrus' AS a").status == 0)
    #expect(try database(["rekey"], size).status == 0)
    #expect(try database(["shell"], size, "SELECT a FROM t").text == "walrus\n")
    // Control: the size matters.
    #expect(try database(["shell"], size == nil ? "16384" : nil, "SELECT a FROM t").status != 0)
  }
}
