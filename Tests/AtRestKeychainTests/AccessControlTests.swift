import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// The proofs that access control requires when an item is read.
@Suite struct AccessControlTests {
  typealias Requirement = AccessControl.Requirement

  static let all: [Requirement] = [
    .userPresence, .devicePasscode, .biometry(.any), .biometry(.currentSet),
    .devicePasscodeOr(.any), .devicePasscodeOr(.currentSet), .devicePasscodeAnd(.any),
    .devicePasscodeAnd(.currentSet),
  ]

  private func device(
    _ requirement: Requirement, biometry: Bool = true
  ) throws -> (SimulatedDevice, Keychain) {
    let device = try SimulatedDevice(passcode: "1234")
    if biometry { device.enrolBiometry() }
    let keychain = try device.keychain()
    try keychain.put(
      password(), "s3cr3t", [:], .controlled(AccessControl(.whenUnlocked, requirement)))
    #expect(device.user.prompts.isEmpty, "Saving asks for nothing.")
    return (device, keychain)
  }

  private func kinds(_ device: SimulatedDevice) -> [String] {
    device.user.prompts.map {
      switch $0 {
      case .passcode: "passcode"
      case .biometry: "biometry"
      case .applicationPassword: "application password"
      }
    }
  }

  /// Returns the prompts for a user who complies and has a finger enrolled.
  private func expectedPrompts(_ requirement: Requirement) -> [String] {
    switch requirement {
    case .userPresence, .biometry, .devicePasscodeOr: ["biometry"]
    case .devicePasscode: ["passcode"]
    case .devicePasscodeAnd: ["biometry", "passcode"]
    }
  }

  @Test(arguments: all)
  func readingAsksAndGivesTheSecret(_ requirement: Requirement) throws {
    let (device, keychain) = try device(requirement)
    #expect(try keychain.text(password()) == "s3cr3t")
    #expect(kinds(device) == expectedPrompts(requirement))
    // Without a shared context, each access asks again.
    #expect(try keychain.text(password()) == "s3cr3t")
    #expect(kinds(device) == expectedPrompts(requirement) + expectedPrompts(requirement))
  }

  @Test(arguments: all)
  func everyCallThatOpensTheItemAsks(_ requirement: Requirement) throws {
    let (device, keychain) = try device(requirement)
    let prompts = expectedPrompts(requirement)
    let reference = try keychain.item(for: password()).reference
    let query = KeychainQuery(.genericPassword)
    let calls: [() throws -> Void] = [
      { _ = try keychain.text(reference) },
      { _ = try keychain.item(for: reference) },
      { _ = try keychain.items(matching: query) },
      { _ = try keychain.items(matching: query, secrets: true) },
      { try keychain.change(password(), "new") },
      { try keychain.update(password(), ItemChange(attributes: [.label: "L"])) },
      { try keychain.update(matching: query, ItemChange()) },
      { try keychain.set(password(), secret: SecretBytes(utf8: "newer")) },
      { try keychain.move(password(), to: password("adam")) },
    ]
    for call in calls {
      let before = kinds(device).count
      try call()
      #expect(Array(kinds(device)[before...]) == prompts)
    }
    let before = kinds(device).count
    try keychain.delete(password("adam"))
    #expect(kinds(device).count == before, "Deleting asks nobody.")
  }

  @Test(arguments: all)
  func aCancelledPromptIsCanceled(_ requirement: Requirement) throws {
    let (device, keychain) = try device(requirement)
    device.user.will(.cancel)
    #expect(refusal { try keychain.text(password()) } == .canceled)
    #expect(refusal { try keychain.item(for: password()).group } == .canceled)
    #expect(refusal { try keychain.change(password(), "new") } == .canceled)
    #expect(kinds(device).count == 3, "A cancelled prompt is not followed by another.")
    device.user.will(.comply)
    #expect(try keychain.text(password()) == "s3cr3t")
  }

  @Test(arguments: all)
  func aFailedPromptIsAFailedAuthentication(_ requirement: Requirement) throws {
    let (device, keychain) = try device(requirement)
    device.user.will(.fail)
    #expect(refusal { try keychain.text(password()) } == .authenticationFailed)
    let isPasscodeTried =
      switch requirement {
      // The passcode is asked for after the finger. If both are required, the finger comes first.
      case .userPresence, .devicePasscode, .devicePasscodeOr: true
      case .biometry, .devicePasscodeAnd: false
      }
    #expect(try device.keybag.failedAttempts() == (isPasscodeTried ? 1 : 0))
    device.user.will(.comply)
    #expect(try keychain.text(password()) == "s3cr3t")
  }

  @Test(arguments: all)
  func withInteractionForbiddenNothingIsSaid(_ requirement: Requirement) throws {
    let (device, keychain) = try device(requirement)
    let reference = try keychain.item(for: password()).reference
    let asked = device.user.prompts
    let context = AuthenticationContext(interaction: .forbidden)
    let query = KeychainQuery(.genericPassword)
    let calls: [() throws -> Void] = [
      { _ = try keychain.text(password(), context) },
      { _ = try keychain.text(reference, context) },
      // The item's attributes and its existence are protected too.
      { _ = try keychain.item(for: password(), context: context) },
      { _ = try keychain.item(for: reference, context: context) },
      { _ = try keychain.items(matching: query, context: context) },
      { try keychain.update(password(), ItemChange(), context: context) },
      { try keychain.update(password(), secret: SecretBytes(utf8: "new"), context: context) },
      { try keychain.update(matching: query, ItemChange(), context: context) },
    ]
    for call in calls { #expect(refusal(call) == .interactionNotAllowed) }
    #expect(device.user.prompts == asked)
    #expect(try keychain.text(password()) == "s3cr3t")
  }

  @Test(arguments: all)
  func skippedItemsAreWithheld(_ requirement: Requirement) throws {
    let (device, keychain) = try device(requirement)
    let hidden = try keychain.item(for: password()).reference
    try keychain.put(password("open"), "open")
    let asked = device.user.prompts
    let context = AuthenticationContext(interaction: .skip)
    for secrets in [false, true] {
      let items = try keychain.items(
        matching: KeychainQuery(.genericPassword), secrets: secrets, context: context)
      #expect(items.map(\.attributes.account) == ["open"])
      #expect(items.withheld.map(\.reference) == [hidden])
      #expect(items.withheld.first?.reason.code == .interactionNotAllowed)
    }
    #expect(device.user.prompts == asked)
  }

  @Test(arguments: all)
  func aContextReusedAsksOnce(_ requirement: Requirement) throws {
    let (device, keychain) = try device(requirement)
    try keychain.put(
      password("second"), "2", [:], .controlled(AccessControl(.whenUnlocked, requirement)))
    let context = AuthenticationContext(reason: "Pay the invoice")
    #expect(try keychain.text(password(), context) == "s3cr3t")
    #expect(try keychain.text(password("second"), context) == "2")
    #expect(
      try keychain.items(matching: KeychainQuery(.genericPassword), secrets: true, context: context)
        .count == 2)
    #expect(kinds(device) == expectedPrompts(requirement))
    let reasons = device.user.prompts.map {
      switch $0 {
      case .passcode(let reason), .biometry(let reason), .applicationPassword(let reason): reason
      }
    }
    #expect(Set(reasons) == ["Pay the invoice"])
    context.invalidate()
    #expect(refusal { try keychain.text(password(), context) } == .canceled)
    #expect(kinds(device) == expectedPrompts(requirement))
  }

  @Test(arguments: all)
  func aListOfSeveralAsksOnce(_ requirement: Requirement) throws {
    let (device, keychain) = try device(requirement)
    for number in 0..<5 {
      try keychain.put(
        password("\(number)"), "", [:],
        .controlled(AccessControl(.whenUnlocked, requirement)))
    }
    #expect(try keychain.items(matching: KeychainQuery(.genericPassword), secrets: true).count == 6)
    #expect(kinds(device) == expectedPrompts(requirement))
  }

  @Test(arguments: all)
  func afterReenrolmentTheCurrentSetIsDeadAndNothingElse(_ requirement: Requirement) throws {
    let (device, keychain) = try device(requirement)
    device.enrolBiometry()
    switch requirement {
    case .biometry(.currentSet), .devicePasscodeAnd(.currentSet):
      #expect(refusal { try keychain.text(password()) } == .notPermitted)
      #expect(kinds(device).isEmpty, "Nobody is asked for what cannot open it.")
    case .devicePasscodeOr(.currentSet):
      #expect(try keychain.text(password()) == "s3cr3t")
      #expect(kinds(device) == ["passcode"])
    default:
      #expect(try keychain.text(password()) == "s3cr3t")
    }
  }

  @Test(arguments: all)
  func withoutAFingerThePasscodeOpensWhatItMay(_ requirement: Requirement) throws {
    let (device, keychain) = try device(requirement)
    device.forgetBiometry()
    switch requirement {
    case .userPresence, .devicePasscode, .devicePasscodeOr:
      #expect(try keychain.text(password()) == "s3cr3t")
      #expect(kinds(device) == ["passcode"])
    case .biometry, .devicePasscodeAnd:
      #expect(refusal { try keychain.text(password()) } == .notPermitted)
      #expect(kinds(device).isEmpty)
    }
  }

  @Test(arguments: all)
  func withoutAPasscodeItIsNotSaved(_ requirement: Requirement) throws {
    let device = try SimulatedDevice()
    device.enrolBiometry()
    let keychain = try device.keychain()
    let code = refusal {
      try keychain.put(
        password(), "", [:], .controlled(AccessControl(.whenUnlocked, requirement)))
    }
    // Biometry has no fallback to the passcode, and needs none.
    if case .biometry = requirement {
      #expect(code == nil)
    } else {
      #expect(code == .passcodeNotSet)
    }
  }

  @Test(arguments: [Requirement.devicePasscode, .devicePasscodeAnd(.any)])
  func afterThePasscodeIsRemovedItSaysSo(_ requirement: Requirement) throws {
    let (device, keychain) = try device(requirement)
    try device.removePasscode()
    let error = try #require(thrown { try keychain.text(password()) })
    #expect(error.code == .passcodeNotSet && error.refusal == .notPermitted)
  }

  @Test func theCurrentSetWithNobodyEnrolledIsNotSaved() throws {
    let keychain = try SimulatedDevice(passcode: "1234").keychain()
    #expect(
      refusal {
        try keychain.put(
          password(), "", [:],
          .controlled(AccessControl(.whenUnlocked, .biometry(.currentSet))))
      } == .notPermitted)
  }

  @Test(arguments: all)
  func aLockedItemIsLockedBeforeAnybodyIsAsked(_ requirement: Requirement) throws {
    let (device, keychain) = try device(requirement)
    device.lock()
    #expect(refusal { try keychain.text(password()) } == .locked)
    #expect(refusal { try keychain.item(for: password()).group } == .locked)
    #expect(device.user.prompts.isEmpty)
  }

  @Test func attributesComeWithTheAccessControl() throws {
    let (_, keychain) = try device(.devicePasscodeAnd(.currentSet))
    let control = AccessControl(.whenUnlocked, .devicePasscodeAnd(.currentSet))
    #expect(try keychain.item(for: password()).protection == .controlled(control))
    #expect(try keychain.item(for: password()).protection.accessibility == .whenUnlocked)
  }

  @Test func privateKeyUsageIsForKeys() throws {
    let keychain = try SimulatedDevice(passcode: "1234").keychain()
    let control = ItemProtection.controlled(.privateKeyUsage(.whenUnlocked))
    #expect(refusal { try keychain.put(password(), "", [:], control) } == .invalidArgument)
    try keychain.put(PrimaryKey(.key, [.applicationTag: "k"]), "", [:], control)
  }

  @Test(arguments: all)
  func everyAccessControlComesBackAfterARestart(_ requirement: Requirement) throws {
    let device = try SimulatedDevice(passcode: "1234")
    device.enrolBiometry()
    let control = AccessControl(.afterFirstUnlock, requirement)
    try device.keychain().put(password(), "s3cr3t", [:], .controlled(control))
    try device.restart()
    try device.unlock()
    let keychain = try device.keychain()
    #expect(try keychain.item(for: password()).protection == .controlled(control))
    #expect(try keychain.text(password()) == "s3cr3t")
  }

  @Test func inATransactionItAsksToo() throws {
    let (device, keychain) = try device(.devicePasscode)
    let context = AuthenticationContext()
    let text = try keychain.transaction { try keychain.text(password(), context) }
    #expect(text == "s3cr3t")
    #expect(kinds(device) == ["passcode"])
  }
}
