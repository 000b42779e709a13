import AtRestAuditAnalysis
import AtRestAuditModel

/// The check for secrets of an app that a build writes into its Info.plist, and that code reads from there.
/// Their values are in no file of the project, and in every copy of the app.
enum BundledSecrets {
  static func add(to set: inout CheckSet) {
    set.onCall(["infoDictionary", "object", "objectForInfoDictionaryKey"]) { call, scope, pass in
      guard let key = call.name == "object" ? call["forInfoDictionaryKey"] : call[0],
        let name = pass.inspector.constant(key, in: scope)?.text, isSecretOfApp(name)
      else { return }
      pass.report(
        .hardcodedCredential, at: call.expression.range, in: scope.file, severity: .low,
        "the secret \(name) is in the app's Info.plist, where anyone who has the app can read it",
        // No file has the value.
        secrets: scope.file.secrets(in: call.expression, parts: [""]),
        basis: Basis(.named, witnesses: [], cause: name))
    }
  }

  /// Returns true for the name of a secret by which a service knows an app. A public key or identifier has
  /// no such name.
  private static func isSecretOfApp(_ name: String) -> Bool {
    guard let last = Words.split(name).last, last.hasSuffix("secret") else { return false }
    return SensitiveKind.ofKey(name)?.isSecret == true
  }
}
