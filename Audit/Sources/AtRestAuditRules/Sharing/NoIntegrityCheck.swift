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
      for variable in type.variables { wrapped(variable, file, pass) }
    }
    set.onCall(["bool", "boolForKey", "object", "objectForKey", "value", "valueForKey"]) {
      call, scope, pass in
      guard
        let key = (call["forKey"] ?? (call.name.hasSuffix("Key") ? call[0] : nil)).flatMap({
          pass.inspector.constant($0, in: scope)?.text
        }), pass.inspector.isPreferences(call.receiver, in: scope), decides(key)
      else { return }
      report(key, at: call.expression.range, scope.file, pass)
    }
    // `defaults.rx.observe(Bool.self, "premium")`
    set.onCall(["observe"]) { call, scope, pass in
      guard case .member(let defaults?, "rx")? = call.receiver?.kind,
        pass.inspector.isPreferences(defaults, in: scope), let key = call[1]?.literal, decides(key)
      else { return }
      report(key, at: call.expression.range, scope.file, pass)
    }
  }

  /// Checks a property whose wrapper reads a preference.
  private static func wrapped(_ variable: Variable, _ file: SourceFile, _ pass: Pass) {
    for attribute in variable.attributes {
      guard
        attribute.name == "AppStorage" || UserDefaultsSensitive.sharedKey(attribute) != nil
          || UserDefaultsSensitive.wrapsDefaults(attribute.name, pass),
        let key = UserDefaultsSensitive.sharedKey(attribute)
          ?? (attribute.arguments.first { $0.label == nil || $0.label == "key" })?.value.literal,
        decides(key), variable.type.map({ $0 == "Bool" }) ?? true
      else { continue }
      report(key, at: variable.range, file, pass)
    }
  }

  private static func report(
    _ key: String, at range: Range<Int32>, _ file: SourceFile, _ pass: Pass
  ) {
    pass.report(
      .noIntegrityCheck, at: range, in: file,
      "\(key) is trusted, but comes from preferences, which anyone with the device can edit")
  }

  private static func decides(_ key: String) -> Bool {
    let words = Words.split(key)
    let joined = words.joined()
    return [
      "loggedin", "isloggedin", "authenticated", "isadmin", "ispremium", "haspremium", "purchased",
      "subscribed", "issubscribed", "unlocked", "licensed", "isjailbroken", "ispro", "paid",
      "isauthenticated", "userloggedin", "isloggedin", "fullversion", "premium", "adsremoved",
      "removeads", "isprouser", "activesubscription", "isadministrator", "premiumexpirydate",
      "ispremiumuser", "subscriptionactive", "premiumuser",
    ].contains { joined.hasSuffix($0) }
  }
}
