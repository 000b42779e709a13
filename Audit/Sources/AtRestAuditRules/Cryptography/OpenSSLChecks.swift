import AtRestAuditAnalysis
import AtRestAuditModel

/// Checks of OpenSSL's functions for ciphers and key derivation.
enum OpenSSLChecks {
  static func add(to set: inout CheckSet) {
    set.onCall(["PKCS5_PBKDF2_HMAC"]) { call, scope, pass in
      guard call.arguments.count >= 8 else { return }
      derivation(call, hash: name(of: call[5], scope, pass) ?? "sha256", scope, pass)
    }
    set.onCall(["PKCS5_PBKDF2_HMAC_SHA1"]) { call, scope, pass in
      guard call.arguments.count >= 7 else { return }
      derivation(call, hash: "sha1", scope, pass)
    }
    // The count is that of a hash that costs next to nothing.
    set.onCall(["EVP_BytesToKey"]) { call, scope, pass in
      guard call.arguments.count >= 8, !CryptographyChecks.isStrong(call[3], scope, pass) else {
        return
      }
      WeakKDF.rounds(call[5], hash: "sha256", scope, pass, of: "EVP_BytesToKey")
      StaticSalt.salt(call[2], scope, pass)
    }
    set.onCall(["EVP_EncryptInit_ex", "EVP_DecryptInit_ex", "EVP_CipherInit_ex"]) {
      call, scope, pass in
      if call.arguments.count >= 5 { cipher(call, key: 3, iv: 4, scope, pass) }
    }
    set.onCall(["EVP_EncryptInit", "EVP_DecryptInit", "EVP_CipherInit"]) { call, scope, pass in
      if call.arguments.count >= 4 { cipher(call, key: 2, iv: 3, scope, pass) }
    }
  }

  /// The password, its length, the salt, its length, and the rounds.
  private static func derivation(
    _ call: Scope.Call, hash: String, _ scope: Scope, _ pass: Pass
  ) {
    if CryptographyChecks.isStrong(call[0], scope, pass) { return }
    WeakKDF.rounds(call[4], hash: hash, scope, pass)
    StaticSalt.salt(call[2], scope, pass)
  }

  private static func cipher(
    _ call: Scope.Call, key: Int, iv: Int, _ scope: Scope, _ pass: Pass
  ) {
    // A later call with NULL sets what the first one left open.
    guard let value = call[1], let name = name(of: value, scope, pass) else { return }
    if let weak = weak.first(where: { name.hasPrefix("EVP_\($0.key)") })?.value {
      pass.report(.weakCipher, at: value, in: scope, "\(weak) can be broken")
    }
    let isECB = name.hasSuffix("_ecb")
    if isECB, !CryptographyChecks.stretches(scope, pass.project) {
      pass.report(
        .ecbMode, at: value, in: scope,
        "ECB encrypts equal blocks to equal blocks, so patterns remain visible")
    }
    CryptographyChecks.key(call[key], scope, pass)
    if !isECB, call[iv]?.isNull == false, call.name.hasPrefix("EVP_Encrypt") {
      StaticIV.initialisationVector(call[iv], scope, pass)
    }
  }

  private static let weak = ["des_": "DES", "rc4": "RC4", "rc2": "RC2", "bf_": "Blowfish"]

  /// Returns the name of the function that makes a cipher or a hash: `EVP_aes_256_ecb`.
  private static func name(of value: Expression?, _ scope: Scope, _ pass: Pass) -> String? {
    value.flatMap { pass.inspector.names(in: $0, scope).first { $0.hasPrefix("EVP_") } }
  }
}
