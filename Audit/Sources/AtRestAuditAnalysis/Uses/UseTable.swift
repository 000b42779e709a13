import AtRestAuditModel

/// The calls of frameworks and common libraries that take a secret, as data.
enum UseTable {
  /// Which argument of a call is the secret.
  enum Place: Sendable {
    case label(String)
    case position(Int)
  }

  struct Row: Sendable {
    /// The last name of the callee.
    let call: String
    let place: Place
    /// The role of the value in a sentence: `is the password of a credential`.
    let role: String
  }

  static let rows: [String: [Row]] = Dictionary(grouping: all, by: \.call)

  private static func row(_ call: String, _ label: String, _ role: String) -> Row {
    Row(call: call, place: .label(label), role: role)
  }

  private static func row(_ call: String, _ position: Int, _ role: String) -> Row {
    Row(call: call, place: .position(position), role: role)
  }

  private static let all: [Row] = [
    // Credentials of requests and services.
    row("URLCredential", "password", "is the password of a credential"),
    row("credentialWithUser", "password", "is the password of a credential"),
    row("initWithUser", "password", "is the password of a credential"),
    row("authenticate", "password", "is the password of a request"),
    row("authorization", "password", "is the password of a header"),
    row("authorization", "bearerToken", "is the token of a header"),
    row("bearer", "token", "is the token of a header"),
    row("signIn", "password", "signs a person in"),
    row("signInWithEmail", "password", "signs a person in"),
    row("createUser", "password", "registers a person"),
    row("credential", "password", "is the password of a credential"),
    row("setAuthorizationHeaderFieldWithUsername", "password", "is the password of a header"),
    // Keys and passwords of cryptography.
    row("SymmetricKey", "data", "is the key of a cipher"),
    row("seal", "using", "is the key of a cipher"),
    row("authenticationCode", "using", "is the key of a message authentication code"),
    row("AES", "key", "is the key of a cipher"),
    row("ChaCha20", "key", "is the key of a cipher"),
    row("HMAC", "key", "is the key of a message authentication code"),
    row("PBKDF2", "password", "is the password of a key derivation"),
    row("Scrypt", "password", "is the password of a key derivation"),
    row("HKDF", "password", "is the password of a key derivation"),
    row("CCKeyDerivationPBKDF", 1, "is the password of a key derivation"),
    row("CCCrypt", 3, "is the key of a cipher"),
    row("CCCryptorCreate", 3, "is the key of a cipher"),
    row("CCHmac", 1, "is the key of a message authentication code"),
    row("PKCS5_PBKDF2_HMAC", 0, "is the password of a key derivation"),
    row("EVP_EncryptInit_ex", 3, "is the key of a cipher"),
    row("EVP_DecryptInit_ex", 3, "is the key of a cipher"),
    row("SecKeyCreateWithData", 0, "is a private key"),
    row("encrypt", "withPassword", "is the password of an encryption"),
    row("encrypt", "password", "is the password of an encryption"),
    row("encrypt", "key", "is the key of a cipher"),
    row("decrypt", "withPassword", "is the password of an encryption"),
    row("decrypt", "password", "is the password of an encryption"),
    row("decrypt", "key", "is the key of a cipher"),
    row("sqlite3_key", 1, "is the key of a database"),
    row("usePassphrase", 0, "is the passphrase of a database"),
    row("SecPKCS12Import", 1, "is the passphrase of an identity"),
    row("mnemonicToSeed", 0, "is the seed phrase of a wallet"),
    row("mnemonicToSeed", "mnemonic", "is the seed phrase of a wallet"),
    row("HDWallet", "mnemonic", "is the seed phrase of a wallet"),
    row("seed", "mnemonic", "is the seed phrase of a wallet"),
    row("SecureField", "text", "is typed into a secure field"),
  ]

  /// Properties that take a secret.
  static let properties: [String: String] = [
    "encryptionKey": "is the key of a database",
    "kSecValueData": "is stored in the keychain",
    "kSecValueRef": "is stored in the keychain",
  ]

  /// Returns true for the role of what lets a request in.
  static func isHeader(_ role: String) -> Bool {
    role.hasPrefix("is sent in") || role.hasSuffix(" of a header")
      || role.hasPrefix("becomes a header") || role.hasPrefix("is sent as Auth")
  }

  /// Returns true for the role of what encrypts data or opens a database.
  static func isKey(_ role: String) -> Bool {
    role.hasPrefix("is the key of a ") || role.hasPrefix("is the passphrase of a database")
      || role.hasPrefix("is the password of an encryption") || role.hasSuffix(" as encryptionKey")
  }

  /// Names of the objects that wrap the keychain.
  static let keychains = [
    "keychain", "valet", "locksmith", "securestor", "sskeychain", "samkeychain",
  ]

  /// First words of calls that store in such an object.
  static let stores: Set<String> = [
    "set", "save", "store", "add", "update", "put", "write", "insert",
  ]

  /// First words of functions that use their password to let somebody in, or to open something.
  static let entrances: Set<String> = [
    "login", "signin", "signup", "authenticate", "auth", "authorize", "unlock", "decrypt",
    "encrypt",
    "register", "derive", "reauthenticate",
  ]

  /// Pairs of first words like ``entrances``.
  static let entrancesOfTwo: Set<String> = [
    "log in", "sign in", "sign up", "log user", "change password", "set password", "reset password",
    "verify password", "check password", "create account", "import wallet", "create wallet",
    "restore wallet", "recover wallet", "open database", "change pin", "verify pin", "set pin",
    "validate password", "update password", "refresh token", "verify passcode", "set passcode",
  ]

  /// Returns true if a function lets somebody in or opens something, according to its name.
  static func isEntrance(_ name: String) -> Bool {
    let words = Words.split(name)
    guard let first = words.first else { return false }
    return entrances.contains(first)
      || entrancesOfTwo.contains(words.prefix(2).joined(separator: " "))
  }

  /// Returns true for a header that carries a secret.
  static func isHeaderOfSecret(_ name: String) -> Bool {
    let words = Words.split(name)
    return words.contains { ["authorization", "authentication", "auth", "token"].contains($0) }
      || words.suffix(2) == ["api", "key"][...]
  }
}
