import AtRestAuditModel

extension RuleID {
  static let staticIV = RuleID("static-iv")
  static let staticSalt = RuleID("static-salt")
  static let ecbMode = RuleID("ecb-mode")
  static let weakCipher = RuleID("weak-cipher")
  static let weakPasswordHash = RuleID("weak-password-hash")
  static let weakKdf = RuleID("weak-kdf")
  static let passwordAsKey = RuleID("password-as-key")
  static let insecureRandom = RuleID("insecure-random")
  static let predictableKey = RuleID("predictable-key")
}

extension Rulebook {
  /// Ciphers, hashes, derivation of keys, and chance.
  static let cryptography: [Rule] = [
    Rule(
      .staticIV, "Same starting value for every encrypted message",
      severity: .medium, level: .required,
      consequence:
        "Equal messages, or equal beginnings, look equal once encrypted; under GCM, CTR and "
        + "ChaCha20 who has two messages can read both and forge others.",
      remedy:
        "Let AES.GCM.seal or ChaChaPoly.seal pick the nonce. With CommonCrypto, fill a new IV by "
        + "SecRandomCopyBytes for each message and store it in front of it.",
      references: .init(masvs: ["MSTG-CRYPTO-3"], cwe: [329]),
      bad: .init(
        "Cipher.swift",
        """
        import CryptoSwift

        func encrypt(_ plain: [UInt8], key: [UInt8]) throws -> [UInt8] {
          let iv = Array("a1b2c3d4e5f6g7h8".utf8)
          return try AES(key: key, blockMode: CBC(iv: iv)).encrypt(plain)
        }
        """),
      good: .init(
        "Cipher.swift",
        """
        import CryptoKit

        func encrypt(_ plain: Data, key: SymmetricKey) throws -> Data? {
          try AES.GCM.seal(plain, using: key).combined
        }
        """)),
    Rule(
      .staticSalt, "Same salt for every password",
      severity: .medium, level: .required,
      consequence:
        "One table of guesses serves for all users at once, and equal passwords can be told by "
        + "their equal hashes.",
      remedy:
        "Make 16 bytes with SecRandomCopyBytes for each password and store them beside what is "
        + "derived; a salt need not be secret.",
      references: .init(masvs: ["MSTG-CRYPTO-3"], cwe: [760]),
      bad: .init(
        "Derive.swift",
        """
        import CryptoSwift

        func key(_ password: String) throws -> [UInt8] {
          let salt = Array("notes-salt-2019".utf8)
          return try PKCS5.PBKDF2(
            password: Array(password.utf8), salt: salt, iterations: 600_000
          ).calculate()
        }
        """),
      good: .init(
        "Derive.swift",
        """
        import CryptoSwift

        func key(_ password: String, salt: [UInt8]) throws -> [UInt8] {
          try PKCS5.PBKDF2(
            password: Array(password.utf8), salt: salt, iterations: 600_000
          ).calculate()
        }
        """)),
    Rule(
      .ecbMode, "Encryption that shows patterns (ECB)",
      severity: .high, level: .required,
      consequence:
        "Equal blocks of the message are equal blocks when encrypted, so shapes and repetitions "
        + "can be seen, and blocks can be moved and swapped unnoticed.",
      remedy: "Use AES.GCM or ChaChaPoly of CryptoKit, which also notice what was changed.",
      references: .init(
        masvs: ["MSTG-CRYPTO-3"], mastg: ["MASTG-TEST-0317"], cwe: [327]),
      bad: .init(
        "Cipher.swift",
        """
        import CryptoSwift

        func encrypt(_ plain: [UInt8], key: [UInt8]) throws -> [UInt8] {
          try AES(key: key, blockMode: ECB()).encrypt(plain)
        }
        """),
      good: .init(
        "Cipher.swift",
        """
        import CryptoKit

        func encrypt(_ plain: Data, key: SymmetricKey) throws -> Data? {
          try AES.GCM.seal(plain, using: key).combined
        }
        """)),
    Rule(
      .weakCipher, "Cipher that can be broken",
      severity: .high, level: .required,
      consequence:
        "DES, Triple DES, RC4 and their contemporaries have keys or blocks too small for today's "
        + "computers, so what they encrypt can be read without the key.",
      remedy:
        "Use AES.GCM or ChaChaPoly of CryptoKit with a key of 256 bits, and encrypt stored data "
        + "anew.",
      references: .init(
        masvs: ["MSTG-CRYPTO-4"], mastg: ["MASTG-TEST-0210"], cwe: [327]),
      bad: .init(
        "Old.swift",
        """
        import CommonCrypto

        func cryptor(_ key: [UInt8], _ iv: [UInt8]) -> CCCryptorRef? {
          var made: CCCryptorRef?
          CCCryptorCreate(
            CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmDES),
            CCOptions(kCCOptionPKCS7Padding), key, key.count, iv, &made)
          return made
        }
        """),
      good: .init(
        "New.swift",
        """
        import CommonCrypto

        func cryptor(_ key: [UInt8], _ iv: [UInt8]) -> CCCryptorRef? {
          var made: CCCryptorRef?
          CCCryptorCreate(
            CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES),
            CCOptions(kCCOptionPKCS7Padding), key, key.count, iv, &made)
          return made
        }
        """)),
    Rule(
      .weakPasswordHash, "Password hashed by a function that is too fast",
      severity: .high, level: .required,
      consequence:
        "Such functions are made to be fast: one graphics card tries billions of passwords a "
        + "second against the stored value.",
      remedy:
        "Derive with Argon2id or scrypt, or with CCKeyDerivationPBKDF and 600,000 rounds of "
        + "SHA-256, and a salt of its own for each password.",
      references: .init(masvs: ["MSTG-CRYPTO-4"], cwe: [328, 916]),
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
        """)),
    Rule(
      .weakKdf, "Key derivation with too few rounds",
      severity: .medium, level: .required,
      consequence:
        "Each guess of the password costs next to nothing, so passwords that people choose are "
        + "found within hours.",
      remedy:
        "Give CCKeyDerivationPBKDF at least 600,000 rounds with SHA-256, 210,000 with SHA-512 or "
        + "1,300,000 with SHA-1, and store the number so that it can grow.",
      references: .init(masvs: ["MSTG-CRYPTO-3"], cwe: [916]),
      bad: .init(
        "Derive.swift",
        """
        import CryptoSwift

        func key(_ password: [UInt8], salt: [UInt8]) throws -> [UInt8] {
          try PKCS5.PBKDF2(password: password, salt: salt, iterations: 1_000).calculate()
        }
        """),
      good: .init(
        "Derive.swift",
        """
        import CryptoSwift

        func key(_ password: [UInt8], salt: [UInt8]) throws -> [UInt8] {
          try PKCS5.PBKDF2(password: password, salt: salt, iterations: 600_000).calculate()
        }
        """)),
    Rule(
      .passwordAsKey, "Password used as a key as it is",
      severity: .medium, level: .required,
      consequence:
        "The few characters that people type make a key of few possibilities, and each can be "
        + "tried at the full speed of the cipher.",
      remedy:
        "Derive the key from the password with CCKeyDerivationPBKDF, a random salt and 600,000 "
        + "rounds of SHA-256, or encrypt with a random key that the keychain keeps.",
      references: .init(masvs: ["MSTG-CRYPTO-3"], cwe: [326, 916]),
      bad: .init(
        "Seal.swift",
        """
        import CryptoKit

        func seal(_ note: Data, password: String) throws -> Data? {
          try AES.GCM.seal(note, using: SymmetricKey(data: Data(password.utf8))).combined
        }
        """),
      good: .init(
        "Seal.swift",
        """
        import CryptoKit

        func seal(_ note: Data, password: String, salt: Data) throws -> Data? {
          let derived = pbkdf2(password, salt: salt, rounds: 600_000)
          return try AES.GCM.seal(note, using: SymmetricKey(data: derived)).combined
        }
        """)),
    Rule(
      .insecureRandom, "Secret made of numbers that can be foretold",
      severity: .medium, level: .required,
      consequence:
        "rand, drand48 and generators for games give the same numbers again from the same start, "
        + "so who has seen some, or guesses the start, knows the key or token.",
      remedy:
        "Use SecRandomCopyBytes, SymmetricKey(size:), SystemRandomNumberGenerator or "
        + "arc4random_buf.",
      references: .init(masvs: ["MSTG-CRYPTO-6"], cwe: [330, 338]),
      bad: .init(
        "Token.swift",
        """
        func makeToken() -> String {
          String(rand(), radix: 16) + String(rand(), radix: 16)
        }
        """),
      good: .init(
        "Token.swift",
        """
        func makeToken() -> String {
          String(UInt64.random(in: 0 ... .max), radix: 16)
        }
        """)),
    Rule(
      .predictableKey, "Key made of what others can learn",
      severity: .medium, level: .required,
      consequence:
        "The name of an app, the identifier of a device or the time are no secrets: who knows or "
        + "guesses them has the key.",
      remedy:
        "Make the key with SymmetricKey(size:) and keep it in the keychain with "
        + "kSecAttrAccessibleWhenUnlockedThisDeviceOnly.",
      references: .init(masvs: ["MSTG-CRYPTO-1", "MSTG-CRYPTO-6"], cwe: [330, 340]),
      bad: .init(
        "Database.swift",
        """
        import UIKit

        func open(_ database: Database) throws {
          let phrase = UIDevice.current.identifierForVendor?.uuidString ?? ""
          try database.execute("PRAGMA key = '\\(phrase)'")
        }
        """),
      good: .init(
        "Database.swift",
        """
        func open(_ database: Database, keychain: Keychain) throws {
          let phrase = try keychain.string(for: "database")
          try database.execute("PRAGMA key = '\\(phrase)'")
        }
        """)),
  ]
}
