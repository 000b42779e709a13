import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// A key is created if it does not exist, and never because it could not be read.
@Suite struct GetOrCreateTests {
  private struct Failure: Error, Equatable {}

  private func attempt(
    _ keychain: Keychain, _ context: AuthenticationContext? = nil,
    protection: ItemProtection = .whenUnlocked, made: inout Int
  ) throws -> String? {
    var count = 0
    defer { made += count }
    let secret = try keychain.getOrCreate(password(), protection: protection, context: context) {
      count += 1
      return SecretBytes(utf8: "made")
    }
    return String(copying: secret)
  }

  @Test func itMakesOneWhereThereIsNone() throws {
    let keychain = try SimulatedDevice().keychain()
    var made = 0
    #expect(try attempt(keychain, made: &made) == "made")
    #expect(try attempt(keychain, made: &made) == "made")
    #expect(made == 1)
    #expect(try keychain.text(password()) == "made")
  }

  @Test func itGivesWhatIsThere() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password(), "there")
    var made = 0
    #expect(try attempt(keychain, made: &made) == "there")
    #expect(made == 0)
  }

  @Test func lockedMakesNone() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    try keychain.put(password(), "there")
    device.lock()
    var made = 0
    #expect(refusal { try attempt(keychain, made: &made) } == .locked)
    try device.unlock()
    #expect(try attempt(keychain, made: &made) == "there")
    #expect(made == 0)
  }

  @Test func damagedMakesNone() throws {
    let store = try DiskStore()
    for column in DamageTests.columns {
      try store.damage(column, of: store.keychain.put(password(), "there"))
      var made = 0
      #expect(refusal { try attempt(store.keychain, made: &made) } == .damaged)
      #expect(made == 0)
      try store.keychain.delete(password())
    }
  }

  @Test func notPermittedMakesNone() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    try keychain.put(
      password(), "there", [:], .controlled(AccessControl(.whenUnlocked, .devicePasscode)))
    var made = 0
    let forbidden = AuthenticationContext(interaction: .forbidden)
    #expect(
      refusal { try attempt(keychain, forbidden, made: &made) } == .interactionNotAllowed)
    device.user.will(.cancel)
    #expect(refusal { try attempt(keychain, made: &made) } == .canceled)
    device.user.will(.fail)
    #expect(refusal { try attempt(keychain, made: &made) } == .authenticationFailed)
    device.user.will(.comply)
    #expect(try attempt(keychain, made: &made) == "there")
    #expect(made == 0)
    let foreign = password(group: "foreign")
    #expect(
      refusal { try keychain.getOrCreate(foreign) { SecretBytes(utf8: "") }.count }
        == .missingEntitlement)
  }

  @Test func itMakesOneOnceEvenWhereTheUserIsAskedInBetween() throws {
    let device = try SimulatedDevice()
    device.user.know(applicationPassword: "sesame")
    let keychain = try device.keychain()
    var made = 0
    let protection = ItemProtection.controlled(.applicationPassword(.whenUnlocked))
    #expect(try attempt(keychain, protection: protection, made: &made) == "made")
    #expect(made == 1)
    #expect(try attempt(keychain, protection: protection, made: &made) == "made")
    #expect(made == 1)
  }

  @Test func whatTheMakerThrowsComesOutAndNothingIsAdded() throws {
    let keychain = try SimulatedDevice().keychain()
    #expect(throws: Failure()) {
      _ = try keychain.getOrCreate(password()) { throw Failure() }.count
    }
    #expect(try keychain.count() == 0)
  }
}
