import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let hardcodedKey = RuleID("hardcoded-key")
}

/// Encryption key in the code.
enum HardcodedKey: CodeRule {
  static let rule = Rule(
    .hardcodedKey, "Encryption key in the code",
    severity: .high, level: .required,
    consequence:
      "The key is the same on every device. Anyone who downloads the app can read it, and decrypt "
      + "everything that is encrypted with it.",
    remedy:
      "Create the key on the device with SymmetricKey(size:) or SecKeyCreateRandomKey and store "
      + "it in the keychain, or derive it from what a person types. Replace keys that have "
      + "shipped.",
    references: .init(
      masvs: ["MSTG-CRYPTO-1"], maswe: ["MASWE-0004"],
      masweBeta: ["MASWE-0005", "MASWE-0013", "MASWE-0036"], mastg: ["MASTG-TEST-0213"],
      cwe: [321, 798]),
    bad: .init(
      "Sealer.swift",
      """
      import CryptoKit

      let encryptionKey = "Zq8#nPw2LxV5tY7uBc4kHm9sRf1dGj6a"

      func seal(_ plain: Data) throws -> Data? {
        let key = SymmetricKey(data: Data(encryptionKey.utf8))
        return try AES.GCM.seal(plain, using: key).combined
      }
      """),
    good: .init(
      "Sealer.swift",
      """
      import CryptoKit

      func seal(_ plain: Data, keychain: Keychain) throws -> Data? {
        let key = try keychain.key(named: "notes") ?? SymmetricKey(size: .bits256)
        return try AES.GCM.seal(plain, using: key).combined
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["CCHmac", "CCHmacInit"]) { call, scope, pass in
      guard let value = call[1].map({ CryptographyChecks.source(of: $0, scope) }),
        !scope.fills(value)
      else {
        return
      }
      literalKey(value, scope, pass)
    }
    set.onScope { scope, pass in
      for string in scope.strings { pragma(string, scope, pass) }
    }
    set.onCall([
      "AES256EncryptWithKey", "AES128EncryptWithKey", "aes_encrypt", "AESEncryptWithKey",
      "encryptData",
    ]) { call, scope, pass in
      if let password = call["password"] ?? call["withPassword"]
        ?? (call.name == "encryptData" ? nil : call[0])
      {
        literalKey(password, scope, pass)
      }
    }
    // `Realm.Configuration(encryptionKey: key)`
    set.onCall(["Configuration", "RLMRealmConfiguration"]) { call, scope, pass in
      if let key = call["encryptionKey"] { literalKey(key, scope, pass) }
    }
    set.onAssignment(["encryptionKey"]) { assignment, scope, pass in
      literalKey(assignment.value, scope, pass)
    }
    // `db.usePassphrase("…")`, `[db setKey:@"…"]`
    set.onCall(["usePassphrase", "changePassphrase", "setKey", "rekey"]) { call, scope, pass in
      guard call.arguments.count == 1, call.receiver != nil, let key = call[0] else { return }
      if call.name == "setKey" || call.name == "rekey",
        !isDatabase(call.receiver, scope, pass)
      {
        return
      }
      literalKey(key, scope, pass)
    }
    // `RNCryptor.encrypt(data: data, withPassword: password)`
    set.onCall(["encrypt", "decrypt", "Encryptor", "Decryptor", "EncryptorV3"]) {
      call, scope, pass in
      guard pass.project.imports.contains("RNCryptor"),
        let password = call["withPassword"] ?? call["password"]
      else { return }
      literalKey(password, scope, pass)
    }
    set.onCall(["PrivateKey"]) { call, scope, pass in
      if let raw = call["rawRepresentation"] ?? call["pemRepresentation"] {
        literalKey(raw, scope, pass)
      }
    }
  }

  private static func isDatabase(
    _ receiver: Expression?, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    guard let receiver else { return false }
    let type = pass.inspector.type(of: receiver, in: scope) ?? ""
    let name = (receiver.lastName ?? "").lowercased()
    return type.hasPrefix("FMDatabase") || type == "Connection" || name == "db"
      || name.hasSuffix("database")
  }

  /// Reports `PRAGMA key = '…'` if the key is a literal or a constant.
  private static func pragma(_ string: Expression, _ scope: Scope, _ pass: Pass) {
    guard string.firstText?.uppercased().hasPrefix("PRAGMA KEY") == true,
      let constant = pass.inspector.constant(string, in: scope), let text = constant.text,
      let open = text.firstIndex(where: { $0 == "'" || $0 == "\"" })
    else { return }
    let key = text[text.index(after: open)...].prefix { $0 != "'" && $0 != "\"" }
    guard key.utf8.count >= 4, !key.contains("%") else { return }
    pass.report(
      .hardcodedKey, at: scope.location(of: string.range),
      "the key of this database is in the code and the same in every installation",
      secrets: constant.origin.literal == nil
        ? constant.secrets : constant.file.secrets(in: constant.origin, parts: [String(key)]))
  }

  private static func literalKey(_ value: Expression, _ scope: Scope, _ pass: Pass) {
    guard let constant = pass.inspector.constant(value, in: scope), constant.text?.isEmpty == false
    else {
      return
    }
    pass.report(
      .hardcodedKey, at: constant.location,
      "the key of this cipher is in the code and the same in every installation",
      trail: [Finding.Step(scope.location(of: value.range), "used as a key here")],
      secrets: constant.secrets)
  }
}
