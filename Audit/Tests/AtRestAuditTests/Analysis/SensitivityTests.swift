import AtRestAudit
import Testing

@Suite struct SensitivityTests {
  @Test(arguments: [
    ("password", SensitiveKind.credential), ("userPIN", .credential), ("txt_pwd", .credential),
    ("newPassword", .credential), ("contraseña", .credential), ("Passwort", .credential),
    ("пароль", .credential), ("密码", .credential), ("accessToken", .token), ("kAPIKey", .token),
    ("getSessionToken", .token), ("privateKeyData", .key), ("card_number", .payment),
    ("creditCVV", .payment), ("ssn", .identity), ("dateOfBirth", .personal), ("diagnosis", .health),
    ("userLocation", .location),
  ])
  func aNameTells(_ name: String, _ expected: SensitiveKind) {
    #expect(SensitiveKind.ofName(name) == expected)
  }

  @Test(arguments: [
    "passwordLength", "isPasswordValid", "passwordLabel", "publicKey", "deviceToken",
    "encryptedToken",
    "cancellationToken", "tokenizer", "mapPin", "dictionaryKey", "forgotPassword", "nextPageToken",
    "spinner", "shipping", "tokenExpiry", "passwordStrength", "keyPath", "onceToken",
    "accuracyAuthorization", "",
  ])
  func aNameThatOnlyContainsItDoesNot(_ name: String) {
    #expect(SensitiveKind.ofName(name) == nil)
  }

  @Test(arguments: [
    ("PIN", SensitiveKind.credential), ("user.password", .credential),
    ("com.example.auth_token", .token),
    ("login_password", .credential),
  ])
  func aKeyTells(_ key: String, _ expected: SensitiveKind) {
    #expect(SensitiveKind.ofKey(key) == expected)
  }

  @Test(arguments: [
    ("Password", SensitiveKind.credential), ("Enter your card number", .payment),
    ("In what city were you born?", .credential), ("E-mail address", .personal),
  ])
  func aCaptionTells(_ caption: String, _ expected: SensitiveKind) {
    #expect(SensitiveKind.ofCaption(caption) == expected)
  }

  @Test(arguments: ["Forgot password?", "Search", "Passwords must match", "Name"])
  func aCaptionThatAsksForNothingDoesNot(_ caption: String) {
    #expect(SensitiveKind.ofCaption(caption) == nil)
  }

  @Test func settingsAddAndTakeAwayNames() throws {
    let tree = SourceTree(files: [
      "A.swift": "func f(_ mrn: String, _ passcode: String) { print(mrn)\nprint(passcode) }"
    ])
    var settings = Settings()
    func lines() throws -> [Int] {
      try Audit(tree: tree, settings: settings).run().findings.filter { $0.rule == "log-sensitive" }
        .map(\.location.start.line)
    }
    #expect(try lines() == [2])
    settings.sensitiveNames = ["mrn": .health]
    settings.harmlessNames = ["passcode"]
    #expect(try lines() == [1])
  }
}
