import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let predictableKey = RuleID("predictable-key")
}

/// Finds keys that are made from data that others can learn.
enum PredictableKey: CodeRule {
  static let rule = Rule(
    .predictableKey, "Key made from data that others can learn",
    severity: .medium, level: .required,
    consequence:
      "An app's name, a device's identifier and the time are not secret, so anyone who knows or "
      + "guesses them has the key.",
    remedy:
      "Create the key with SymmetricKey(size:) and keep it in the keychain with "
      + "kSecAttrAccessibleWhenUnlockedThisDeviceOnly.",
    references: .init(masvs: ["MSTG-CRYPTO-1", "MSTG-CRYPTO-6"], cwe: [330, 340]),
    bad: .init(
      "Database.swift",
      """
      import UIKit

      func open(_ database: Database) throws {
        let phrase = UIDevice.current.identifierForVendor?.uuidString ?? ""
        try database.execute("PRAGMA key = '\\(phrase)'")
      }
      """),
    good: .init(
      "Database.swift",
      """
      func open(_ database: Database, keychain: Keychain) throws {
        let phrase = try keychain.string(for: "database")
        try database.execute("PRAGMA key = '\\(phrase)'")
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onMention([
      "identifierForVendor", "bundleIdentifier", "timeIntervalSince1970", "systemUptime",
      "advertisingIdentifier", "timeIntervalSinceReferenceDate",
    ]) { mention, scope, pass in
      for (name, bindings) in scope.bindings {
        guard isKeyName(name),
          let binding = bindings.first(where: {
            $0.value.range.contains(mention.range.lowerBound)
          })
        else { continue }
        pass.report(
          .predictableKey, at: binding.value, in: scope,
          "“\(name)” is made from \(mention.lastName ?? ""), which others can learn or guess")
      }
      for variable in scope.function == nil ? initialised(around: mention, scope, pass) : []
      where isKeyName(variable.name) {
        pass.report(
          .predictableKey,
          at: variable.nameOffset..<max(variable.nameOffset + 1, mention.range.upperBound),
          in: scope.file,
          "“\(variable.name)” is made from \(mention.lastName ?? ""), which others can learn or "
            + "guess")
      }
    }
    set.onScope { scope, pass in
      for string in scope.strings {
        guard case .string(let pieces) = string.kind,
          string.firstText?.uppercased().hasPrefix("PRAGMA KEY") == true
        else { continue }
        for case .value(let arguments) in pieces {
          guard let value = arguments.first?.value,
            isPredictable(value, scope, pass, depth: 0)
          else { continue }
          pass.report(
            .predictableKey, at: string, in: scope,
            "the database key is made from data that others can learn or guess")
        }
      }
    }
    set.onCall([
      "SymmetricKey", "sqlite3_key", "setKey", "usePassphrase", "CCCrypt", "Configuration",
    ]) { call, scope, pass in
      for argument in call.arguments
      where call.name != "Configuration" || argument.label == "encryptionKey" {
        guard isPredictable(argument.value, scope, pass, depth: 0) else { continue }
        pass.report(
          .predictableKey, at: argument.value, in: scope,
          "the key is made from data that others can learn or guess")
      }
    }
  }

  /// Returns the properties or globals whose initial value contains the mention.
  private static func initialised(
    around mention: Expression, _ scope: Scope, _ pass: Pass
  ) -> [Variable] {
    let own = scope.owner.flatMap { pass.project.types[$0] }?.declarations
      .filter { $0.file === scope.file }.flatMap(\.type.variables)
    return (own ?? scope.file.variables).filter {
      $0.value?.range.contains(mention.range.lowerBound) == true
    }
  }

  private static func isKeyName(_ name: String) -> Bool {
    SensitiveKind.ofName(name) == .key
  }

  private static let predictableNames: Set<String> = [
    "identifierForVendor", "advertisingIdentifier", "bundleIdentifier", "systemUptime",
    "timeIntervalSince1970", "bundlePath", "infoDictionary",
  ]

  /// The labels of arguments that become part of a key.
  private static let passed: Set<String> = [
    "data", "bytes", "string", "utf8", "password", "inputKeyMaterial", "format", "decoding", "of",
    "encoding", "from", "seed", "salt",
  ]

  /// Returns true if a function, judging by its name, makes its result from its arguments instead
  /// of looking up a value.
  private static func keeps(_ name: String) -> Bool {
    guard let first = Words.split(name).first else { return true }
    return !["get", "read", "load", "fetch", "find", "retrieve", "value", "object", "query"]
      .contains(first)
  }

  private static func isPredictable(
    _ value: Expression, _ scope: Scope, _ pass: Pass, depth: Int
  ) -> Bool {
    guard depth < 8 else { return false }
    switch value.bare.kind {
    case .member(let base, let name):
      if predictableNames.contains(name) { return true }
      // `UIDevice.current.name`
      if ["name", "model", "systemVersion"].contains(name),
        base?.written.hasPrefix("UIDevice.current") == true
      {
        return true
      }
      return base.map { isPredictable($0, scope, pass, depth: depth + 1) } ?? false
    case .call(let callee, let arguments):
      if let name = callee.lastName, predictableNames.contains(name) { return true }
      if case .member(let base?, _) = callee.kind,
        isPredictable(base, scope, pass, depth: depth + 1)
      {
        return true
      }
      // A value that is read under a predictable name is not itself predictable.
      return arguments.contains {
        (callee.lastName.map(keeps) ?? true) && $0.label.map(passed.contains) ?? true
          && isPredictable($0.value, scope, pass, depth: depth + 1)
      }
    case .name(let name):
      let meaning = pass.inspector.meaning(of: name, in: scope)
      if case .property(let variable, _, _) = meaning,
        let getter = variable.accessors.first(where: { $0.name == "get" }),
        let home = pass.project.scope(of: getter)
      {
        return home.returns.prefix(4).contains { isPredictable($0, home, pass, depth: depth + 2) }
      }
      guard case .local(let bindings, _, let home) = meaning else { return false }
      return bindings.contains {
        $0.value !== value && isPredictable($0.value, home, pass, depth: depth + 1)
      }
    case .binary(let left, _, let right):
      return isPredictable(left, scope, pass, depth: depth + 1)
        || isPredictable(right, scope, pass, depth: depth + 1)
    case .string(let pieces):
      return pieces.contains {
        if case .value(let arguments) = $0, let value = arguments.first?.value {
          isPredictable(value, scope, pass, depth: depth + 1)
        } else {
          false
        }
      }
    default: return false
    }
  }
}
