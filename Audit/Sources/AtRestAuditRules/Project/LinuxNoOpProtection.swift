import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let linuxNoOpProtection = RuleID("linux-no-op-protection")
}

/// File protection that does nothing on Linux.
enum LinuxNoOpProtection: CodeRule {
  static let rule = Rule(
    .linuxNoOpProtection, "File protection that does nothing on Linux",
    severity: .high, level: .required,
    consequence:
      "Linux has no data protection, and no backup from which a file could be excluded. The call "
      + "succeeds, but anyone who can read the disk can read the file.",
    remedy:
      "Import AtRestFoundation instead of Foundation, encrypt the data with AES.GCM from "
      + "swift-crypto before writing it, or compile the call under #if canImport(Darwin) and "
      + "define what protects the file elsewhere.",
    references: .init(
      masvs: ["MSTG-STORAGE-1"], maswe: ["MASWE-0001"],
      masweBeta: ["MASWE-0006", "MASWE-0002", "MASWE-0118"], cwe: [311, 1188]),
    bad: .init(
      "Keep.swift",
      """
      import Foundation
      #if os(Linux)
      import FoundationNetworking
      #endif

      func keep(_ data: Data, at url: URL) throws {
        try data.write(to: url, options: .completeFileProtection)
      }
      """),
    good: .init(
      "Keep.swift",
      """
      import Foundation
      #if os(Linux)
      import FoundationNetworking
      #endif

      func keep(_ data: Data, at url: URL) throws {
        #if canImport(Darwin)
        try data.write(to: url, options: .completeFileProtection)
        #else
        throw CocoaError(.featureUnsupported)
        #endif
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onMention([
      "completeFileProtection", "completeFileProtectionUnlessOpen",
      "completeFileProtectionUntilFirstUserAuthentication",
    ]) { mention, scope, pass in
      guard isCompiled(mention, scope, pass), !isAsked(mention, scope),
        !isForAtRest(mention, scope, pass)
      else { return }
      report(mention, "so the file is not protected there", in: scope, pass)
    }
    set.onMention(["protectionKey"]) { mention, scope, pass in
      guard isCompiled(mention, scope, pass), isEntered(mention, scope),
        !isForAtRest(mention, scope, pass)
      else { return }
      report(mention, "so the file is not protected there", in: scope, pass)
    }
    set.onMention(["isExcludedFromBackup"]) { mention, scope, pass in
      guard isCompiled(mention, scope, pass),
        scope.assignments.contains(where: {
          $0.name == "isExcludedFromBackup"
            && $0.expression.range.lowerBound == mention.range.lowerBound
        })
      else { return }
      report(mention, severity: .low, "so backups include the file", in: scope, pass)
    }
  }

  private static func report(
    _ mention: Expression, severity: Severity? = nil, _ consequence: String, in scope: Scope,
    _ pass: Pass
  ) {
    pass.report(
      .linuxNoOpProtection, at: mention, in: scope, severity: severity,
      "\(mention.lastName ?? "") does nothing on Linux, where this is also built, \(consequence)"
    )
  }

  /// Returns true if this mention is compiled on Linux.
  private static func isCompiled(_ mention: Expression, _ scope: Scope, _ pass: Pass) -> Bool {
    pass.project.filesForLinux.contains(scope.file.path)
      && scope.condition(of: mention).flatMap(BuildCondition.holdsOnLinux) != false
  }

  /// Returns true if the mention belongs to a call of AtRest, which protects the file on Linux: any
  /// call in a file that imports AtRestFoundation, or a call of `ProtectedFiles`.
  private static func isForAtRest(_ mention: Expression, _ scope: Scope, _ pass: Pass) -> Bool {
    let imports = scope.file.imports
    if imports.contains("AtRestFoundation") { return true }
    guard imports.contains("AtRestFiles") || imports.contains("AtRest"),
      let call = scope.calls.filter({ call in
        ["write", "createFile", "setAttributes"].contains(call.name)
          && call.arguments.contains { $0.value.range.contains(mention.range.lowerBound) }
      }).min(by: { $0.expression.range.count < $1.expression.range.count })
    else { return false }
    if let receiver = call.receiver, let type = pass.inspector.type(of: receiver, in: scope) {
      return type == "ProtectedFiles"
    }
    // ProtectedFiles.write takes the data first, and Data.write takes the place first.
    return call.name == "write" && call.arguments.first?.label == nil
  }

  /// Returns true if an option is only tested, as in `options.contains(.completeFileProtection)`.
  private static func isAsked(_ mention: Expression, _ scope: Scope) -> Bool {
    scope.calls.contains { call in
      call.name == "contains" && call.arguments.contains { $0.value.contains(mention) }
    } || scope.comparisons.contains { $0.contains(mention) }
  }

  /// Returns true if the key is given a value, in a dictionary literal or by subscript.
  private static func isEntered(_ key: Expression, _ scope: Scope) -> Bool {
    scope.dictionaries.contains { dictionary in
      guard case .dictionary(let pairs) = dictionary.kind else { return false }
      return pairs.contains { $0.key === key }
    }
      || scope.bindings.values.contains { bindings in
        bindings.contains { binding in
          if case .element(let element) = binding.part { element === key } else { false }
        }
      }
  }
}
