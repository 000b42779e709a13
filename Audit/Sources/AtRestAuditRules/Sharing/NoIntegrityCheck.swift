import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let noIntegrityCheck = RuleID("no-integrity-check")
}

/// Decision that depends on a file that anyone can edit.
enum NoIntegrityCheck: CodeRule {
  static let rule = Rule(
    .noIntegrityCheck, "Decision that depends on a file that anyone can edit",
    severity: .low, level: .recommended,
    consequence:
      "Anyone who has the device, or restores an edited backup, can change the value, and so "
      + "appear signed in, as a paying user or as an administrator.",
    remedy:
      "Let a server or a verified StoreKit Transaction decide, or store the value in the keychain. "
      + "Alternatively, store it with an HMAC<SHA256> whose key is in the keychain.",
    references: .init(mastg: ["MASTG-TEST-0387"], cwe: [353]),
    bad: .init(
      "Shop.swift",
      """
      func isOpen() -> Bool { UserDefaults.standard.bool(forKey: "isPremium") }
      """),
    good: .init(
      "Shop.swift",
      """
      func isDark() -> Bool { UserDefaults.standard.bool(forKey: "isDark") }
      """))

  static func add(to set: inout CheckSet) {
    set.onType { type, file, pass in
      for variable in type.variables {
        guard let wrapper = variable.attributes.first(where: { $0.name == "AppStorage" }),
          let key = wrapper.arguments.first?.value.literal, decides(key),
          variable.type.map({ $0 == "Bool" }) ?? true
        else { continue }
        pass.report(
          .noIntegrityCheck, at: variable.range, in: file,
          "\(key) is trusted, but comes from preferences, which anyone with the device can edit")
      }
    }
    set.onCall(["bool", "boolForKey"]) { call, scope, pass in
      guard
        let key = (call["forKey"] ?? call[0]).flatMap({
          pass.inspector.constant($0, in: scope)?.text
        }),
        let receiver = call.receiver,
        (pass.inspector.type(of: receiver, in: scope).map(TypeName.plain) ?? "").hasSuffix(
          "UserDefaults")
          || (receiver.lastName ?? "").lowercased().hasSuffix("defaults"),
        decides(key)
      else { return }
      pass.report(
        .noIntegrityCheck, at: call.expression, in: scope,
        "\(key) is trusted, but comes from preferences, which anyone with the device can edit")
    }
  }

  private static func decides(_ key: String) -> Bool {
    let words = Words.split(key)
    let joined = words.joined()
    return [
      "loggedin", "isloggedin", "authenticated", "isadmin", "ispremium", "haspremium", "purchased",
      "subscribed", "issubscribed", "unlocked", "licensed", "isjailbroken", "ispro", "paid",
      "isauthenticated", "userloggedin", "isloggedin", "fullversion", "premium", "adsremoved",
      "removeads",
    ].contains { joined.hasSuffix($0) }
  }
}
