import AtRestAuditAnalysis
import AtRestAuditModel

/// Recognises stores of preferences.
enum StorageChecks {
  private static let defaultsTypes: Set<String> = [
    "UserDefaults", "NSUserDefaults", "NSUbiquitousKeyValueStore", "CFPreferences",
  ]

  static func isDefaults(
    _ receiver: Expression?, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    guard let receiver else {
      return scope.owner.map { pass.project.type($0, is: defaultsTypes) } ?? false
    }
    if let type = pass.inspector.type(of: receiver, in: scope) {
      return pass.project.type(type, is: defaultsTypes)
    }
    let name = (receiver.lastName ?? "").lowercased()
    return name.hasSuffix("defaults") || name == "prefs" || name == "preferences"
  }
}
