import AtRest
import Testing

@Suite struct PasswordTests {
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

  @Test(arguments: ["password", "userPassword", "bank-passwd", "PWD", "password2"])
  func refusesRecordsNamedSo(name: String) throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    expect(.neverStored) { try eva.store("correct horse", in: VaultRecord(name, .document)) }
  }

  @Test(arguments: ["password-hint-shown", "passport", "compass"])
  func takesNamesThatOnlySoundSo(name: String) throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("fine", in: VaultRecord(name, .document))
    #expect(try eva.value(in: VaultRecord<String>(name, .document)) == "fine")
  }
}
