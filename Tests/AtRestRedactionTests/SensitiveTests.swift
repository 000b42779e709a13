import AtRestCrypto
import AtRestRedaction
import Foundation
import Testing

@Suite struct SensitiveTests {
  private static let secret = "4111-hush-hush"

  private struct Card: Codable, Hashable, Error {
    let holder: String
    @Sensitive var number: String
  }

  /// The control: the same type without the wrapper.
  private struct BareCard: Error {
    let holder: String
    let number: String
  }

  /// Returns every form in which Swift prints a value.
  private static func prints(_ value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    var printed = ""
    print(value, to: &printed)
    var debugPrinted = ""
    debugPrint(value, to: &debugPrinted)
    return [
      dumped, printed, debugPrinted, "\(value)", String(describing: value),
      String(reflecting: value), "\(Mirror(reflecting: value).children.map { "\($0)" })",
    ]
  }

  @Test func nothingPrintsIt() {
    let value = Sensitive(Self.secret)
    let card = Card(holder: "Eva", number: Self.secret)
    let holders: [Any] = [
      value, Sensitive<String>?.some(value) as Any, [value],
      [value: value], ["key": value], (value, 1),
      card, [card], Card?.some(card) as Any, Result<Int, Card>.failure(card), card as any Error,
      Sensitive([Self.secret]), Sensitive(BareCard(holder: "", number: Self.secret)),
    ]
    for holder in holders {
      for text in Self.prints(holder) {
        #expect(!text.contains("hush"), "\(type(of: holder)): \(text.count) characters")
      }
    }
    #expect("\(value)" == "[withheld]")
    #expect("\(card)".contains("Eva"))
  }

  @Test func withoutItEverythingPrints() {
    for text in Self.prints(BareCard(holder: "Eva", number: Self.secret)) {
      #expect(text.contains("hush"))
    }
  }

  @Test func itIsThereForWhoAsks() {
    let card = Card(holder: "Eva", number: Self.secret)
    #expect(card.number == Self.secret)
    #expect(card.$number.reveal() == Self.secret)
    #expect(card.$number.withValue(\.count) == Self.secret.count)
    #expect(Set([card, card]).count == 1)
    #expect(Sensitive(1) != Sensitive(2))
  }

  @Test func encodingEncodesTheValue() throws {
    let data = try JSONEncoder().encode(Card(holder: "Eva", number: Self.secret))
    #expect(String(decoding: data, as: UTF8.self).contains(Self.secret))
    #expect(try JSONDecoder().decode(Card.self, from: data).number == Self.secret)
  }

  @Test func anOptionalMayBeLeftOut() throws {
    struct Login: Codable { @Sensitive var code: String? }
    #expect(try JSONDecoder().decode(Login.self, from: Data("{}".utf8)).code == nil)
    let given = try JSONDecoder().decode(Login.self, from: Data(#"{"code": "12"}"#.utf8))
    #expect(given.code == "12")
    #expect(try JSONEncoder().encode(Login(code: nil)) == Data("{}".utf8))
  }
}
