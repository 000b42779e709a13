/// The rules, by which all else is judged.
public enum Rulebook {
  public static let all: [Rule] = severities.keys.sorted().map { id in
    Rule(
      id, id, severity: severity(of: id), level: .required, consequence: "", remedy: "",
      references: .init(), bad: .init("A.swift", ""), good: .init("A.swift", ""))
  }

  static func severity(of rule: String) -> Severity { severities[rule] ?? .medium }

  private static let severities: [String: Severity] = [
    "keychain-default-accessibility": .low, "keychain-accessible-always": .medium,
    "keychain-not-this-device-only": .low, "keychain-synchronizable": .medium,
    "keychain-no-access-control": .medium, "keychain-accessibility-and-access-control": .low,
    "keychain-not-wiped-first-launch": .low, "keychain-not-wiped-logout": .low,
    "biometry-weak": .medium, "biometry-any-enrolment": .low, "biometry-passcode-fallback": .low,
    "userdefaults-sensitive": .high, "userdefaults-large": .low, "plaintext-plist": .high,
    "plaintext-archive": .high, "plaintext-file": .high, "cookies": .medium, "urlcache": .medium,
    "pasteboard": .medium, "user-activity-sensitive": .medium, "notification-sensitive": .medium,
    "no-file-protection": .low, "core-data-unprotected": .high,
    "core-data-no-file-protection": .low,
    "core-data-sensitive-attribute": .medium, "swiftdata-unprotected": .medium,
    "plaintext-sqlite": .medium, "grdb-unencrypted": .medium, "realm-unencrypted": .medium,
    "couchbase-unencrypted": .medium, "yap-unencrypted": .medium, "firebase-persistence": .medium,
    "hardcoded-key": .high, "hardcoded-credential": .high, "static-iv": .medium,
    "static-salt": .medium,
    "ecb-mode": .high, "weak-cipher": .high, "weak-password-hash": .high, "weak-kdf": .medium,
    "password-as-key": .medium, "insecure-random": .medium, "predictable-key": .medium,
    "bundled-key-file": .high, "log-sensitive": .high, "secure-text-entry-missing": .medium,
    "autocorrection-not-disabled": .medium, "background-snapshot": .medium,
    "custom-keyboards": .low,
    "backup-exclusion-relied-on": .low, "shared-container": .note, "document-sharing": .low,
    "sensitive-in-url": .high, "web-view-cache": .low, "third-party-sharing": .medium,
    "ipc-inventory": .note, "insecure-archive": .medium, "no-integrity-check": .low,
    "entitlement-unused": .low, "privacy-manifest": .low, "tracking-domain": .low,
    "vulnerable-dependency": .medium, "linux-no-op-protection": .high,
  ]
}
