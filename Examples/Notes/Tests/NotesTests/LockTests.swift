import AtRestCrypto
import AtRestSimulation
import Notes
import Testing

struct LockTests {
  @Test func aLockedNotebookIsNotRead() throws {
    let desk = try Desk()
    let notebook = try desk.notebook()
    _ = try notebook.add("Buy milk")
    try notebook.lock()
    let error = #expect(throws: AtRestError.self) { try notebook.notes() }
    #expect(error?.code == .locked)
    // Control: after the unlock, the note is there.
    try desk.device.unlock(passcode: "1234")
    #expect(try notebook.notes().map(\.text) == ["Buy milk"])
  }

  /// A locked phone does not take a new key for a notebook that it cannot read.
  @Test func aLockedNotebookIsNotReplaced() throws {
    let desk = try Desk()
    _ = try desk.notebook().add("Buy milk")
    desk.device.lock()
    #expect(throws: AtRestError.self) { try desk.notebook().add("Feed the wren") }
    try desk.device.unlock(passcode: "1234")
    #expect(try desk.notebook().notes().map(\.text) == ["Buy milk"])
  }
}
