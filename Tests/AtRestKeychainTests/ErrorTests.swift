import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// Refusals have distinct codes and contain no secret.
@Suite struct ErrorTests {
  @Test func noErrorCarriesASecretOrAPassword() throws {
    let secret = "pLAinTEXTsecret"
    let sesame = "aPPlicationPaSSword"
    let passcode = "paSScode-1234"
    let device = try SimulatedDevice(passcode: passcode)
    let keychain = try device.keychain()
    let store = try DiskStore()
    var errors: [AtRestError] = []
    func collect<Result>(_ body: () throws -> Result) {
      if let error = thrown(body) { errors.append(error) }
    }
    let context = AuthenticationContext(applicationPassword: SecretBytes(utf8: sesame))
    try keychain.put(password(), secret)
    try keychain.put(
      password("app"), secret, [:], .controlled(.applicationPassword(.whenUnlocked)),
      context: context)
    try keychain.put(
      password("code"), secret, [:], .controlled(AccessControl(.whenUnlocked, .devicePasscode)))
    collect { try keychain.put(password(), secret) }
    collect { try keychain.put(password(group: "other"), secret) }
    collect { try keychain.put(password("b"), secret, [.server: "x"]) }
    collect { try keychain.put(password("b"), secret, [.creator: "x"]) }
    device.user.know(applicationPassword: sesame)
    for answer in [ScriptedUser.Answer.fail, .cancel] {
      device.user.will(answer)
      collect { try keychain.text(password("app")) }
      collect { try keychain.text(password("code")) }
    }
    collect { try keychain.change(password("none"), secret) }
    device.lock()
    collect { try keychain.text(password()) }
    collect { try keychain.put(password("b"), secret) }
    for column in DamageTests.columns {
      try store.damage(column, of: store.keychain.put(password(), secret))
      collect {
        // A secret without access control is read without its metadata.
        _ = try store.keychain.item(for: password())
        _ = try store.keychain.text(password())
      }
      collect { try store.keychain.change(password(), secret) }
      try store.keychain.delete(password())
    }
    #expect(errors.count == 17)
    for word in [secret, sesame, passcode] {
      let bytes = Data(word.utf8)
      let forms = [
        word, bytes.base64EncodedString(), bytes.map { String(format: "%02x", $0) }.joined(),
      ]
      for error in errors {
        for form in forms {
          #expect(!"\(error) \(String(reflecting: error))".lowercased().contains(form.lowercased()))
        }
        #expect(!error.message.isEmpty && !error.remedy.isEmpty)
      }
    }
  }

  @Test func secretsDoNotShowInDescriptions() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password(), "pLAinTEXTsecret")
    let items = try keychain.items(matching: KeychainQuery(.genericPassword), secrets: true)
    var dumped = ""
    dump(items, to: &dumped)
    dump(items[0], to: &dumped)
    #expect(!"\(items) \(items[0]) \(dumped)".contains("pLAinTEXTsecret"))
  }
}
