import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let weakKeySize = RuleID("weak-key-size")
}

/// Finds key pairs that are too short.
enum WeakKeySize: CodeRule {
  static let rule = Rule(
    .weakKeySize, "Key pair that is too short",
    severity: .medium, level: .required,
    consequence:
      "An RSA key of less than 2,048 bits can be factored by an attacker with enough computers, who "
      + "can then read or sign whatever the key protects.",
    remedy:
      "Create keys on a curve of 256 bits or more, or RSA keys of at least 2,048 bits, and replace "
      + "the keys that exist.",
    references: .init(masvs: ["MSTG-CRYPTO-2"], mastg: ["MASTG-TEST-0209"], cwe: [326]),
    bad: .init(
      "Keys.swift",
      """
      import Security

      func create() -> SecKey? {
        let attributes: [CFString: Any] = [
          kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 1024,
        ]
        return SecKeyCreateRandomKey(attributes as CFDictionary, nil)
      }
      """),
    good: .init(
      "Keys.swift",
      """
      import Security

      func create() -> SecKey? {
        let attributes: [CFString: Any] = [
          kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
        ]
        return SecKeyCreateRandomKey(attributes as CFDictionary, nil)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.note(["kSecAttrKeyTypeRSA", "kSecValueData"])
    set.onScope { scope, pass in
      guard makesPair(scope) else { return }
      for dictionary in scope.dictionaries {
        guard case .dictionary(let pairs) = dictionary.kind else { continue }
        for pair in pairs where isSize(pair.key) { judge(pair.value, scope, pass) }
      }
      for bindings in scope.bindings.values {
        for binding in bindings {
          if case .element(let key) = binding.part, isSize(key) {
            judge(binding.value, scope, pass)
          }
        }
      }
    }
    // `RSA_generate_key_ex(rsa, 1024, e, NULL)`
    set.onCall(["RSA_generate_key_ex", "EVP_PKEY_CTX_set_rsa_keygen_bits"]) { call, scope, pass in
      guard call.receiver == nil, let size = call[1] else { return }
      judge(size, scope, pass)
    }
  }

  /// Returns true if a function makes a key pair. A key that is stored as data is a symmetric one.
  private static func makesPair(_ scope: Scope) -> Bool {
    scope.mentions["kSecValueData"] == nil
      && (scope.mentions["kSecAttrKeyTypeRSA"] != nil
        || scope.calls.contains {
          ["SecKeyCreateRandomKey", "SecKeyGeneratePair", "SecKeyGeneratePairAsync"]
            .contains($0.name)
        })
  }

  private static func isSize(_ key: Expression) -> Bool {
    key.bare.lastName == "kSecAttrKeySizeInBits"
  }

  /// Sizes of symmetric keys and of curves are below the range of RSA, except P-521.
  private static func judge(_ size: Expression, _ scope: Scope, _ pass: Pass) {
    guard let bits = pass.inspector.constant(size, in: scope)?.integer, (500..<2048).contains(bits),
      bits != 521
    else { return }
    pass.report(.weakKeySize, at: size, in: scope, "an RSA key of \(bits) bits is too short")
  }
}
