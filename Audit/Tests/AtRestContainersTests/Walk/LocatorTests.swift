import AtRestContainers
import Testing

@Suite struct LocatorTests {
  @Test func readsFromTheOutsideIn() {
    let locator = Locator(
      "a.zip",
      [.entry("b.db"), .cell(table: "t", row: 3, column: "c"), .encoding("base64"), .offset(4)])
    #expect(locator.description == "a.zip › b.db › t, row 3, c › base64 › byte 4")
  }
}
