import AtRest
import Testing

@Suite struct PasswordTests {
  @Test func refusesPasswordsAndSaysWhatToDo() throws {
    let test = try TestVault()
    let eva = try test.open().account("eva")
    let error = #expect(throws: AtRestError.self) {
      try eva.store("correct horse", in: Record("login", .password))
    }
    #expect(error?.code == .neverStored)
    #expect(error?.remedy.contains("TokenStore") == true)
    #expect("\(String(describing: error))".contains("correct horse") == false)
    #expect(try eva.contents.isEmpty)
  }

  @Test(arguments: ["password", "userPassword", "bank-passwd", "PWD", "password2"])
  func refusesRecordsNamedSo(name: String) throws {
    let test = try TestVault()
    let eva = try test.open().account("eva")
    expect(.neverStored) { try eva.store("correct horse", in: Record(name, .document)) }
  }

  @Test(arguments: ["password-hint-shown", "passport", "compass"])
  func takesNamesThatOnlySoundSo(name: String) throws {
    let test = try TestVault()
    let eva = try test.open().account("eva")
    try eva.store("fine", in: Record(name, .document))
    #expect(try eva.value(in: Record<String>(name, .document)) == "fine")
  }
}
