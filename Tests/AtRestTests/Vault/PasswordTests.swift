import AtRest
import Foundation
import Testing

/// Passwords are not stored as values, whatever the record is called. `passwords.tsv` of
/// `AtRestSecretsTests` has the names.
@Suite struct PasswordTests {
  private struct Login: Codable {
    var user = "eva"
    var password: String? = "correct horse"
  }
  private struct Settings: Codable {
    var password = true
    var passwordHint = "an animal"
    var pin = ["lat": 48.1]
  }

  @Test func refusesPasswordsAndSaysWhatToDo() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let error = #expect(throws: AtRestError.self) {
      try eva.store("correct horse", in: VaultRecord("login", .password))
    }
    #expect(error?.code == .neverStored)
    #expect(error?.remedy.contains("TokenStore") == true)
    #expect("\(String(describing: error))".contains("correct horse") == false)
    #expect(try eva.contents.isEmpty)
  }

  @Test(arguments: [
    "password", "userPassword", "bank-passwd", "PWD", "password2", "Passwort", "PIN", "login-pw",
    "passphrase", "credentials", "motDePasse", "contraseña", "hasło", "пароль", "パスワード",
  ])
  func refusesRecordsNamedSo(name: String) throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    expect(.neverStored) { try eva.store("correct horse", in: VaultRecord(name, .document)) }
    expect(.neverStored) {
      try eva.store(.data(Data([1])), in: VaultRecord(name, .document))
    }
    expect(.neverStored) { try eva.preferences(named: name).set(1, forKey: "size") }
    #expect(try eva.contents.isEmpty)
  }

  @Test(arguments: ["password-hint-shown", "passport", "compass", "pinned", "passwordChangedAt"])
  func takesNamesThatOnlySoundSo(name: String) throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("fine", in: VaultRecord(name, .document))
    #expect(try eva.value(in: VaultRecord<String>(name, .document)) == "fine")
  }

  @Test func refusesKindsNamedSo() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let kind = DataKind("login-password", .consumerGrade)
    expect(.neverStored) { try eva.store("correct horse", in: VaultRecord("login", kind)) }
    try eva.store("fine", in: VaultRecord("login", DataKind("password-hint", .consumerGrade)))
  }

  @Test func refusesValuesWithSuchAField() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let error = #expect(throws: AtRestError.self) {
      try eva.store(Login(), in: VaultRecord("login", .document))
    }
    #expect(error?.code == .neverStored)
    #expect(error?.message.contains("password") == true)
    #expect("\(String(describing: error))".contains("correct horse") == false)
    expect(.neverStored) { try eva.store([Login()], in: VaultRecord("logins", .document)) }
    expect(.neverStored) {
      try eva.update(VaultRecord("login", .document), default: Login()) { $0.user = "ada" }
    }
    #expect(try eva.contents.isEmpty)
  }

  @Test func doesNotQuoteTheKeysOfADictionary() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let error = #expect(throws: AtRestError.self) {
      try eva.store(["hers \"q\" Password": "x"], in: VaultRecord("map", .document))
    }
    #expect(error?.code == .neverStored)
    #expect(error?.message.contains("hers") == false)
  }

  private struct Phone: Codable { var pin = [1, 2, 3, 4] }
  private enum Entry: Codable { case pin(String) }

  @Test func refusesEveryShapeOfAPIN() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    expect(.neverStored) { try eva.store(Phone(), in: VaultRecord("phone", .document)) }
    expect(.neverStored) { try eva.store(Entry.pin("1234"), in: VaultRecord("entry", .document)) }
  }

  @Test(arguments: ["contrasen\u{303}a", "s\u{327}ifre", "ＰＡＳＳＷＯＲＤ", "ŞİFRE", "password/eva"])
  func refusesEveryFormOfAName(name: String) throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    expect(.neverStored) { try eva.store("correct horse", in: VaultRecord(name, .document)) }
  }

  /// The application says that it is no password, and that it is one.
  @Test func believesTheRecord() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("81929", in: VaultRecord("pincode", .document, isPassword: false))
    try eva.store(Login(), in: VaultRecord("page", .document, isPassword: false))
    expect(.neverStored) {
      try eva.store("x", in: VaultRecord("entry", .document, isPassword: true))
    }
    expect(.neverStored) {
      try eva.store("x", in: VaultRecord("page", .password, isPassword: false))
    }
  }

  /// Control: a field without a password, a Boolean value and a nested key are no passwords.
  @Test func takesOtherFields() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store(Login(password: nil), in: VaultRecord("login", .document))
    try eva.store(Settings(), in: VaultRecord("settings", .document))
    try eva.store(["fr": ["password": "mot de passe"]], in: VaultRecord("texts", .document))
    try eva.store("{\"password\":\"a text\"}", in: VaultRecord("page", .document))
    #expect(try eva.contents.count == 4)
  }
}
