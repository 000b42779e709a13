import AtRestContainers
import Testing

/// Telephone and card numbers that are not written as the tester typed them.
@Suite struct NumberGroupTests {
  private func isFound(_ typed: String, in text: String) throws -> Bool {
    let matcher = CanaryMatcher([try Canary(name: "typed", value: typed)])
    return !matcher.matches(in: Array("call \(text), please".utf8)).isEmpty
  }

  @Test(arguments: [
    "0301234567", "030 123 45 67", "(030) 1234567", "030/123.45.67", "03 01 23 45 67",
    "+49 30 1234567", "+49 (0)30 123-4567", "+49301234567", "0049 30 1234567", "030\u{A0}1234567",
    "030\u{2011}1234567", "(030) - 123 456 7",
  ])
  func aTelephoneNumberIsFoundInEachForm(_ text: String) throws {
    for typed in ["030 1234567", "+49 30 1234567", "+49 (0)30 1234567", "0049301234567"] {
      #expect(try isFound(typed, in: text), "\(typed)")
    }
  }

  @Test(arguments: ["(415) 555-2671", "+1 415 555 2671", "1-415-555-2671", "415.555.2671"])
  func aNumberOfNorthAmericaIsFoundWithAndWithoutItsCode(_ text: String) throws {
    #expect(try isFound("+1 415 555 2671", in: text))
    #expect(try isFound("(415) 555-2671", in: text) || text.hasPrefix("1-"))
  }

  @Test(arguments: [
    "4111 1111 1111 1234", "4111111111111234", "4111-1111-1111-1234", "411 111 111 111 123 4",
    "41 11 11 11 11 11 12 34", "4111.1111.1111.1234",
  ])
  func aCardNumberIsFoundInAnyGroups(_ text: String) throws {
    #expect(try isFound("4111111111111234", in: text))
    #expect(try isFound("4111 1111 1111 1234", in: text))
  }

  @Test func anotherNumberThatEndsAlikeIsNotFound() throws {
    #expect(try !isFound("030 1234567", in: "88301234567"))
    #expect(try !isFound("030 1234567", in: "7301234567"))
    #expect(try !isFound("+49 30 1234567", in: "3012345678"))
  }
}
