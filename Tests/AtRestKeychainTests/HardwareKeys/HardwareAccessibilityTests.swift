import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// A key in hardware has a this-device-only accessibility.
@Suite struct HardwareAccessibilityTests {
  let keychain: Keychain

  init() throws {
    keychain = try SimulatedDevice(passcode: "1234", hasHardwareKeys: true).keychain()
  }

  @Test(arguments: Accessibility.allCases) func migratableOnesAreRefused(
    accessibility: Accessibility
  ) throws {
    let expected: AtRestError.Code? =
      accessibility.keyClass.isMigratable ? .invalidArgument : nil
    #expect(
      refusal {
        try keychain.createHardwareKey(tag: "k", protection: .accessible(accessibility))
      } == expected)
    #expect(
      refusal {
        try keychain.createHardwareKey(
          tag: "c", protection: .controlled(AccessControl(accessibility, .devicePasscode)))
      } == expected)
    let count = try keychain.items(matching: KeychainQuery(.key)).count
    #expect(count == (expected == nil ? 2 : 0))
    // Control: a key in memory may have any accessibility.
    try keychain.createKey(.p256, tag: "m", protection: .accessible(accessibility))
  }

  @Test func theDefaultIsWhenUnlockedThisDeviceOnly() throws {
    try keychain.createHardwareKey(tag: "k")
    let item = try #require(try keychain.items(matching: KeychainQuery(.key)).first)
    #expect(item.protection == .accessible(.whenUnlockedThisDeviceOnly))
  }

  @Test func anUpdateCannotMakeItMigratable() throws {
    try keychain.createHardwareKey(tag: "k")
    let key = try #require(try keychain.items(matching: KeychainQuery(.key)).first).primaryKey
    for accessibility in Accessibility.allCases {
      #expect(
        refusal {
          try keychain.update(key, ItemChange(protection: .accessible(accessibility)))
        } == (accessibility.keyClass.isMigratable ? .invalidArgument : nil))
    }
    #expect(
      refusal { try keychain.update(key, ItemChange(synchronizable: true)) } == .invalidArgument)
  }
}
