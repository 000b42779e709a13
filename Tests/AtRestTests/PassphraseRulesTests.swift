import AtRest
import Testing

@Suite struct PassphraseRulesTests {
  private func refusal(_ text: String, _ sensitivity: Sensitivity) -> AtRestError? {
    do {
      try PassphraseRules.rules(for: sensitivity).check(SecretBytes(utf8: text))
      return nil
    } catch {
      return error as? AtRestError
    }
  }

  @Test(arguments: ["", "1234", "839201", "8392017465", "8392017465839271046", "hf7$Kq2"])
  func highlySensitiveDataRefuses(_ text: String) {
    #expect(refusal(text, .highlySensitive)?.code == .weakPassphrase)
  }

  @Test(arguments: [
    "Jürgen 14.07.1989", "Сергей1990", "Наталья1990", "любовьморковь", "Sophie14071989!!!!",
    "Anna Maria Lena 1990",
  ])
  func highlySensitiveDataRefusesANameWithADateInAnyAlphabet(_ text: String) {
    #expect(refusal(text, .highlySensitive)?.code == .weakPassphrase)
  }

  @Test(arguments: [
    "жираф тихо варит синюю кашу", "четыре лиловых носорога", "ünlü Käse tanzt über Öfen",
  ])
  func highlySensitiveDataAcceptsWordsOfAnyAlphabet(_ text: String) {
    #expect(refusal(text, .highlySensitive) == nil)
  }

  @Test(arguments: ["four purple rhinos cooking", "kX9#mQ2v$Lp7", "48302915740682913567"])
  func highlySensitiveDataAccepts(_ text: String) {
    #expect(refusal(text, .highlySensitive) == nil)
  }

  @Test func digitsAloneAreRefusedForWhatTheyAre() throws {
    let error = try #require(refusal("839201746583", .highlySensitive))
    #expect(error.message.contains("digits only"))
    // They are strong enough for sensitive data.
    #expect(refusal("839201746583", .sensitive) == nil)
  }

  @Test func sensitiveDataWantsEightCharactersThatAreNotGuessed() {
    #expect(refusal("kX9#mQ2", .sensitive)?.code == .weakPassphrase)
    #expect(refusal("kX9#mQ2v", .sensitive) == nil)
    #expect(refusal("password1234", .sensitive)?.code == .weakPassphrase)
  }

  @Test func consumerGradeDataWantsAny() {
    #expect(refusal("", .consumerGrade)?.code == .weakPassphrase)
    #expect(refusal("x", .consumerGrade) == nil)
  }

  @Test func charactersCountAndNotBytes() {
    #expect(refusal("жукжуж9", .sensitive)?.message.contains("8 characters") == true)
  }

  @Test func theRefusalSaysWhyAndQuotesNothing() throws {
    let error = try #require(refusal("Elephant 1984", .highlySensitive))
    #expect(error.message.contains("a common word"))
    #expect(error.message.contains("a date or year"))
    #expect(!error.remedy.isEmpty)
    #expect(!"\(error)".lowercased().contains("elephant") && !"\(error)".contains("1984"))
  }

  @Test func tooLongIsNoPassphrase() {
    let long = String(repeating: "wqzk ", count: 1000)
    #expect(refusal(long, .consumerGrade)?.code == .invalidArgument)
    #expect(refusal(String(long.prefix(4096)), .consumerGrade) == nil)
  }
}
