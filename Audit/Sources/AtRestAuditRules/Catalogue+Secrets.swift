import AtRestAuditModel

extension RuleID {
  static let hardcodedKey = RuleID("hardcoded-key")
  static let hardcodedCredential = RuleID("hardcoded-credential")
  static let bundledKeyFile = RuleID("bundled-key-file")
}

extension Rulebook {
  /// Keys and credentials that ship with the app.
  static let secrets: [Rule] = [
    Rule(
      .hardcodedKey, "Encryption key in the code",
      severity: .high, level: .required,
      consequence:
        "The key is the same on every device and can be read from the app by anyone who downloads "
        + "it, so what is encrypted with it is open to them.",
      remedy:
        "Make the key on the device with SymmetricKey(size:) or SecKeyCreateRandomKey and keep it "
        + "in the keychain, or derive it from what a person types. Replace keys that have shipped.",
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
        """)),
    Rule(
      .hardcodedCredential, "Password or token in the app",
      severity: .high, level: .required,
      consequence:
        "Anyone who downloads the app can read the password or token from it and use the service "
        + "as the app does; it cannot be changed without a new version.",
      remedy:
        "Let a person sign in and keep what the server gives in the keychain with SecItemAdd, or "
        + "let a server of yours hold the secret and make the call. Revoke what has shipped.",
      references: .init(
        masvs: ["MSTG-STORAGE-1"], maswe: ["MASWE-0004"],
        masweBeta: ["MASWE-0005", "MASWE-0013", "MASWE-0036"], cwe: [259, 798]),
      bad: .init(
        "Service.swift",
        """
        struct Service {
          let user = "backup"
          let password = "Wint3r!is-over"
        }
        """),
      good: .init(
        "Service.swift",
        """
        struct Service {
          let passwordKey = "password"
          let keychain: Keychain

          func password() throws -> String { try keychain.string(for: passwordKey) }
        }
        """)),
    Rule(
      .bundledKeyFile, "File with a private key in the app",
      severity: .high, level: .required,
      consequence:
        "Who downloads the app takes the key out of it and can sign, decrypt or connect in its "
        + "name; a passphrase that ships beside the key does not stop them.",
      remedy:
        "Leave the file out of the target and make a key on each device with "
        + "SecKeyCreateRandomKey, which can stay in the Secure Enclave. Replace a key that has "
        + "shipped.",
      references: .init(
        masvs: ["MSTG-CRYPTO-1"], maswe: ["MASWE-0004"],
        masweBeta: ["MASWE-0005", "MASWE-0013", "MASWE-0036"], mastg: ["MASTG-TEST-0214"],
        cwe: [321, 798]),
      // atrest:ignore-begin hardcoded-key the example of the rule, which is no key
      bad: .init(
        "App/client.pem",
        """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg
        -----END PRIVATE KEY-----
        """),
      // atrest:ignore-end hardcoded-key
      good: .init(
        "App/client.pem",
        """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
        -----END PUBLIC KEY-----
        """)),
  ]
}
