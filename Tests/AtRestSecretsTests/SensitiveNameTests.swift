import AtRestSecrets
import Testing

@Suite struct SensitiveNameTests {
  @Test(arguments: [
    ("lastPassword", SecretKind.password), ("screenTimePasscode", .password),
    ("user.password", .password), ("com.example.user/passwd[0]", .password),
    ("client_secret", .token), ("deviceSecret", .secret), ("updatedAccessToken", .token),
    ("connect.sid", .token), ("saved.session.token.v2", .token), ("ZREFRESHTOKEN", .token),
    ("X-Api-Key", .token), ("privateKeyPEM", .privateKey), ("card.number", .cardNumber),
    ("iban", .bankAccount), ("ZBIRTHDATE", .dateOfBirth), ("heartRateBpm", .health),
  ])
  func theLastWordThatMattersDecides(_ key: String, _ kind: SecretKind) {
    #expect(SensitiveName(key: key)?.kind == kind)
    #expect(SensitiveName(key: key)?.strength == .clear)
  }

  @Test(arguments: [
    "encryptedPassword", "hashed_password", "publicKey", "deviceToken", "nextPageToken",
    "csrfToken",
    "passwordLength", "hasPassword", "passwordUpdatedAt", "kSecClassGenericPassword", "",
  ])
  func otherKeysAreHarmless(_ key: String) { #expect(SensitiveName(key: key) == nil) }

  @Test(arguments: [("session", SecretKind.token), ("lat", .location)])
  func aVagueKeyIsSaidToBe(_ key: String, _ kind: SecretKind) {
    #expect(SensitiveName(key: key)?.kind == kind)
    #expect(SensitiveName(key: key)?.strength == .vague)
  }

  @Test func aPluralIsSaidToBe() {
    #expect(SensitiveName(key: "passwords")?.isPlural == true)
    #expect(SensitiveName(key: "password")?.isPlural == false)
  }

  @Test func aTextIsNoKey() {
    #expect(SensitiveName(key: String(repeating: "a", count: 80) + "password") == nil)
  }
}
