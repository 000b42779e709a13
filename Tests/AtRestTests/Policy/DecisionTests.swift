import AtRest
import Testing

@Suite struct DecisionTests {
  @Test(arguments: [
    (DataKind.preference, DataSubject.owner, 1, Sensitivity.consumerGrade),
    (.statement, .others, 1, .sensitive), (.statement, .owner, 2, .sensitive),
    (.sharedSecret, .owner, 1, .sensitive), (.contact, .others, 999, .sensitive),
    (.contact, .others, 1_000, .highlySensitive), (.health, .owner, 1, .highlySensitive),
    (.paymentCard, .others, 1, .highlySensitive),
  ])
  func findsTheSensitivity(
    kind: DataKind, subject: DataSubject, people: Int, expected: Sensitivity
  ) {
    let classification = Classification(kind, of: subject, people: people)
    #expect(StoragePolicy.standard.sensitivity(of: classification) == expected)
  }

  @Test func aRecordRaisesAndNeverLowers() {
    let policy = StoragePolicy.standard
    #expect(policy.sensitivity(of: Classification(.ticket, atLeast: .sensitive)) == .sensitive)
    #expect(
      policy.sensitivity(of: Classification(.health, atLeast: .consumerGrade)) == .highlySensitive)
  }

  @Test func choosesTheKey() throws {
    let policy = StoragePolicy.standard
    #expect(try policy.decide(Classification(.token), size: 10).key == .device)
    #expect(try policy.decide(Classification(.message), size: 10).key == .passphrase)
    #expect(
      try policy.decide(Classification(.message), size: 10, hasCompositeKey: true).key
        == .composite)
    #expect(
      try policy.decide(Classification(.health), size: 10, hasCompositeKey: true).key
        == .passphrase)
  }

  @Test func choosesTheStoreBySizeAndKind() throws {
    let policy = StoragePolicy.standard
    #expect(try policy.decide(Classification(.document), size: 16_384).store == .keychain)
    #expect(try policy.decide(Classification(.document), size: 16_385).store == .file)
    #expect(try policy.decide(Classification(.attachment), size: 0).store == .file)
  }

  @Test func nothingOfTheStandardLeavesTheDevice() throws {
    for kind in DataKind.all where kind != .password {
      #expect(try !StoragePolicy.standard.decide(Classification(kind), size: 10).mayMigrate)
    }
  }

  @Test func aStricterPolicyWantsToKnowHowLong() throws {
    let contact = Classification(.contact, of: .others)
    #expect(throws: AtRestError.self) { _ = try StoragePolicy.strict.decide(contact, size: 1) }
    let decision = try StoragePolicy.strict.decide(contact, size: 1, retention: .days(999))
    #expect(decision.retention.age == .seconds(365 * 86_400))
    #expect(decision.accessibility == .whenPasscodeSetThisDeviceOnly)
    #expect(try StoragePolicy.standard.decide(contact, size: 1).retention == .untilLogout)
  }

  @Test func canBeChanged() throws {
    var policy = StoragePolicy.standard
    policy[.consumerGrade].accessibility = .afterFirstUnlock
    let decision = try policy.decide(Classification(.ticket), size: 1)
    #expect(decision.mayMigrate)
    #expect(policy != .standard)
  }

  @Test func explainsItself() throws {
    let test = try TestVault()
    let text = try test.open().explain(VaultRecord<String>("card", .paymentCard), size: 16)
      .description
    #expect(
      text == """
        highly sensitive: a payment-card of the owner
        store: keychain
        class: when-unlocked-this-device-only
        key: the user's passphrase, in addition to the device's class key
        migration: never leaves this device
        kept: until logout
        - A payment-card is highly sensitive.
        - The key must not be on the device: only the user holds the passphrase.
        - On another device it would outlive the decision to trust this one.
        """)
  }
}
