import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// Deleting removes all matching items and nothing else.
@Suite struct DeleteTests {
  @Test func deletingByAQueryTakesAllThatMatch() throws {
    let keychain = try SimulatedDevice().keychain()
    for number in 0..<20 {
      try keychain.put(password("\(number)", service: number < 12 ? "mail" : "web"))
    }
    try keychain.put(.internetPassword(server: "s", account: "a"))
    #expect(
      try keychain.delete(matching: KeychainQuery(.genericPassword, [.service: "mail"])) == 12)
    #expect(try keychain.items(matching: KeychainQuery(.genericPassword)).count == 8)
    #expect(try keychain.delete(matching: KeychainQuery(.genericPassword)) == 8)
    #expect(try keychain.items(matching: KeychainQuery(.internetPassword)).count == 1)
  }

  @Test func deletingAllTakesEveryAccessibilityAndAccessControl() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    for accessibility in Accessibility.allCases {
      try keychain.put(password(accessibility.name), "", [:], .accessible(accessibility))
      try keychain.put(
        password("controlled \(accessibility.name)"), "", [:],
        .controlled(AccessControl(accessibility, .devicePasscode)))
      if accessibility.keyClass.isMigratable {
        try keychain.put(
          password(accessibility.name, synchronizable: true), "", [:],
          .accessible(accessibility))
      }
    }
    try keychain.addWithoutSecret(password("no value"))
    device.lock()
    let expected = try keychain.count()
    #expect(
      try keychain.delete(matching: KeychainQuery(.genericPassword, synchronizable: .any))
        == expected)
    #expect(try keychain.count() == 0)
    #expect(device.user.prompts.isEmpty)
  }

  @Test(arguments: [1, 2], [0, 1, 2, 3])
  func deletingTakesNoMoreThanTheLimit(limit: Int, lockedCount: Int) throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    for number in 0..<3 {
      try keychain.put(
        password("\(number)"), "", [:],
        .accessible(number < lockedCount ? .whenUnlocked : .afterFirstUnlock))
    }
    device.lock()
    #expect(
      try keychain.delete(matching: KeychainQuery(.genericPassword, limit: limit)) == limit)
    try device.unlock()
    #expect(
      try keychain.items(matching: KeychainQuery(.genericPassword)).map(\.attributes.account)
        == (limit..<3).map(String.init))
  }

  @Test func whatWasDeletedCanBeAddedAgain() throws {
    let keychain = try SimulatedDevice().keychain()
    for number in 0..<3 {
      try keychain.put(password(), "\(number)")
      #expect(try keychain.text(password()) == "\(number)")
      try keychain.delete(password())
      #expect(refusal { try keychain.text(password()) } == .notFound)
    }
  }
}
