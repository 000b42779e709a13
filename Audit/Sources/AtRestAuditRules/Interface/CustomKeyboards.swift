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
      || project.calls["TextField"]?.contains { call, scope in
        KeychainChecks.isForPhones(scope.file)
          && (call["text"]?.bare.lastName).flatMap(Sensitivity.ofField)?.isSecret == true
      } == true
    guard hasFields, let (range, file) = KeychainChecks.appDeclaration(project, onPhones: true)
    else { return }
    let refuses = (project.functions["application"] ?? []).contains { declared in
      declared.function.parameters.contains {
        $0.label == "shouldAllowExtensionPointIdentifier"
      }
    }
    if refuses { return }
    pass.report(
      .customKeyboards, at: range, in: file,
      "secrets are typed into fields that are not secure, and third-party keyboards are not "
        + "refused")
  }
}
