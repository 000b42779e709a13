import AtRest
import Foundation
import Testing

/// Preferences hold no passwords.
@Suite struct PasswordPreferenceTests {
  private struct Login: Codable { var user = "eva", password = "correct horse" }

  @Test(arguments: ["password", "user.password", "PIN", "Passwort", "credentials"])
  func refusesKeysNamedSo(key: String) throws {
    let test = try TestVault()
    let preferences = try test.open().logIn("eva").preferences
    let error = #expect(throws: AtRestError.self) {
      try preferences.set("correct horse", forKey: key)
    }
    #expect(error?.code == .neverStored)
    #expect(error?.remedy.contains("TokenStore") == true)
    #expect("\(String(describing: error))".contains("correct horse") == false)
    expect(.neverStored) { try preferences.set("x", for: PreferenceKey(key, default: "")) }
    #expect(try preferences.object(forKey: key) == nil)
  }

  @Test func refusesFieldsNamedSo() throws {
    let test = try TestVault()
    let preferences = try test.open().logIn("eva").preferences
    expect(.neverStored) { try preferences.set(["password": "x"], forKey: "login") }
    expect(.neverStored) {
      try preferences.set(Login(), for: PreferenceKey("login", default: Login()))
    }
  }

  @Test func refusesFieldsInAnArray() throws {
    let test = try TestVault()
    let preferences = try test.open().logIn("eva").preferences
    expect(.neverStored) { try preferences.set([["password": "x"]], forKey: "accounts") }
    expect(.neverStored) {
      try preferences.set([Login()], for: PreferenceKey("accounts", default: []))
    }
    expect(.neverStored) { try preferences.set([1, 2, 3, 4], forKey: "pin") }
  }

  @Test func importsNoneAndLeavesThemOutOnRequest() throws {
    let test = try TestVault()
    let preferences = try test.open().logIn("eva").preferences
    let file = test.folder.appendingPathComponent("com.example.plist")
    try PropertyListSerialization.data(
      fromPropertyList: ["password": "x", "size": 2], format: .xml, options: 0
    ).write(to: file)
    expect(.neverStored) { try preferences.importPropertyList(at: file) }
    #expect(try preferences.dictionaryRepresentation().isEmpty)
    #expect(try preferences.importPropertyList(at: file, excluding: ["password"]) == ["size"])
  }

  /// Control: answers to questions about passwords, and removals, are allowed.
  @Test func takesOtherKeys() throws {
    let test = try TestVault()
    let preferences = try test.open().logIn("eva").preferences
    try preferences.set(true, forKey: "password")
    try preferences.set("an animal", forKey: "passwordHint")
    try preferences.set(Date(), forKey: "passwordChangedAt")
    try preferences.set(["pin": false], forKey: "shown")
    try preferences.set(nil, forKey: "passcode")
    try preferences.removeObject(forKey: "password")
    #expect(try preferences.dictionaryRepresentation().count == 3)
  }
}
