import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// An application password, without which the item's key cannot be derived.
@Suite struct ApplicationPasswordTests {
  static let controls: [AccessControl] = [
    .applicationPassword(.whenUnlocked),
    AccessControl(.whenUnlocked, .userPresence, applicationPassword: true),
    AccessControl(.whenUnlocked, .devicePasscodeAnd(.any), applicationPassword: true),
  ]

  private func context(
    _ text: String, _ interaction: AuthenticationContext.Interaction = .allowed
  ) -> AuthenticationContext {
    AuthenticationContext(
      interaction: interaction, applicationPassword: SecretBytes(utf8: text))
  }

  private func device(_ control: AccessControl) throws -> (SimulatedDevice, Keychain) {
    let device = try SimulatedDevice(passcode: "1234")
    device.enrolBiometry()
    let keychain = try device.keychain()
    try keychain.put(
      password(), "s3cr3t", [:], .controlled(control), context: context("sesame"))
    #expect(device.user.prompts.isEmpty)
    return (device, keychain)
  }

  private func wasAskedForPassword(_ device: SimulatedDevice) -> Int {
    device.user.prompts.count {
      if case .applicationPassword = $0 { true } else { false }
    }
  }

  @Test(arguments: controls)
  func theRightOneInTheContextOpens(_ control: AccessControl) throws {
    let (device, keychain) = try device(control)
    #expect(try keychain.text(password(), context("sesame")) == "s3cr3t")
    #expect(wasAskedForPassword(device) == 0)
  }

  @Test(arguments: controls)
  func aWrongOneIsAFailedAuthentication(_ control: AccessControl) throws {
    let (_, keychain) = try device(control)
    let wrong = context("simsim")
    #expect(refusal { try keychain.text(password(), wrong) } == .authenticationFailed)
    #expect(
      refusal { try keychain.update(password(), ItemChange(), context: context("")) }
        == .authenticationFailed)
    #expect(try keychain.text(password(), context("sesame")) == "s3cr3t")
  }

  @Test(arguments: controls)
  func whereNoneIsGivenItIsAskedFor(_ control: AccessControl) throws {
    let (device, keychain) = try device(control)
    device.user.know(applicationPassword: "sesame")
    let shared = AuthenticationContext()
    #expect(try keychain.text(password(), shared) == "s3cr3t")
    #expect(try keychain.text(password(), shared) == "s3cr3t")
    #expect(wasAskedForPassword(device) == 1)
    device.user.know(applicationPassword: "wrong")
    let other = AuthenticationContext()
    #expect(refusal { try keychain.text(password(), other) } == .authenticationFailed)
    // A wrong password is not remembered: the next attempt asks again.
    device.user.know(applicationPassword: "sesame")
    #expect(try keychain.text(password(), other) == "s3cr3t")
    device.user.will(.cancel)
    #expect(refusal { try keychain.text(password()) } == .canceled)
  }

  @Test func whereAskingIsForbiddenItIsRefused() throws {
    let (device, keychain) = try device(.applicationPassword(.whenUnlocked))
    let forbidden = AuthenticationContext(interaction: .forbidden)
    #expect(refusal { try keychain.text(password(), forbidden) } == .interactionNotAllowed)
    #expect(
      try keychain.text(password(), context("sesame", .forbidden)) == "s3cr3t")
    #expect(device.user.prompts.isEmpty)
  }

  @Test func withARequirementTheRightPasswordAloneIsNotEnough() throws {
    let (device, keychain) = try device(
      AccessControl(.whenUnlocked, .devicePasscode, applicationPassword: true))
    #expect(
      refusal { try keychain.text(password(), context("sesame", .forbidden)) }
        == .interactionNotAllowed)
    device.user.will(.cancel)
    #expect(refusal { try keychain.text(password(), context("sesame")) } == .canceled)
  }

  @Test func savingWithoutOneAsksForIt() throws {
    let device = try SimulatedDevice()
    let keychain = try device.keychain()
    device.user.know(applicationPassword: "sesame")
    try keychain.put(
      password(), "s3cr3t", [:], .controlled(.applicationPassword(.whenUnlocked)))
    #expect(wasAskedForPassword(device) == 1)
    #expect(try keychain.text(password(), context("sesame")) == "s3cr3t")
    device.user.will(.cancel)
    #expect(
      refusal {
        try keychain.put(
          password("b"), "", [:], .controlled(.applicationPassword(.whenUnlocked)))
      } == .canceled)
    #expect(try keychain.count() == 1)
  }

  @Test func anUpdateKeepsIt() throws {
    let (_, keychain) = try device(.applicationPassword(.whenUnlocked))
    try keychain.update(
      password(), ItemChange(attributes: [.label: "L"]), secret: SecretBytes(utf8: "new"),
      context: context("sesame"))
    #expect(try keychain.text(password(), context("sesame")) == "new")
    #expect(refusal { try keychain.text(password(), context("x")) } == .authenticationFailed)
  }
}
