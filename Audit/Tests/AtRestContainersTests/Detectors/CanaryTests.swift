import AtRestContainers
import AtRestFormats
import Testing

@Suite struct CanaryTests {
  @Test func aListHoldsNamesValuesAndComments() throws {
    let list = "# canaries\nmail=a@b.example\r\n\n  4111 1111 1111 1111  \nbase=YWJj=\n"
    let canaries = try Canary.list(Array(list.utf8))
    #expect(canaries.map(\.name) == ["mail", "line 4", "base"])
    #expect(canaries.map(\.value) == ["a@b.example", "4111 1111 1111 1111", "YWJj="])
  }

  @Test func aShortValueIsRefusedByLineAndNotShown() {
    let error = #expect(throws: FormatError.self) {
      try Canary.list(Array("ok=long\npin=xyz".utf8))
    }
    #expect(error?.description.contains("Line 2") == true)
    #expect(error?.description.contains("xyz") == false)
  }

  @Test func anEmptyListIsRefused() {
    #expect(throws: FormatError("The list of canaries is empty.")) { try Canary.list([0x23]) }
  }

  @Test func bytesThatAreNoTextAreRefused() {
    #expect(throws: FormatError("The list of canaries is not UTF-8 text.")) {
      try Canary.list([0xFF, 0xFE, 0x41, 0x00])
    }
  }

  @Test func theValueIsInNoDescription() throws {
    let canary = try Canary(name: "pin", value: "s3cr3t-value")
    var dumped = ""
    dump(canary, to: &dumped)
    for text in ["\(canary)", String(reflecting: canary), "\([canary])", dumped] {
      #expect(!text.contains("s3cr3t"))
    }
  }
}
