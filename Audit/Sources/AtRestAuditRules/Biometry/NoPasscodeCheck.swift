import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let noPasscodeCheck = RuleID("no-passcode-check")
}

/// Notes that an app stores secrets also on a device that has no passcode.
enum NoPasscodeCheck: CodeRule {
  static let rule = Rule(
    .noPasscodeCheck, "No check whether the device has a passcode",
    severity: .note, level: .recommended,
    consequence:
      "Without a passcode the keychain and file protection have no secret to protect data with, so "
      + "anyone who holds the device can read them.",
    remedy:
      "Store secrets with kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, or warn people if "
      + "canEvaluatePolicy(.deviceOwnerAuthentication) says that no passcode is set.",
    references: .init(
      masvs: ["MSTG-STORAGE-11"], mastg: ["MASTG-TEST-0246", "MASTG-TEST-0248"], cwe: [287]),
    bad: .init(
      "Vault.swift",
      """
      import Security

      func store(_ password: Data) {
        SecItemAdd(
          [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "me", kSecValueData: password,
            kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
          ] as CFDictionary, nil)
      }
      """),
    good: .init(
      "Vault.swift",
      """
      import Security

      func store(_ password: Data) {
        SecItemAdd(
          [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "me", kSecValueData: password,
            kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
          ] as CFDictionary, nil)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.note(checks)
    set.onProject { pass in
      guard !checks.contains(where: { pass.project.mentions($0) }),
        pass.project.calls["canEvaluatePolicy"] == nil, pass.project.calls["evaluatePolicy"] == nil,
        let first = pass.project.calls["SecItemAdd"]?.first
      else { return }
      pass.report(
        .noPasscodeCheck, at: first.call.expression, in: first.scope,
        "nothing asks whether the device has a passcode")
    }
  }

  /// Names of the system that show a check: values that need a passcode, and policies that ask for it.
  private static let checks = [
    "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly", "whenPasscodeSetThisDeviceOnly",
    "deviceOwnerAuthentication", "LAPolicyDeviceOwnerAuthentication",
  ]
}
