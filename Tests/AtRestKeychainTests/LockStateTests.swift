import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import AtRestSimulation
import Testing

/// The items that are readable in each state of the device.
@Suite struct LockStateTests {
  enum State: String, CaseIterable {
    case unlocked, locked, beforeFirstUnlock, passcodeRemoved
  }

  /// Returns the refusal of a read. nil means that the secret was returned.
  static func expected(_ accessibility: Accessibility, _ state: State) -> AtRestError.Code? {
    switch (accessibility, state) {
    case (_, .unlocked): nil
    case (.whenPasscodeSetThisDeviceOnly, .passcodeRemoved): .notFound
    case (_, .passcodeRemoved): nil
    case (.always, _), (.alwaysThisDeviceOnly, _): nil
    case (.afterFirstUnlock, .locked), (.afterFirstUnlockThisDeviceOnly, .locked): nil
    default: .locked
    }
  }

  @Test(arguments: Accessibility.allCases, State.allCases)
  func eachAccessibilityKeepsItsPromise(
    _ accessibility: Accessibility, _ state: State
  ) throws {
    let device = try SimulatedDevice(passcode: "1234")
    var keychain = try device.keychain()
    let reference = try keychain.put(password(), "s3cr3t", [:], .accessible(accessibility))
    // Each item is read once, so that every key that could be cached is cached.
    #expect(try keychain.text(password()) == "s3cr3t")
    switch state {
    case .unlocked: break
    case .locked: device.lock()
    case .beforeFirstUnlock:
      try device.restart()
      keychain = try device.keychain()
    case .passcodeRemoved: try device.removePasscode()
    }
    let expected = Self.expected(accessibility, state)
    let query = KeychainQuery(.genericPassword)
    #expect(refusal { try keychain.text(password()) } == expected)
    #expect(refusal { try keychain.text(reference) } == expected)
    #expect(refusal { try keychain.item(for: password()).group } == expected)
    // A query without matches returns an empty list. A refused query throws.
    let isGone = expected == .notFound
    #expect(
      refusal { try keychain.items(matching: query, secrets: true) }
        == (isGone ? nil : expected))
    #expect(refusal { try keychain.items(matching: query) } == (isGone ? nil : expected))
    #expect(refusal { try keychain.change(password(), "new") } == expected)
    if expected == .locked {
      let error = try #require(thrown { try keychain.text(password()) })
      #expect(error.message.contains(accessibility.name), "The class that blocked is named.")
      #expect(error.refusal == .locked)
      // The item stays, and no second item is created.
      #expect(
        refusal { try keychain.put(password("b"), "", [:], .accessible(accessibility)) }
          == .locked)
      #expect(refusal { try keychain.put(password()) } != nil)
      try device.unlock()
      #expect(try keychain.text(password()) == "s3cr3t")
      #expect(try keychain.count() == 1)
    }
  }

  @Test func whatDoesNotExistIsNotFoundWhileLockedToo() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    device.lock()
    #expect(refusal { try keychain.text(password()) } == .notFound)
  }

  @Test func aListSaysWhichItemsAreLocked() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    let locked = try keychain.put(password("a"))
    try keychain.put(password("b"), "", [:], .accessible(.afterFirstUnlock))
    device.lock()
    let items = try keychain.items(matching: KeychainQuery(.genericPassword))
    #expect(items.map(\.attributes.account) == ["b"])
    #expect(items.withheld.map(\.reference) == [locked])
    #expect(items.withheld.first?.reason.code == .locked)
  }

  @Test func cachedKeysAreNotUsedAfterALock() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let one = try device.keychain()
    let two = try device.keychain()
    try one.put(password())
    for keychain in [one, two] {
      for _ in 0..<3 { #expect(try keychain.text(password()) == "s3cr3t") }
    }
    device.lock()
    for keychain in [one, two] {
      #expect(refusal { try keychain.text(password()) } == .locked)
      #expect(refusal { try keychain.put(password("b")) } == .locked)
    }
  }

  @Test func deletingNeedsNoUnlock() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    for account in ["a", "b", "c", "d"] { try keychain.put(password(account)) }
    let reference = try keychain.item(for: password("b")).reference
    device.lock()
    try keychain.delete(password("a"))
    try keychain.delete(reference)
    #expect(
      try keychain.delete(matching: KeychainQuery(.genericPassword, [.account: "c"])) == 1)
    #expect(try keychain.delete(matching: KeychainQuery(.genericPassword)) == 1)
    #expect(try keychain.count() == 0)
  }

  @Test func whileLockedEveryAttributeDecidesWhatIsDeleted() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    try keychain.put(password(), "", [.comment: "C"])
    device.lock()
    for (comment, count): (ItemAttributeValue, Int) in [("B", 0), ("C", 1)] {
      let query = KeychainQuery(.genericPassword, [.comment: comment])
      #expect(try keychain.delete(matching: query) == count)
    }
    #expect(try keychain.count() == 0)
  }

  @Test func whatNeedsAPasscodeIsRefusedWithoutOne() throws {
    let device = try SimulatedDevice()
    let keychain = try device.keychain()
    #expect(
      refusal {
        try keychain.put(password(), "", [:], .accessible(.whenPasscodeSetThisDeviceOnly))
      } == .passcodeNotSet)
    try device.setPasscode("1234")
    try keychain.put(password(), "s3cr3t", [:], .accessible(.whenPasscodeSetThisDeviceOnly))
    #expect(try keychain.text(password()) == "s3cr3t")
  }

  @Test func aNewPasscodeBringsNothingBack() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    let needs = ItemProtection.accessible(.whenPasscodeSetThisDeviceOnly)
    try keychain.put(password("gone"), "", [:], needs)
    try keychain.put(password("stays"))
    try device.removePasscode()
    try device.setPasscode("1234")
    #expect(refusal { try keychain.text(password("gone")) } == .notFound)
    #expect(try keychain.text(password("stays")) == "s3cr3t")
    #expect(try keychain.count() == 1)
    try keychain.put(password("gone"), "new", [:], needs)
    try device.restart()
    try device.unlock()
    #expect(try device.keychain().text(password("gone")) == "new")
  }

  @Test func changingThePasscodeTouchesNothing() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    for accessibility in Accessibility.allCases {
      try keychain.put(
        password(accessibility.name), "s3cr3t", [:], .accessible(accessibility))
    }
    try device.setPasscode("a longer one")
    try device.restart()
    try device.unlock()
    let again = try device.keychain()
    for accessibility in Accessibility.allCases {
      #expect(try again.text(password(accessibility.name)) == "s3cr3t")
    }
  }

  @Test(arguments: [false, true])
  func afterAWipeNothingIsReadable(_ isByLimit: Bool) throws {
    let device = try SimulatedDevice()
    let keychain = try device.keychain()
    try device.keybag.setPasscode(
      SecretBytes(utf8: "1234"),
      options: .init(kdf: .forTesting, attemptLimit: 2, allowsWeakPasscode: true))
    for accessibility in Accessibility.allCases {
      let key = password(accessibility.name)
      try keychain.put(key, "s3cr3t", [:], .accessible(accessibility))
      // This caches the keys.
      for _ in 0..<2 { #expect(try keychain.text(key) == "s3cr3t") }
    }
    if isByLimit {
      for _ in 0..<2 {
        _ = refusal { try device.keybag.verify(passcode: SecretBytes(utf8: "x")) }
      }
    } else {
      try device.keybag.wipe()
    }
    for accessibility in Accessibility.allCases {
      let key = password(accessibility.name)
      #expect(refusal { try keychain.text(key) } != nil)
      #expect(refusal { try keychain.text(key) } != .notFound)
      #expect(refusal { try keychain.item(for: key).group } != nil)
    }
  }

  @Test func itemsOutliveAReinstallation() throws {
    let device = try SimulatedDevice()
    try device.keychain().put(password())
    #expect(try device.reinstall().text(password()) == "s3cr3t")
  }
}
