import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let weakPasswordHash = RuleID("weak-password-hash")
}

/// Finds passwords that are hashed with a function that is too fast.
enum WeakPasswordHash: CodeRule {
  static let rule = Rule(
    .weakPasswordHash, "Password hashed with a function that is too fast",
    severity: .high, level: .required,
    consequence:
      "Such functions are designed to be fast: one graphics card tries billions of passwords per "
      + "second against the stored value.",
    remedy:
      "Derive the stored value with Argon2id or scrypt, or with CCKeyDerivationPBKDF and 600,000 "
      + "rounds of SHA-256, and use a separate salt for each password.",
    references: .init(
      masvs: ["MSTG-CRYPTO-4"], mastg: ["MASTG-TEST-0211"], cwe: [328, 916]),
    bad: .init(
      "Account.swift",
      """
      import CryptoKit

      func proof(password: String) -> Data {
        Data(Insecure.MD5.hash(data: Data(password.utf8)))
      }
      """),
    good: .init(
      "Account.swift",
      """
      import CryptoKit

      func nameOfCopy(of file: Data) -> Data {
        Data(Insecure.MD5.hash(data: file))
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["CC_MD5", "CC_SHA1", "CC_MD4", "CC_MD2"]) { call, scope, pass in
      guard let data = call[0].map({ CryptographyChecks.source(of: $0, scope) }) else { return }
      passwordHash(data, call, call.name.dropFirst(3).description, scope, pass)
    }
    // These hashes are too fast only for values that people choose.
    set.onCall(["CC_SHA224", "CC_SHA256", "CC_SHA384", "CC_SHA512"]) { call, scope, pass in
      guard let data = call[0].map({ CryptographyChecks.source(of: $0, scope) }) else { return }
      passwordHash(
        data, call, call.name.dropFirst(3).description, ofPasswordsAlone: true, scope, pass)
    }
    set.onCall(["hash"]) { call, scope, pass in
      guard let data = call["data"], let hash = call.receiver?.written else { return }
      if hash.hasPrefix("Insecure.") {
        passwordHash(data, call, String(hash.dropFirst(9)), scope, pass)
      } else if ["SHA256", "SHA384", "SHA512"].contains(hash) {
        passwordHash(data, call, hash, ofPasswordsAlone: true, scope, pass)
      }
    }
    set.onCall(["update"]) { call, scope, pass in
      guard let data = call["data"] ?? call["bufferPointer"],
        let name = call.receiver?.path, let made = scope.declared[name]?.value,
        case .call(let type, _) = made.kind
      else { return }
      let hash = type.written
      if hash.hasPrefix("Insecure.") {
        passwordHash(data, call, String(hash.dropFirst(9)), scope, pass)
      } else if ["SHA256", "SHA384", "SHA512"].contains(hash) {
        passwordHash(data, call, hash, ofPasswordsAlone: true, scope, pass)
      }
    }
    set.onCall(["CC_MD5_Update", "CC_SHA1_Update"]) { call, scope, pass in
      guard let data = call[1].map({ CryptographyChecks.source(of: $0, scope) }) else { return }
      passwordHash(data, call, String(call.name.dropFirst(3).dropLast(7)), scope, pass)
    }
    set.onCall([
      "md5", "sha1", "MD5", "SHA1", "md5String", "sha1String", "md5Hash", "sha1Hash",
      "MD5String", "MD5Hash",
    ]) { call, scope, pass in
      guard let data = call.receiver ?? call[0] else { return }
      passwordHash(data, call, call.name, scope, pass)
    }
  }

  private static func asksForLeaks(_ pass: Pass) -> Bool {
    pass.project.scopes.contains { scopes in
      scopes.contains { scope in
        scope.strings.contains { $0.firstText?.contains("pwnedpasswords") == true }
      }
    }
  }

  /// Returns true if the function keeps a few digits of the hash only: `hash.prefix(5)`.
  private static func isCut(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) -> Bool {
    scope.calls.contains { other in
      guard other.name == "prefix", let count = other[0],
        let length = pass.inspector.constant(count, in: scope)?.integer
      else { return false }
      return length <= 10
        && other.receiver?.range.contains(call.expression.range.lowerBound) == true
    }
  }

  private static func passwordHash(
    _ data: Expression, _ call: Scope.Call, _ hash: String, ofPasswordsAlone: Bool = false,
    _ scope: Scope, _ pass: Pass
  ) {
    if CryptographyChecks.stretches(scope, pass.project) { return }
    // A service that knows leaked passwords is asked for the first digits of a SHA-1.
    if hash.uppercased() == "SHA1", asksForLeaks(pass) || isCut(call, scope, pass) {
      return
    }
    let found =
      pass.inspector.sensitivity(of: data, in: scope)
      ?? call.arguments.lazy.compactMap { pass.inspector.sensitivity(of: $0.value, in: scope) }
      .first
    guard let found,
      found.sensitivity == .credential || found.sensitivity == .identity && !ofPasswordsAlone
    else { return }
    if ofPasswordsAlone, Words.split(found.name).contains(where: CryptographyChecks.agreed.contains)
    {
      return
    }
    pass.report(
      .weakPasswordHash, at: call.expression, in: scope,
      severity: ofPasswordsAlone ? .medium : nil,
      "\(found.description) is hashed with \(hash.uppercased()), so billions of guesses can be "
        + "tried per second")
  }
}
