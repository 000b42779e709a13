import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let customKeyboards = RuleID("custom-keyboards")
}

/// Finds apps in which third-party keyboards can read what is typed.
enum CustomKeyboards: CodeRule {
  static let rule = Rule(
    .customKeyboards, "Third-party keyboards can read what is typed",
    severity: .low, level: .recommended,
    consequence:
      "A keyboard that the person installed receives every key pressed in fields that are not "
      + "secure, and with full access it can send them anywhere.",
    remedy:
      "Return false for .keyboard from application(_:shouldAllowExtensionPointIdentifier:), and "
      + "leave RequestsOpenAccess off in your own keyboards.",
    references: .init(
      masvs: ["MSTG-PLATFORM-11"], mastg: ["MASTG-TEST-0389", "MASTG-TEST-0390"], cwe: [200]),
    bad: .init(
      "Info.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>NSExtension</key>
        <dict>
          <key>NSExtensionAttributes</key>
          <dict><key>RequestsOpenAccess</key><true/></dict>
          <key>NSExtensionPointIdentifier</key>
          <string>com.apple.keyboard-service</string>
        </dict>
      </dict></plist>
      """),
    good: .init(
      "Info.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>NSExtension</key>
        <dict>
          <key>NSExtensionAttributes</key>
          <dict><key>RequestsOpenAccess</key><false/></dict>
          <key>NSExtensionPointIdentifier</key>
          <string>com.apple.keyboard-service</string>
        </dict>
      </dict></plist>
      """))

  static func add(to set: inout CheckSet) {
    set.onProject(keyboards)
  }

  /// Reports an app that has sensitive fields and does not refuse third-party keyboards.
  private static func keyboards(_ pass: Pass) {
    let project = pass.project
    let hasFields =
      project.resources.fields.values.contains { $0.sensitivity?.isSecret == true && !$0.isSecure }
      || ["TextField", "TextEditor"].contains { name in
        project.calls[name]?.contains { call, scope in
          KeychainChecks.isForPhones(scope.file)
            && (call["text"]?.bare.lastName).flatMap(SensitiveKind.ofField)?.isSecret == true
        } == true
      } || makesFields(pass)
    guard hasFields, let (range, file) = KeychainChecks.appDeclaration(project, onPhones: true)
    else { return }
    let refuses = (project.functions["application"] ?? []).contains { declared in
      declared.function.parameters.contains {
        $0.label == "shouldAllowExtensionPointIdentifier"
      } && !declared.scope.returns.allSatisfy { $0.isTrue }
    }
    if refuses { return }
    pass.report(
      .customKeyboards, at: range, in: file,
      "secrets are typed into fields that are not secure, and third-party keyboards are not "
        + "refused")
  }

  /// Returns true if code makes a field of UIKit for a secret, which is not secure.
  private static func makesFields(_ pass: Pass) -> Bool {
    pass.project.types.values.contains { facts in
      facts.declarations.contains { type, file in
        KeychainChecks.isForPhones(file)
          && type.variables.contains { isPlainField($0, of: type.name, file, pass) }
      }
    }
      || pass.project.scopes.contains { scopes in
        scopes.contains { scope in
          scope.function != nil
            && scope.variables.contains { isPlainField($0, in: scope, pass) }
        }
      }
  }

  private static func isPlainField(
    _ variable: Variable, of owner: String, _ file: SourceFile, _ pass: Pass
  ) -> Bool {
    guard let value = variable.value, InterfaceChecks.makesField(value), !value.setsSecure,
      SensitiveKind.ofField(variable.name)?.isSecret == true
    else { return false }
    return !(pass.project.types[owner]?.declarations ?? []).contains { declaration in
      declaration.type.functions.contains { function in
        pass.project.scope(of: function)?.makesSecure(variable.name) == true
      }
    }
  }

  private static func isPlainField(_ variable: Variable, in scope: Scope, _ pass: Pass) -> Bool {
    guard let value = variable.value, InterfaceChecks.makesField(value) else { return false }
    return SensitiveKind.ofField(variable.name)?.isSecret == true
      && !scope.makesSecure(variable.name)
  }
}

extension Scope {
  /// Returns true if code sets a field to hide what is typed.
  fileprivate func makesSecure(_ field: String) -> Bool {
    bindings[field]?.contains { binding in
      guard case .property(let name) = binding.part else { return false }
      return name == "isSecureTextEntry" || name == "secureTextEntry"
    } == true
  }
}

extension Expression {
  fileprivate var isTrue: Bool { if case .boolean(true) = bare.kind { true } else { false } }

  /// True for `{ … field.isSecureTextEntry = true … }()`.
  fileprivate var setsSecure: Bool {
    guard case .call(let callee, _) = kind, case .closure(let closure) = callee.kind else {
      return false
    }
    return closure.body.statements.contains { statement in
      guard case .expression(let value) = statement,
        case .assignment(let target, _, _) = value.kind
      else { return false }
      return ["isSecureTextEntry", "secureTextEntry"].contains(target.lastName)
    }
  }
}
