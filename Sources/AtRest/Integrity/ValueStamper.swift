@_spi(Tools) import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import Crypto
import Foundation

/// Stamps values that stay readable, and opens stamped values that were not changed.
///
/// ```swift
/// let stamper = ValueStamper(keychain)
/// try stamper.stamp(settings, name: "settings") { try $0.json().write(to: url) }
/// let settings: Settings = try stamper.open(
///   Stamped(json: Data(contentsOf: url)), name: "settings")
/// ```
///
/// The key, an HMAC-SHA-256 key or a key pair, stays in the keychain. The keychain also keeps a
/// counter for each name, which detects that the current value was replaced with an older one.
/// Opening a value needs this counter even if the stamp is a signature, so another device cannot
/// open the value.
///
/// From a task, run calls with `background(_:)`. Safe to use from several threads and processes.
public struct ValueStamper: BlockingCalls {
  private enum Key: Sendable {
    case hmac(name: String)
    case pair(tag: String, scheme: SignatureScheme?)
  }

  private let keychain: Keychain
  private let key: Key
  private let protection: ItemProtection
  private let group: String?
  private let owner: ItemOwner?

  /// Stamps with HMAC-SHA-256. The key is created when a value is first stamped.
  ///
  /// - Parameters:
  ///   - keyName: The key's name in the keychain.
  ///   - protection: The protection of the key and the counters when they are created.
  ///   - group: The access group, or nil for the default group.
  public init(
    _ keychain: Keychain, keyName: String = "values",
    protection: ItemProtection = .accessible(.whenUnlockedThisDeviceOnly), group: String? = nil
  ) {
    self.keychain = keychain
    key = .hmac(name: keyName)
    self.protection = protection
    self.group = group
    owner = nil
  }

  /// Stamps with signatures of a key pair in the keychain.
  ///
  /// - Parameters:
  ///   - tag: The tag of the key pair.
  ///   - scheme: The signature scheme, or nil for the default of the algorithm.
  ///   - protection: The protection of the counters when they are created.
  ///   - group: The access group, or nil for the default group.
  public init(
    _ keychain: Keychain, tag: String, scheme: SignatureScheme? = nil,
    protection: ItemProtection = .accessible(.whenUnlockedThisDeviceOnly), group: String? = nil
  ) {
    self.keychain = keychain
    key = .pair(tag: tag, scheme: scheme)
    self.protection = protection
    self.group = group
    owner = nil
  }

  /// Stamps with an HMAC key of an owner.
  init(_ keychain: Keychain, keyName: String, owner: ItemOwner) {
    self.keychain = keychain
    key = .hmac(name: keyName)
    protection = .accessible(.whenUnlockedThisDeviceOnly)
    group = nil
    self.owner = owner
  }

  // MARK: Stamping

  /// Stamps a value. From then on, only this value can be opened under its name.
  ///
  /// - Parameters:
  ///   - value: A value that can be written as JSON. Fractions have the precision of a `Double`.
  ///   - name: The name of the value in the program.
  ///   - type: The name of the type, or nil for the Swift type's own name. Pass a name if the Swift
  ///     type may be renamed later.
  ///   - saving: Stores the stamped value before older values are refused. With this closure, a
  ///     crash leaves either the old or the new value, and whichever is left can be opened. The
  ///     closure may run more than once if other callers stamp the same name, so keep it short.
  /// - Returns: The stamped value.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the value cannot be written as JSON and read
  ///   again; the error of `saving`, in which case the former value remains the current one; the
  ///   errors of the keychain: ``AtRestError/Code/locked``, and ``AtRestError/Code/notFound`` if
  ///   there is no key pair with the tag.
  @discardableResult
  public func stamp<Value>(
    _ value: Value, name: String, type: String? = nil,
    saving: (Stamped<Value>) throws -> Void = { _ in }
  ) throws -> Stamped<Value> {
    let tree = try Self.tree(value)
    while true {
      let former = try StampedState.get(
        keychain, stateItem(name), of: owner, protection: protection)
      let stamp = try sign(
        tree, name: name, type: type ?? "\(Value.self)", counter: former.highest + 1)
      let stamped = Stamped<Value>(tree, stamp)
      let isDone = try keychain.transaction {
        guard
          try StampedState.get(
            keychain, stateItem(name), of: owner, protection: protection) == former
        else { return false }
        try saving(stamped)
        try keychain.update(stateItem(name), secret: StampedState(present: stamp).encoded)
        return true
      }
      if isDone { return stamped }
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
  ) throws -> ValueStamp {
    func stamp(_ method: String, _ key: Data, _ code: (Data) throws -> Data) throws -> ValueStamp {
      func stamp(_ code: Data) -> ValueStamp {
        ValueStamp(
          version: ValueStamp.present, name: name, type: type, counter: counter, method: method,
          key: key.hexadecimal, code: code)
      }
      return stamp(try code(stamp(Data()).statement(tree)))
    }
    switch key {
    case .hmac:
      let secret = try keychain.getOrCreate(
        keyItem, for: owner, attributes: [.label: "Stamps values"], protection: protection
      ) { SecretBytes.random(count: 32) }
      let key = secret.derive(.stampedValue)
      return try stamp(Self.hmacMethod, Self.fingerprint(ofHMAC: secret)) {
        key.authenticationCode(for: $0)
      }
    case .pair(let tag, let scheme):
      let publicKey = try keychain.publicKey(tag: tag, group: group)
      let used = scheme ?? publicKey.algorithm.defaultSignatureScheme
      return try stamp(used?.name ?? "", Self.fingerprint(of: publicKey)) {
        try keychain.sign($0, tag: tag, group: group, scheme: scheme)
      }
    }
  }

  // MARK: Opening

  /// Returns the value if it is the one that was stamped last under its name.
  ///
  /// - Parameters:
  ///   - name: The name under which the value was stamped.
  ///   - type: The type name under which the value was stamped, or nil for the Swift type's own
  ///     name.
  ///   - acceptingOlder: True to accept an older value that was restored on purpose. The value then
  ///     becomes the current one.
  /// - Throws: ``AtRestError/Code/rolledBack`` if the value is not the one that was stamped last;
  ///   ``AtRestError/Code/damaged`` if the value was modified, or stamped under another name or
  ///   type; ``AtRestError/Code/authenticationFailed`` if another key stamped the value;
  ///   ``AtRestError/Code/invalidArgument`` if the value cannot be read as the Swift type;
  ///   ``AtRestError/Code/notFound`` if this device never stamped the name, or does not have the
  ///   key; ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/locked``.
  public func open<Value>(
    _ stamped: Stamped<Value>, name: String, type: String? = nil, acceptingOlder: Bool = false
  ) throws -> Value {
    let stamp = stamped.stamp
    guard stamp.version == ValueStamp.present else {
      throw AtRestError.unsupported(
        "The stamp of \(name)", version: stamp.version, known: ValueStamp.present)
    }
    try checkCode(stamped.value, stamp, name)
    let type = type ?? "\(Value.self)"
    guard stamp.name == name, stamp.type == type else {
      throw AtRestError.damaged(
        "Expected \(name), of type \(type); this was stamped as \(stamp.name), of type "
          + "\(stamp.type).")
    }
    try checkPresent(stamp, acceptingOlder: acceptingOlder)
    do {
      return try Self.value(stamped.value, of: Value.self)
    } catch {
      throw AtRestError(
        .invalidArgument, "The stamped value \(name) cannot be read as \(Value.self).",
        remedy: "Read it as the type that was stamped.", cause: error)
    }
  }

  private func checkCode(_ tree: JSONTree, _ stamp: ValueStamp, _ name: String) throws {
    let statement = stamp.statement(tree)
    let isValid: Bool
    switch key {
    case .hmac:
      let secret = try keychain.secret(for: keyItem, of: owner)
      guard stamp.method == Self.hmacMethod,
        stamp.key == Self.fingerprint(ofHMAC: secret).hexadecimal
      else { throw Self.otherKey(name) }
      isValid = secret.derive(.stampedValue)
        .isValid(authenticationCode: stamp.code, for: statement)
    case .pair(let tag, let scheme):
      let publicKey = try keychain.publicKey(tag: tag, group: group)
      // The scheme comes from this stamper, never from the file.
      guard let used = scheme ?? publicKey.algorithm.defaultSignatureScheme,
        stamp.method == used.name, stamp.key == Self.fingerprint(of: publicKey).hexadecimal
      else { throw Self.otherKey(name) }
      isValid = try publicKey.isValidSignature(stamp.code, for: statement, scheme: used)
    }
    guard isValid else {
      throw AtRestError.damaged("The stamped value \(name) was modified.")
    }
  }

  /// Checks that the value is the current one, or a newer one that was stamped and saved just
  /// before a crash.
  private func checkPresent(_ stamp: ValueStamp, acceptingOlder: Bool) throws {
    let item = stateItem(stamp.name)
    if try StampedState(decoding: keychain.secret(for: item, of: owner)).isPresent(stamp) { return }
    try keychain.transaction {
      let state = try StampedState(decoding: keychain.secret(for: item, of: owner))
      guard !state.isPresent(stamp) else { return }
      guard stamp.counter > state.highest || acceptingOlder else {
        throw AtRestError(
          .rolledBack, "The stamped value \(stamp.name) is older than the one stamped last.",
          remedy: "Restore the current one, or open this one with acceptingOlder: true."
        )
      }
      try keychain.update(
        item, secret: StampedState(present: stamp, atLeast: state.highest).encoded)
    }
  }

  // MARK: Keys and items

  private static let hmacMethod = "hmac-sha256"

  private static func fingerprint(ofHMAC secret: borrowing SecretBytes) -> Data {
    Data(copying: secret.derive(.stampedValueKey, count: 8))
  }

  private static func fingerprint(of key: PublicKey) -> Data {
    Data(SHA256.hash(data: key.derRepresentation).prefix(8))
  }

  private static func otherKey(_ name: String) -> AtRestError {
    AtRestError(
      .authenticationFailed,
      "The value \(name) was stamped with another key, or its stamp was modified.",
      remedy: "Open it with the key that stamped it.")
  }

  private var keyItem: PrimaryKey {
    guard case .hmac(let name) = key else { preconditionFailure("A pair has a tag.") }
    return owner?.key("stamp-key", name)
      ?? .genericPassword(service: "atrest.stamped-values.key", account: name, group: group)
  }

  private func stateItem(_ name: String) -> PrimaryKey {
    let scope =
      switch key {
      case .hmac(let name): "hmac.\(name)"
      case .pair(let tag, _): "pair.\(tag)"
      }
    // The length keeps a name with a dot from being mistaken for the name of another key.
    return owner?.key("stamp", "\(scope.utf8.count).\(scope).\(name)")
      ?? .genericPassword(
        service: "atrest.stamped-values.counter.\(scope)", account: name, group: group)
  }
}

/// The asynchronous forms of the calls.
extension ValueStamper {
  /// Stamps a value, off the caller's actor.
  @discardableResult
  public func stamp<Value>(
    _ value: Value, name: String, type: String? = nil,
    saving: @escaping @Sendable (Stamped<Value>) throws -> Void = { _ in }
  ) async throws -> Stamped<Value> {
    try await offActor {
      try self.stamp(value, name: name, type: type, saving: saving)
    }
  }
}

extension Purpose {
  fileprivate static let stampedValue = Purpose("atrest.stamped-value.v1")
  fileprivate static let stampedValueKey = Purpose("atrest.stamped-value-key-fingerprint.v1")
}
