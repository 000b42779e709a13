import AtRestCrypto
import AtRestKeybag
import Foundation

extension KeychainOperation {
  /// Carries out the operation on a keychain, with the identity of that keychain.
  ///
  /// - Returns: The answer. A refusal is thrown.
  /// - Throws: The errors of the corresponding calls of ``Keychain``.
  public func perform(
    on keychain: Keychain, context: AuthenticationContext
  ) throws -> AgentResponse {
    switch self {
    case .secret(.key(let key)):
      return .secret(AgentSecret(try keychain.secret(for: key, context: context)))
    case .secret(.reference(let reference)):
      return .secret(AgentSecret(try keychain.secret(for: reference, context: context)))
    case .secret(.query): throw AgentLimits.malformed
    case .items(.key(let key), let secrets):
      return .items(
        KeychainItems([try keychain.item(for: key, secrets: secrets, context: context)]))
    case .items(.reference(let reference), let secrets):
      return .items(
        KeychainItems([try keychain.item(for: reference, secrets: secrets, context: context)]))
    case .items(.query(let query), let secrets):
      return .items(try keychain.items(matching: query, secrets: secrets, context: context))
    case .add(let key, let attributes, let protection, let secret, let isHardwareKey):
      let item = try Self.withBytes(of: secret) {
        try keychain.addItem(
          key, value: $0, attributes: attributes, protection: protection,
          isHardwareKey: isHardwareKey, context: context)
      }
      return .items(KeychainItems([item]))
    case .set(let key, let attributes, let protection, let secret):
      return .data(
        try keychain.set(
          key, secret: secret.bytes, attributes: attributes, protection: protection,
          context: context
        ).data)
    case .update(let items, let change, let secret):
      return .count(try Self.update(items, change, secret, in: keychain, context))
    case .delete(.key(let key)):
      try keychain.delete(key)
      return .count(1)
    case .delete(.reference(let reference)):
      try keychain.delete(reference)
      return .count(1)
    case .delete(.query(let query)): return .count(try keychain.delete(matching: query))
    default: return try performOnKey(in: keychain, context: context)
    }
  }

  private static func update(
    _ items: ItemSelector, _ change: ItemChange, _ secret: AgentSecret?, in keychain: Keychain,
    _ context: AuthenticationContext
  ) throws -> Int {
    try withBytes(of: secret) { bytes in
      switch items {
      case .key(let key):
        try keychain.update(key, change: change, secret: bytes, context: context)
        return 1
      case .reference(let reference):
        try keychain.update(reference, change: change, secret: bytes, context: context)
        return 1
      case .query(let query):
        return try keychain.update(
          matching: query, change: change, secret: bytes, context: context)
      }
    }
  }

  private func performOnKey(
    in keychain: Keychain, context: AuthenticationContext
  ) throws -> AgentResponse {
    switch self {
    case .createKey(let algorithm, let traits):
      return .data(
        try keychain.createKey(
          algorithm, tag: traits.name.tag, label: traits.label,
          isExtractable: traits.isExtractable, protection: traits.protection,
          group: traits.name.group, context: context
        ).derRepresentation)
    case .createHardwareKey(let traits):
      return .data(
        try keychain.createHardwareKey(
          tag: traits.name.tag, label: traits.label, protection: traits.protection,
          group: traits.name.group, context: context
        ).derRepresentation)
    case .importKey(let algorithm, let traits, let secret):
      return .data(
        try keychain.importKey(
          PrivateKey(storage: secret.bytes.duplicate(), algorithm: algorithm),
          tag: traits.name.tag, label: traits.label, isExtractable: traits.isExtractable,
          protection: traits.protection, group: traits.name.group, context: context
        ).derRepresentation)
    case .publicKey(let name):
      return .data(
        try keychain.publicKey(tag: name.tag, group: name.group).derRepresentation)
    case .useKey(let key, let use): return try keychain.use(key, use, context: context)
    case .exportKey(let name):
      let key = try keychain.exportKey(tag: name.tag, group: name.group, context: context)
      return .key(key)
    case .deleteKey(let name):
      try keychain.deleteKey(tag: name.tag, group: name.group)
      return .done
    default: throw AgentLimits.malformed
    }
  }

  private static func withBytes<Result>(
    of secret: AgentSecret?, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    guard let secret else { return try body(nil) }
    return try secret.bytes.withUnsafeBytes { try body($0) }
  }
}

extension AgentResponse {
  static func count(_ count: Int) -> AgentResponse {
    .data(withUnsafeBytes(of: Int64(count).bigEndian) { Data($0) })
  }

  /// A private key: its algorithm as text, and its stored form.
  static func key(_ key: borrowing PrivateKey) -> AgentResponse {
    var writer = ByteWriter()
    defer { writer.erase() }
    writer.counted(utf8: key.algorithm.name)
    key.storage.withUnsafeBytes { writer.counted($0) }
    return .secret(AgentSecret(SecretBytes(writer.bytes)))
  }
}
