import AtRestKeybag
import Foundation
import Testing

/// A wipe of a store that does not open: the device refuses it from then on, if it is the one that belongs in
/// the folder.
@Suite struct UnopenedWipeTests {
  private static let warning = "A copy of it that does open is not refused."

  private func damage(_ run: CommandRun) throws {
    let file = run.folder.appendingPathComponent("store/keybag")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: file)
  }

  private func copy(_ run: CommandRun, to name: String) throws -> String {
    let copy = run.folder.appendingPathComponent(name)
    try FileManager.default.copyItem(at: run.folder.appendingPathComponent("store"), to: copy)
    return copy.path
  }

  @Test func aCopyIsRefusedAndWhoeverHasItOpenIsTold() throws {
    let run = try CommandRun.withStore()
    let copy = try copy(run, to: "copy")
    let open = try StoreLocation(
      store: run.folder.appendingPathComponent("store").path,
      device: run.folder.appendingPathComponent("device").path
    ).openKeybag()
    #expect(!open.isWiped)
    try damage(run)
    let wiped = try run("wipe", "--yes")
    #expect(wiped.status == 0 && wiped.notes.contains("did not open"))
    #expect(!wiped.notes.contains(Self.warning))
    #expect(open.isWiped)
    let refused = try run("list", "--store", copy)
    #expect(refused.status == 1 && refused.notes.contains("was wiped"))
    #expect(try run("device", "status", "--json").text.contains("\"stores\" : [\n\n  ]"))
  }

  /// The identity in a keybag that does not open may be that of another store.
  @Test func aStoreElsewhereIsNotDestroyed() throws {
    let run = try CommandRun.withStore()
    let elsewhere = run.folder.appendingPathComponent("elsewhere").path
    #expect(try run("init", "--no-passcode", "--store", elsewhere).status == 0)
    let keybag = run.folder.appendingPathComponent("store/keybag")
    try FileManager.default.removeItem(at: keybag)
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: elsewhere).appendingPathComponent("keybag"), to: keybag)
    try damage(run)
    let wiped = try run("wipe", "--yes")
    #expect(wiped.status == 0 && wiped.notes.contains(Self.warning))
    #expect(wiped.notes.contains("atrest device forget"))
    #expect(try run("list", "--store", elsewhere).status == 0)
  }
}
