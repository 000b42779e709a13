import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// Changing the accessibility of an item neither loses nor duplicates it.
@Suite struct AccessibilityChangeTests {
  @Test(arguments: Accessibility.allCases, Accessibility.allCases)
  func oneItemStays(_ old: Accessibility, _ new: Accessibility) throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    let reference = try keychain.put(password(), "s3cr3t", [.label: "L"], .accessible(old))
    try keychain.update(password(), ItemChange(protection: .accessible(new)))
    let item = try keychain.item(for: reference)
    #expect(item.protection == .accessible(new) && item.attributes.label == "L")
    #expect(try keychain.text(password()) == "s3cr3t")
    #expect(try keychain.count() == 1)
    #expect(
      try keychain.items(matching: KeychainQuery(.genericPassword, accessibility: new)).count == 1)
    if old != new {
      #expect(
        try keychain.items(matching: KeychainQuery(.genericPassword, accessibility: old)).isEmpty)
    }
    device.lock()
    let isReadable = LockStateTests.expected(new, .locked) == nil
    #expect((refusal { try keychain.text(password()) } == nil) == isReadable)
  }

  @Test func aChangeThatIsRefusedLeavesTheItemAsItWas() throws {
    let device = try SimulatedDevice()
    let keychain = try device.keychain()
    try keychain.put(password())
    #expect(
      refusal {
        try keychain.update(
          password(),
          ItemChange(protection: .accessible(.whenPasscodeSetThisDeviceOnly)))
      } == .passcodeNotSet)
    #expect(try keychain.text(password()) == "s3cr3t")
    #expect(try keychain.item(for: password()).protection == .whenUnlocked)
  }

  @Test func aChangeThatIsRefusedInATransactionLeavesTheItemAsItWas() throws {
    // The transaction continues and commits. It must not contain a part of the refused call.
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    try keychain.put(password(), "s3cr3t", [:], .accessible(.always))
    device.lock()
    try keychain.transaction {
      #expect(
        refusal {
          try keychain.update(
            password(),
            ItemChange(
              attributes: [.account: "adam"], protection: .accessible(.whenUnlocked)))
        } == .locked)
    }
    #expect(try keychain.text(password()) == "s3cr3t")
    #expect(try keychain.count() == 1)
  }

  @Test func accessControlIsAddedAndTakenAway() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    try keychain.put(password())
    let control = AccessControl(.afterFirstUnlock, .devicePasscode)
    try keychain.update(password(), ItemChange(protection: .controlled(control)))
    #expect(device.user.prompts.isEmpty)
    #expect(try keychain.text(password()) == "s3cr3t")
    #expect(device.user.prompts.count == 1)
    // Removing access control opens the item, so the user is asked.
    device.user.will(.cancel)
    let change = ItemChange(protection: .accessible(.whenUnlocked))
    #expect(refusal { try keychain.update(password(), change) } == .canceled)
    device.user.will(.comply)
    try keychain.update(password(), change)
    let asked = device.user.prompts.count
    #expect(try keychain.text(password()) == "s3cr3t")
    #expect(device.user.prompts.count == asked)
    #expect(try keychain.count() == 1)
  }
}
