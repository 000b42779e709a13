import AtRestAuditAnalysis
import AtRestAuditModel

/// What protects a file on Apple's systems, and does nothing on Linux.
enum LinuxChecks {
  static func add(to set: inout CheckSet) {
    set.onMention([
      "completeFileProtection", "completeFileProtectionUnlessOpen",
      "completeFileProtectionUntilFirstUserAuthentication",
    ]) { mention, scope, pass in
      guard isCompiled(mention, scope, pass), !isAsked(mention, scope) else { return }
      report(mention, "so the file lies open there", in: scope, pass)
    }
    set.onMention(["protectionKey"]) { mention, scope, pass in
      guard isCompiled(mention, scope, pass), isEntered(mention, scope) else { return }
      report(mention, "so the file lies open there", in: scope, pass)
    }
    set.onMention(["isExcludedFromBackup"]) { mention, scope, pass in
      guard isCompiled(mention, scope, pass),
        scope.assignments.contains(where: {
          $0.name == "isExcludedFromBackup"
            && $0.expression.range.lowerBound == mention.range.lowerBound
        })
      else { return }
      report(mention, severity: .low, "so backups have the file", in: scope, pass)
    }
  }

  private static func report(
    _ mention: Expression, severity: Severity? = nil, _ consequence: String, in scope: Scope,
    _ pass: Pass
  ) {
    pass.report(
      .linuxNoOpProtection, at: mention, in: scope, severity: severity,
      "\(mention.lastName ?? "") does nothing on Linux, for which this is built too, \(consequence)"
    )
  }

  /// Whether this place is compiled on Linux.
  private static func isCompiled(_ mention: Expression, _ scope: Scope, _ pass: Pass) -> Bool {
    pass.project.filesForLinux.contains(scope.file.path)
      && scope.condition(of: mention).flatMap(BuildCondition.holdsOnLinux) != false
  }

  /// `options.contains(.completeFileProtection)`
  private static func isAsked(_ mention: Expression, _ scope: Scope) -> Bool {
    scope.calls.contains { call in
      call.name == "contains" && call.arguments.contains { $0.value.contains(mention) }
    } || scope.comparisons.contains { $0.contains(mention) }
  }

  /// Whether the key is given a value: in a dictionary, or by its index.
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
