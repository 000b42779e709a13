import AtRest
import Testing

@Suite struct PassphraseStrengthTests {
  private func strength(_ text: String) -> PassphraseStrength {
    PassphraseStrength(of: SecretBytes(utf8: text))
  }

  // Below 10^6, they fall to a slow attack over the network.
  @Test(arguments: [
    "password", "Password", "PASSWORD", "p@ssw0rd", "drowssap", "123456", "111111", "qwerty",
    "qwertyuiop", "zxcvbn", "1qaz2wsx", "abcdefgh", "zyxwvuts", "987654321", "13579", "aaaaaaaa",
    "abcabcabc", "1999", "19/07/1984", "1984-07-19", "19071984", "monkey1", "letmein!", "dragon99",
    "Sunshine1", "iloveyou", "michelle", "elephant", "wolverine", "тттттттт", "passwordpassword",
    "",
  ])
  func weak(_ text: String) {
    #expect(strength(text).log10Guesses < 6)
  }

  // Phrases that attackers try as a whole gain no strength from their length.
  @Test(arguments: [
    "correct horse battery staple", "Correct-Horse-Battery-Staple", "correcthorsebatterystaple",
    "To be, or not to be", "MayTheForceBeWithYou", "may_the_f0rce_be_with_you",
    "1qaz2wsx3edc", "1qaz2wsx3edc4rfv", "1QAZ2WSX3EDC", "zaq1xsw2cde3", "qazwsxedcrfv",
    "qawsedrftg",
    "123456789101112", "101112131415", "102030405060", "001002003004", "112233445566",
    "2 4 6 8 10 12",
    "99989796959493", "123412341234", "20232024", "1984 1985", "1789", "14921776",
  ])
  func aKnownPatternIsWeak(_ text: String) {
    #expect(strength(text).log10Guesses < 6, "\(strength(text))")
  }

  // A name with a birthday is among the first ten million guesses, whatever its form.
  @Test(arguments: [
    "Sophie14071989", "maria 3.5.1990", "Katharina12.03.1987", "1989-07-14 Sophie", "Anna1990",
    "m4ria31121999", "Ahmet 19.05.1981", "Giuseppe_24/12/1975", "Max&Lena07061999",
  ])
  func aNameWithABirthdayIsWeak(_ text: String) {
    let strength = strength(text)
    #expect(strength.log10Guesses < 8, "\(strength)")
    #expect(strength.weaknesses.contains { $0.contains("name") || $0.contains("date") })
    #expect(throws: AtRestError.self) {
      try PassphraseRules.sensitive.check(SecretBytes(utf8: text))
    }
  }

  // Phrases, passwords and names of several languages.
  @Test(arguments: [
    "Einigkeit und Recht und Freiheit", "je pense donc je suis", "En un lugar de la Mancha",
    "Nel mezzo del cammin di nostra vita", "Veni, vidi, vici", "never gonna give you up",
    "motdepasse", "contraseña", "passwort", "Hallo123", "azerty", "qwertz", "galatasaray",
  ])
  func otherLanguagesAreKnown(_ text: String) {
    #expect(strength(text).log10Guesses < 6, "\(strength(text))")
  }

  // Few words of a list of words are weak, and more are strong.
  @Test func theNumberOfWordsDecides() {
    #expect(strength("purple elephant").log10Guesses < 10)
    #expect(strength("purple elephant walrus fiddle").log10Guesses >= 10)
  }

  // Controls: passphrases that only resemble a pattern keep their strength.
  @Test(arguments: [
    "staple horse correct battery", "to bee or knot two bea", "1qbz3wnx2egc5rfk", "10u1k1213v4q15",
    "may the farce be with yak", "719384620517",
  ])
  func whatOnlyLooksLikeAPatternIsNot(_ text: String) {
    #expect(strength(text).log10Guesses >= 8, "\(strength(text))")
  }

  // From 10^10 on, they withstand a fast attack on a copy.
  @Test(arguments: [
    "correctstaplehorsebattery", "kX9#mQ2v$Lp7", "wqzkvjxhbmtf",
    "Tr0ub4dor&3zebraquilt", "coRrecth0rseba++ery9.23.2007staple$", "eheuczkqyq",
    "rWibMFACxAUGZmxhVncy", "Ba9ZyWABu99[BK#6MBgbH88Tofv)vs$w", "42803975106482915073",
    "sieben lila Nashörner backen", "жук рисует синий пароход", "neverforget13/3/1997 jumbled wax",
  ])
  func strong(_ text: String) {
    #expect(strength(text).log10Guesses >= 10)
  }

  @Test(arguments: [
    ("password", "common password"), ("drowssap", "backwards"), ("p@ssw0rd1", "password"),
    ("p@$$word", "symbols in place of letters"), ("efghijk", "alphabet"), ("rtyuhjk", "keyboard"),
    ("correct horse battery staple", "well-known phrase"),
    ("1qaz2wsx3edc4rfv", "keyboard"),
    ("101112131415", "numbers"), ("1492", "year"), ("kqkqkqkqkq", "repetition"),
    ("17.03.1961", "date"), ("elephant", "common word"),
  ])
  func theWeaknessIsNamed(_ text: String, _ words: String) {
    #expect(strength(text).weaknesses.contains { $0.contains(words) })
  }

  @Test(arguments: [
    "ｐａｓｓｗｏｒｄｐａｓｓｗｏｒｄ", "ＰＡＳＳＷＯＲＤ１２３", "p a s s w o r d 1 2 3",
  ])
  func aDisguiseAddsLittle(_ text: String) {
    #expect(strength(text).log10Guesses < 10)
  }

  @Test func whatIsRandomHasNoWeakness() {
    #expect(strength("wqzkvjxhbmtf").weaknesses == [])
  }

  @Test func moreOfTheSameAddsLittle() {
    let once = strength("password").log10Guesses
    #expect(strength("password" + "password").log10Guesses < once + 2)
    #expect(strength("wqzkvjxh" + "bmtfgpdl").log10Guesses > 2 * once)
  }

  @Test func aLongPassphraseTakesBoundedTime() {
    let clock = ContinuousClock()
    for text in ["a", "ab", "password", "1qaz", "wqzkvjxhbmtf", "19", "é"] {
      let long = SecretBytes(utf8: String(String(repeating: text, count: 4096).prefix(4096)))
      let time = clock.measure { _ = PassphraseStrength(of: long).log10Guesses }
      #expect(time < .seconds(60), "\(text)")
    }
  }

  @Test func noDescriptionQuotes() {
    let strength = strength("Elephant1984")
    #expect(!"\(strength)".lowercased().contains("elephant"))
    #expect(!"\(strength)".contains("1984"))
  }
}
