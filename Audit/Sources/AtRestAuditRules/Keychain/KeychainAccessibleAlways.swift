import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let keychainAccessibleAlways = RuleID("keychain-accessible-always")
}

/// Finds keychain items that are readable while the device is locked.
enum KeychainAccessibleAlways: CodeRule {
  static let rule = Rule(
    .keychainAccessibleAlways, "Keychain item that is readable while the device is locked",
    severity: .medium, level: .required,
    consequence:
      "Anyone who finds or steals the device can read the item without the passcode, "
      + "even right after the device is switched on.",
    remedy:
      "Use kSecAttrAccessibleWhenUnlockedThisDeviceOnly, or "
      + "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly for items that are needed in the "
      + "background.",
    references: .init(masvs: ["MSTG-STORAGE-1"], cwe: [522, 922]),
    bad: .init(
      "Session.swift",
      """
      let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword,
        kSecAttrAccount: "session",
        kSecAttrAccessible: kSecAttrAccessibleAlways,
      ]
      """),
    good: .init(
      "Session.swift",
      """
      let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword,
        kSecAttrAccount: "session",
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      """))

  static func add(to set: inout CheckSet) {
    set.onMention([
      "kSecAttrAccessibleAlways", "kSecAttrAccessibleAlwaysThisDeviceOnly",
      "kSecAttrAccessibleAlwaysPrivate", "UICKeyChainStoreAccessibilityAlways",
      "UICKeyChainStoreAccessibilityAlwaysThisDeviceOnly", "accessibleAlways",
      "accessibleAlwaysThisDeviceOnly",
    ]) { mention, scope, pass in
      if scope.compares(mention) || mention.lastName.map(scope.matches) == true
        || onlyFinds(mention, scope) || isTranslation(mention, scope)
      {
        return
      }
      pass.report(
        .keychainAccessibleAlways, at: mention, in: scope,
        "\(mention.lastName ?? "Always") lets the item be read while the device is locked, even "
          + "before its first unlock")
    }
    set.onMention(["always", "alwaysThisDeviceOnly"]) { mention, scope, pass in
      // `.accessibility(.always)`, `withAccessibility: .always`
      let given = scope.calls.contains { call in
        call.arguments.contains { argument in
          argument.value === mention
            && (call.name.lowercased().contains("accessib")
              || argument.label?.lowercased().contains("accessib") == true
              || argument.label == "withAccess")
        }
      }
      // `var accessible: LocksmithAccessibleOption? { .always }`
      let property = scope.owner.flatMap { pass.project.types[$0] }?.variables.values.first {
        $0.variable.accessors.contains { $0 === scope.function }
      }?.variable
      let isReturned =
        property?.type?.lowercased().contains("access") == true
        && scope.returns.contains { $0 === mention }
      guard given || isReturned else { return }
      pass.report(
        .keychainAccessibleAlways, at: mention, in: scope,
        "the item can be read while the device is locked, even before its first unlock")
    }
  }

  /// Returns true for a function that translates an enum into the constants of the keychain. Who
  /// names a case of the enum chooses.
  private static func isTranslation(_ mention: Expression, _ scope: Scope) -> Bool {
    scope.returns.contains { $0.range.contains(mention.range.lowerBound) }
      && scope.returns.count { $0.bare.lastName?.hasPrefix("kSecAttrAccessible") == true } > 3
  }

  /// Returns true if the query with a mention only finds items, to change or to delete them.
  private static func onlyFinds(_ mention: Expression, _ scope: Scope) -> Bool {
    for (name, bindings) in scope.bindings
    where bindings.contains(where: {
      if case .whole = $0.part { $0.value.range.contains(mention.range.lowerBound) } else { false }
    }) {
      let uses = scope.calls.filter { call in
        call.name.hasPrefix("SecItem") && call.arguments.contains { $0.value.bare.path == name }
      }
      return !uses.isEmpty
        && uses.allSatisfy { $0.name != "SecItemAdd" && $0[0]?.bare.path == name }
    }
    return false
  }
}
