import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import Crypto
import Foundation

/// Seals values that stay readable, and opens them where nobody changed them.
///
/// ```swift
/// let sealer = ValueSealer(keychain)
/// try sealer.seal(settings, name: "settings") { try $0.json().write(to: url) }
/// let settings: Settings = try sealer.open(
///   Sealed(json: Data(contentsOf: url)), name: "settings")
/// ```
///
/// The key, for HMAC-SHA-256 or of a key pair, stays in the keychain. So does a counter for each name:
/// an older value in place of the present one is found out, on this device. Verifying a signature
/// needs the counter too, so that another device does not open.
///
/// Each call has a synchronous and an asynchronous form. Safe to use from several threads and
/// processes.
public struct ValueSealer: Sendable {
  private enum Key: Sendable {
    case hmac(name: String)
    case pair(tag: String, scheme: SignatureScheme?)
  }

  private let keychain: Keychain
  private let key: Key
  private let protection: Protection
  private let group: String?

  /// Seals by HMAC-SHA-256, with a key that is made when it first seals.
  ///
  /// - Parameters:
  ///   - keyName: The key's name in the keychain.
  ///   - protection: Of key and counters, where they are made now.
  ///   - group: The access group; nil: the default one.
  public init(
    _ keychain: Keychain, keyName: String = "values",
    protection: Protection = .accessible(.whenUnlockedThisDeviceOnly), group: String? = nil
  ) {
    self.keychain = keychain
    key = .hmac(name: keyName)
    self.protection = protection
    self.group = group
  }

  /// Seals by a signature of a key pair that the keychain has.
  ///
  /// - Parameters:
  ///   - tag: Of the key pair.
  ///   - scheme: How to sign; nil: the algorithm's usual one.
  ///   - protection: Of the counters, where they are made now.
  ///   - group: The access group; nil: the default one.
  public init(
    _ keychain: Keychain, tag: String, scheme: SignatureScheme? = nil,
    protection: Protection = .accessible(.whenUnlockedThisDeviceOnly), group: String? = nil
  ) {
    self.keychain = keychain
    key = .pair(tag: tag, scheme: scheme)
    self.protection = protection
    self.group = group
  }

  // MARK: Sealing

  /// Seals a value: it is the only one under its name that opens from then on.
  ///
  /// - Parameters:
  ///   - value: What can be written as JSON. Fractions keep the digits of a `Double`.
  ///   - name: What it is to the program.
  ///   - type: What it is of; nil: the type's own name. Give one that outlives a renaming.
  ///   - saving: Stores the sealed value, before older ones are refused: with the closure a crash
  ///     leaves the old value or the new one, and that one opens. May run more than once, where
  ///     others seal the same name; keep it short.
  /// - Returns: The sealed value.
  /// - Throws: ``AtRestError/Code/invalidArgument`` where the value cannot be written as JSON and
  ///   read again; what `saving` throws, and then nothing is changed; what the calls of the
  ///   keychain throw: ``AtRestError/Code/locked``, for a tag ``AtRestError/Code/notFound``.
  @discardableResult
  public func seal<Value>(
    _ value: Value, name: String, type: String? = nil,
    saving: (Sealed<Value>) throws -> Void = { _ in }
  ) throws -> Sealed<Value> {
    let tree = try Self.tree(value)
    while true {
      let former = try SealedState.get(keychain, stateItem(name), protection: protection)
      let seal = try sign(
        tree, name: name, type: type ?? "\(Value.self)", counter: former.highest + 1)
      let sealed = Sealed<Value>(tree, seal)
      let isDone = try keychain.transaction {
        guard try SealedState.get(keychain, stateItem(name), protection: protection) == former
        else { return false }
        try saving(sealed)
        try keychain.update(stateItem(name), secret: SealedState(present: seal).encoded)
        return true
      }
      if isDone { return sealed }
    }
  }

  private static func tree<Value: Codable>(_ value: Value) throws -> JSONTree {
    do {
      let tree = try JSONDecoder().decode(JSONTree.self, from: JSONEncoder().encode(value))
      _ = try Self.value(tree, of: Value.self)
      return tree
    } catch {
      throw AtRestError.invalid(
        "The value of type \(Value.self) cannot be written as JSON and read again.",
        remedy: "Check its encode(to:) and init(from:), and write long decimals as text.")
    }
  }

  private static func value<Value: Codable>(_ tree: JSONTree, of: Value.Type) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(tree))
  }

  private func sign(
    _ tree: JSONTree, name: String, type: String, counter: UInt64
  ) throws -> ValueSeal {
    func seal(_ method: String, _ key: Data, _ code: (Data) throws -> Data) throws -> ValueSeal {
      func seal(_ code: Data) -> ValueSeal {
        ValueSeal(
          version: ValueSeal.present, name: name, type: type, counter: counter, method: method,
          key: key.hexadecimal, code: code)
      }
      return seal(try code(seal(Data()).statement(tree)))
    }
    switch key {
    case .hmac:
      let secret = try keychain.getOrCreate(
        keyItem, attributes: [.label: "Seals values"], protection: protection
      ) { SecretBytes.random(count: 32) }
      let key = secret.derive(.sealedValue)
      return try seal(Self.hmacMethod, Self.fingerprint(ofHMAC: secret)) {
        key.authenticationCode(for: $0)
      }
    case .pair(let tag, let scheme):
      let publicKey = try keychain.publicKey(tag: tag, group: group)
      let used = scheme ?? publicKey.algorithm.defaultSignatureScheme
      return try seal(used?.name ?? "", Self.fingerprint(of: publicKey)) {
        try keychain.sign($0, tag: tag, group: group, scheme: scheme)
      }
    }
  }

  // MARK: Opening

  /// The value, where it is the one that was sealed last under its name.
  ///
  /// - Parameters:
  ///   - name: The name that it was sealed under.
  ///   - type: The type that it was sealed as; nil: the type's own name.
  ///   - acceptingOlder: Makes an older value the present one, where it was put back on purpose.
  /// - Throws: ``AtRestError/Code/rolledBack`` where it is not the one that was sealed last;
  ///   ``AtRestError/Code/damaged`` where it was changed, or sealed under another name or type;
  ///   ``AtRestError/Code/authenticationFailed`` where another key sealed it;
  ///   ``AtRestError/Code/notFound`` where this device never sealed the name, or has no such key;
  ///   ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/locked``.
  public func open<Value>(
    _ sealed: Sealed<Value>, name: String, type: String? = nil, acceptingOlder: Bool = false
  ) throws -> Value {
    let seal = sealed.seal
    guard seal.version == ValueSeal.present else {
      throw AtRestError(
        .unsupportedVersion, "The seal of \(name) has version \(seal.version).",
        remedy: "Use a later version of AtRest.")
    }
    try checkCode(sealed.value, seal, name)
    let type = type ?? "\(Value.self)"
    guard seal.name == name, seal.type == type else {
      throw AtRestError.damaged(
        "What should be \(name), of type \(type), was sealed as \(seal.name), of type "
          + "\(seal.type).")
    }
    try checkPresent(seal, acceptingOlder: acceptingOlder)
    do {
      return try Self.value(sealed.value, of: Value.self)
    } catch {
      throw AtRestError(
        .invalidArgument, "The sealed value \(name) is none of type \(Value.self).",
        remedy: "Read it as the type that was sealed.", cause: error)
    }
  }

  private func checkCode(_ tree: JSONTree, _ seal: ValueSeal, _ name: String) throws {
    let statement = seal.statement(tree)
    let isValid: Bool
    switch key {
    case .hmac:
      let secret = try keychain.secret(for: keyItem)
      guard seal.method == Self.hmacMethod, seal.key == Self.fingerprint(ofHMAC: secret).hexadecimal
      else { throw Self.otherKey(name) }
      isValid = secret.derive(.sealedValue)
        .isValid(authenticationCode: seal.code, for: statement)
    case .pair(let tag, let scheme):
      let publicKey = try keychain.publicKey(tag: tag, group: group)
      // The scheme is this sealer's and not the file's to choose.
      guard let used = scheme ?? publicKey.algorithm.defaultSignatureScheme,
        seal.method == used.name, seal.key == Self.fingerprint(of: publicKey).hexadecimal
      else { throw Self.otherKey(name) }
      isValid = try publicKey.isValidSignature(seal.code, for: statement, scheme: used)
    }
    guard isValid else {
      throw AtRestError.damaged("The sealed value \(name) was changed.")
    }
  }

  /// The value is the present one, or newer: sealed and saved just before a crash.
  private func checkPresent(_ seal: ValueSeal, acceptingOlder: Bool) throws {
    let item = stateItem(seal.name)
    if try SealedState(decoding: keychain.secret(for: item)).isPresent(seal) { return }
    try keychain.transaction {
      let state = try SealedState(decoding: keychain.secret(for: item))
      guard !state.isPresent(seal) else { return }
      guard seal.counter > state.highest || acceptingOlder else {
        throw AtRestError(
          .rolledBack, "The sealed value \(seal.name) is older than the one sealed last.",
          remedy: "Restore the present one; if you put it back on purpose, open it accepting older."
        )
      }
      try keychain.update(
        item, secret: SealedState(present: seal, atLeast: state.highest).encoded)
    }
  }

  // MARK: Keys and items

  private static let hmacMethod = "hmac-sha256"

  private static func fingerprint(ofHMAC secret: borrowing SecretBytes) -> Data {
    Data(copying: secret.derive(.sealedValueKey, count: 8))
  }

  private static func fingerprint(of key: PublicKey) -> Data {
    Data(SHA256.hash(data: key.derRepresentation).prefix(8))
  }

  private static func otherKey(_ name: String) -> AtRestError {
    AtRestError(
      .authenticationFailed,
      "The value \(name) was sealed with another key, or its seal was changed.",
      remedy: "Open it with the key that sealed it.")
  }

  private var keyItem: PrimaryKey {
    guard case .hmac(let name) = key else { preconditionFailure("A pair has a tag.") }
    return .genericPassword(service: "atrest.sealed-values.key", account: name, group: group)
  }

  private func stateItem(_ name: String) -> PrimaryKey {
    let scope =
      switch key {
      case .hmac(let name): "hmac.\(name)"
      case .pair(let tag, _): "pair.\(tag)"
      }
    return .genericPassword(
      service: "atrest.sealed-values.counter.\(scope)", account: name, group: group)
  }
}

/// The asynchronous forms.
extension ValueSealer {
  /// Seals a value, off the caller's actor.
  @discardableResult
  public func seal<Value>(
    _ value: Value, name: String, type: String? = nil,
    saving: @escaping @Sendable (Sealed<Value>) throws -> Void = { _ in }
  ) async throws -> Sealed<Value> {
    try await keychain.offActor {
      try self.seal(value, name: name, type: type, saving: saving)
    }
  }

  /// The value, where it is the one that was sealed last, off the caller's actor.
  public func open<Value>(
    _ sealed: Sealed<Value>, name: String, type: String? = nil, acceptingOlder: Bool = false
  ) async throws -> Value {
    try await keychain.offActor {
      try self.open(sealed, name: name, type: type, acceptingOlder: acceptingOlder)
    }
  }
}

extension Purpose {
  fileprivate static let sealedValue = Purpose("atrest.sealed-value.v1")
  fileprivate static let sealedValueKey = Purpose("atrest.sealed-value-key-fingerprint.v1")
}
