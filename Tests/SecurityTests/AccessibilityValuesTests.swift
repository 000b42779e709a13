import AtRestKeychain
import AtRestSimulation
import Foundation
import LocalAuthentication
import Security
import Testing

/// Tests the seven accessibility values in every state of a device.
@Suite struct AccessibilityValuesTests {
  struct Value: Sendable, CustomTestStringConvertible {
    let name: String
    let whileLocked: Bool
    let beforeFirstUnlock: Bool
    let migrates: Bool
    let needsPasscode: Bool

    var testDescription: String { name }
  }
  // The values are strings, because the constants are not Sendable.
  static let values = [
    Value(
      name: kSecAttrAccessibleWhenUnlocked as String, whileLocked: false,
      beforeFirstUnlock: false, migrates: true, needsPasscode: false),
    Value(
      name: kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String, whileLocked: false,
      beforeFirstUnlock: false, migrates: false, needsPasscode: false),
    Value(
      name: kSecAttrAccessibleAfterFirstUnlock as String, whileLocked: true,
      beforeFirstUnlock: false, migrates: true, needsPasscode: false),
    Value(
      name: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String, whileLocked: true,
      beforeFirstUnlock: false, migrates: false, needsPasscode: false),
    Value(
      name: kSecAttrAccessibleAlways as String, whileLocked: true,
      beforeFirstUnlock: true, migrates: true, needsPasscode: false),
    Value(
      name: kSecAttrAccessibleAlwaysThisDeviceOnly as String, whileLocked: true,
      beforeFirstUnlock: true, migrates: false, needsPasscode: false),
    Value(
      name: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as String, whileLocked: false,
      beforeFirstUnlock: false, migrates: false, needsPasscode: true),
  ]

  @Test(arguments: values)
  func anItemIsThereWhenItsValueSays(_ expected: Value) throws {
    try onDevice { device in
      #expect(
        add(password([kSecAttrAccessible: expected.name])) == errSecSuccess)
      let data: Request = [kSecReturnData: true]
      func read(_ isThere: Bool) {
        #expect(find(query(data)).status == (isThere ? errSecSuccess : errSecInteractionNotAllowed))
      }
      read(true)
      device.lock()
      read(expected.whileLocked)
      try device.restart()
      read(expected.beforeFirstUnlock)
      try device.unlock()
      read(true)
    }
  }

  @Test(arguments: values)
  func anotherDeviceGetsItWhereItsValueSays(_ expected: Value) throws {
    try onDevice { device in
      _ = add(password([kSecAttrAccessible: expected.name]))
      let backup = try device.backup(passphrase: "four words of my own")
      let next = try SimulatedDevice(
        restoring: backup, passphrase: "four words of my own", passcode: "5678")
      next.run { #expect(value(query()) == (expected.migrates ? "s3cr3t" : nil)) }
    }
  }

  @Test(arguments: values)
  func withoutPasscodeItIsThereWhereItsValueSays(_ expected: Value) throws {
    try onDevice { device in
      _ = add(password([kSecAttrAccessible: expected.name]))
      try device.removePasscode()
      #expect(value(query()) == (expected.needsPasscode ? nil : "s3cr3t"))
      let status = add(password("adam", [kSecAttrAccessible: expected.name]))
      #expect(status == (expected.needsPasscode ? errSecAuthFailed : errSecSuccess))
    }
  }

  /// Applications check for a passcode in these two ways.
  @Test func aPasscodeIsFoundOutByAContextOrByAnItem() throws {
    func probe() -> Bool {
      let item = password(
        "probe", [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly])
      defer { _ = delete(query("probe")) }
      return add(item) == errSecSuccess
    }
    func ask() -> Bool { LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) }
    try onDevice { device in
      #expect(probe() && ask())
      try device.removePasscode()
      #expect(!probe() && !ask())
      try device.setPasscode("5678")
      #expect(probe() && ask())
    }
  }
}
