import Foundation
import Testing

/// The view of an attacker who searches the store's folder for the sealed bytes of an item that was
/// deleted, in order to open them with keys that become known later.
@Suite struct DeletedItemTests {
  /// Returns all pieces of 16 bytes in the files of the store's folder.
  private func pieces(_ run: CommandRun) throws -> Set<Data> {
    var pieces: Set<Data> = []
    for name in try run.names("store") {
      let data = try #require(run.contents("store/\(name)"))
      guard data.count >= 16 else { continue }
      for start in 0...data.count - 16 { pieces.insert(data[start..<start + 16]) }
    }
    return pieces
  }

  @Test func itsRowIsOverwritten() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "s", "--account", "kept", input: "kept")
    let before = try pieces(run)
    let secret = String(repeating: "a long secret ", count: 100)
    _ = try run("add", "--service", "s", "--account", "gone", input: secret)
    let added = try pieces(run).subtracting(before)
    // Control: while the item exists, its sealed secret is in the files.
    #expect(added.count > secret.utf8.count)
    #expect(try run("delete", "--service", "s", "--account", "gone").status == 0)
    let left = try added.intersection(pieces(run))
    #expect(left.count < 400, "\(left.count) of \(added.count)")
    #expect(try run("get", "--service", "s", "--account", "kept").text == "kept")
  }
}
