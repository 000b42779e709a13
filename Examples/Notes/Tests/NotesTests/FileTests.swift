import Foundation
import GRDB
import Notes
import Testing

struct FileTests {
  @Test func theFilesHaveNoWordOfANote() throws {
    let desk = try Desk()
    let notebook = try desk.notebook()
    for _ in 0..<50 { _ = try notebook.add("walrus") }
    #expect(try !desk.contains("walrus"))
    // Control: the same database without encryption.
    let plain = try DatabaseQueue(path: desk.folder.appendingPathComponent("plain.db").path)
    try plain.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES('walrus')") }
    #expect(try desk.contains("walrus"))
  }
}

extension Desk {
  /// Returns true if one of the files contains a text.
  func contains(_ text: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .contains { try Data(contentsOf: $0).range(of: Data(text.utf8)) != nil }
  }
}
