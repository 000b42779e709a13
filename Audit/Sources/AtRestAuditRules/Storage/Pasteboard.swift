import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let pasteboard = RuleID("pasteboard")
}

/// Secret or personal data on the pasteboard.
enum Pasteboard: CodeRule {
  static let rule = Rule(
    .pasteboard, "Secret or personal data on the pasteboard",
    severity: .medium, level: .required,
    consequence:
      "Any app that is opened next can read the value, and so can the person's other devices "
      + "nearby, which share the pasteboard.",
    remedy:
      "Do not offer to copy secrets. If people need to copy them, use setItems(_:options:) with "
      + ".localOnly and an .expirationDate.",
    references: .init(
      masvs: ["MSTG-STORAGE-2"],
      mastg: [
        "MASTG-TEST-0276", "MASTG-TEST-0277", "MASTG-TEST-0278", "MASTG-TEST-0279",
        "MASTG-TEST-0280",
      ], cwe: [200]),
    bad: .init(
      "Card.swift",
      """
      func copyNumber(cardNumber: String) {
        UIPasteboard.general.string = cardNumber
      }
      """),
    good: .init(
      "Card.swift",
      """
      func copyNumber(cardNumber: String) {
        UIPasteboard.general.setItems(
          [["public.utf8-plain-text": cardNumber]],
          options: [.localOnly: true, .expirationDate: Date().addingTimeInterval(60)])
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onAssignment(["string", "strings", "items", "url", "setString"]) {
      assignment, scope, pass in
      guard let target = assignment.target,
        pass.inspector.type(of: target, in: scope).map(TypeName.plain) == "UIPasteboard"
          || (target.lastName ?? "").lowercased().contains("pasteboard")
      else { return }
      // An older system gets the same text without a limit.
      if scope.calls.contains(where: { $0["options"]?.mentionsExpiry == true }) { return }
      copied(assignment.value, at: assignment.expression, scope, pass)
    }
    set.onCall([
      "setString", "setValue", "setData", "setItems", "addItems", "setObject", "setObjects",
      "setItemProviders",
    ]) { call, scope, pass in
      guard let receiver = call.receiver, let value = call[0],
        (pass.inspector.type(of: receiver, in: scope).map(TypeName.plain) ?? "").hasSuffix(
          "Pasteboard")
          || (receiver.lastName ?? "").lowercased().contains("pasteboard")
      else { return }
      // Another branch of the function lets the copy expire.
      if scope.calls.contains(where: { other in
        other.expression !== call.expression && other.name == call.name
          && other["options"]?.mentionsExpiry == true
      }) {
        return
      }
      if let options = call["options"],
        pass.inspector.dictionary(options, in: scope).map({
          $0.keys.contains { $0.contains("localOnly") || $0.contains("LocalOnly") }
            && $0.keys.contains { $0.contains("xpiration") }
        }) == true
      {
        return
      }
      // `setItemProviders(items, localOnly: true, expirationDate: date)`
      if case .boolean(true)? = call["localOnly"]?.kind, call["expirationDate"]?.isNull == false {
        return
      }
      copied(value, at: call.expression, scope, pass)
    }
  }

  /// Returns low for what people copy to pass it on, such as an address, and nil for secrets.
  private static func severity(of sensitivity: SensitiveKind) -> Severity? {
    sensitivity == .personal || sensitivity == .location ? .low : nil
  }

  /// Returns true if the function keeps what it copies on this Mac, or marks it as concealed.
  private static func isConcealed(_ scope: Scope) -> Bool {
    scope.calls.contains { $0.name.hasPrefix("prepareForNewContents") }
      || scope.strings.contains { $0.literal == "org.nspasteboard.ConcealedType" }
  }

  private static func copied(
    _ value: Expression, at place: Expression, _ scope: Scope, _ pass: Pass
  ) {
    if isConcealed(scope) { return }
    let message = "# is copied to the pasteboard, where every app and nearby device can read it"
    if let found = pass.inspector.sensitivity(of: value, in: scope) {
      // What the code has for everybody is no secret of anybody.
      let isFixed = pass.inspector.constant(value, in: scope)?.text?.isEmpty == false
      pass.report(
        .pasteboard, found, at: place, in: scope,
        severity: isFixed ? .low : severity(of: found.sensitivity), message)
      return
    }
    for given in pass.inspector.callers(giving: value, in: scope) {
      pass.report(
        .pasteboard, given.through(scope, place), at: given.place, in: given.scope,
        severity: severity(of: given.sensitivity), message)
    }
  }
}

extension Expression {
  /// True for options with an expiration date.
  fileprivate var mentionsExpiry: Bool {
    guard case .dictionary(let pairs) = kind else { return false }
    return pairs.contains { $0.key.lastName?.contains("xpiration") == true }
  }
}
