import Foundation
import GRDB
import Notes
import Testing

struct FileTests {
  @Test func theFilesHaveNoWordOfANote() throws {
    let desk = try Desk()
    let notebook = try desk.notebook()
    // A short word might be in the encrypted files by chance.
    let text = "a walrus in the bath"
    for _ in 0..<50 { _ = try notebook.add(text) }
    #expect(try !desk.contains(text))
    // Control: the same database without encryption.
    let plain = try DatabaseQueue(path: desk.folder.appendingPathComponent("plain.db").path)
    try plain.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES('\(text)')") }
    #expect(try desk.contains(text))
  }
}

extension Desk {
  /// Returns true if one of the files contains a text.
  func contains(_ text: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .contains { try Data(contentsOf: $0).range(of: Data(text.utf8)) != nil }
  }
}
