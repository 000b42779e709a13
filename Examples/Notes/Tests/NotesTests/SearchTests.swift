import Notes
import Testing

struct SearchTests {
  @Test func wordsAreFound() throws {
    let desk = try Desk()
    let notebook = try desk.notebook()
    for text in ["Buy milk", "Feed the wren", "Milk the goat, feed the cat"] {
      _ = try notebook.add(text)
    }
    #expect(try notebook.notes(with: "milk").map(\.id) == [3, 1])
    #expect(try notebook.notes(with: "the fee").map(\.id) == [3, 2])
    #expect(try notebook.notes(with: "otter").isEmpty)
    #expect(try notebook.notes(with: "\" OR *").isEmpty)
  }

  @Test func notesStayAfterARestart() throws {
    let desk = try Desk()
    let note = try desk.notebook().add("Buy milk")
    #expect(try desk.notebook().notes(with: "milk").map(\.text) == [note.text])
  }
}
