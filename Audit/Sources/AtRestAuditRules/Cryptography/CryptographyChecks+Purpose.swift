import AtRestAuditAnalysis
import AtRestAuditModel

extension CryptographyChecks {
  /// Returns true if what a key is derived from was drawn at random, or agreed between machines: the
  /// rounds and the salt protect what a person chose.
  static func isStrong(_ value: Expression?, _ scope: Scope, _ pass: Pass) -> Bool {
    guard let value = value.map({ source(of: $0, scope) }) else { return false }
    if isDrawn(value) { return true }
    guard let found = pass.inspector.sensitivity(of: value, in: scope) else { return false }
    if found.sensitivity == .key { return true }
    guard Words.split(found.name).contains(where: CryptographyChecks.agreed.contains) else {
      return false
    }
    // A function may call a secret what its callers know as a password.
    var isChosen = false
    pass.inspector.eachValue(arrivingIn: value, in: scope) { arrival in
      guard let given = pass.inspector.sensitivity(of: arrival.value, in: arrival.scope) else {
        return false
      }
      let isAgreed = Words.split(given.name).contains(where: CryptographyChecks.agreed.contains)
      if given.sensitivity == .credential, !isAgreed { isChosen = true }
      return !isAgreed
    }
    return !isChosen
  }

  /// Returns true for a value that is called a seed, entropy or random, or for a view of it.
  private static func isDrawn(_ value: Expression) -> Bool {
    switch value.bare.kind {
    case .name(let name): Words.split(name).contains(where: drawn.contains)
    case .member(let base?, let name):
      Words.split(name).contains(where: drawn.contains)
        || Inspector.views.contains(name) && isDrawn(base)
    case .call(let callee, let arguments):
      if case .member(let base?, let name) = callee.kind, Inspector.views.contains(name) {
        isDrawn(base)
      } else {
        callee.lastName.map(Inspector.conversions.contains) == true
          && arguments.first.map { isDrawn($0.value) } == true
      }
    default: false
    }
  }

  private static let drawn: Set<String> = ["seed", "entropy", "random", "mnemonic"]

  /// Returns true for a password, which a person chose.
  static func isPassword(_ value: Expression, _ scope: Scope, _ pass: Pass) -> Bool {
    guard let found = pass.inspector.sensitivity(of: source(of: value, scope), in: scope) else {
      return false
    }
    return found.sensitivity == .credential && !isStrong(value, scope, pass)
  }

  /// Returns true if a file hashes something or derives keys from passwords, to which a constant
  /// named as a salt can belong. A constant that belongs to nothing is judged by its name alone.
  static func derivesFromPasswords(_ file: SourceFile, _ pass: Pass) -> Bool {
    guard let index = pass.project.files.firstIndex(where: { $0 === file }) else { return false }
    return pass.project.scopes[index].contains { scope in
      scope.calls.contains { call in
        guard call["inputKeyMaterial"] == nil, !isStrong(call["password"] ?? call[0], scope, pass)
        else { return false }
        let name = call.name.lowercased()
        if derivations.contains(where: name.contains) { return true }
        // A hash needs no salt, unless it is one of a password.
        return hashes.contains { name.contains($0) }
          && (call.arguments.map(\.value) + [call.receiver].compactMap(\.self)).contains {
            isPassword($0, scope, pass)
          }
      }
    }
  }

  private static let derivations = [
    "pbkdf", "derive", "scrypt", "argon", "bcrypt",
  ]

  private static let hashes = ["hash", "sha1", "sha2", "sha5", "md5", "digest"]
}
