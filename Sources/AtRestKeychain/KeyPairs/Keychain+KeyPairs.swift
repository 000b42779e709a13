import AtRestCrypto
import AtRestKeybag
import Foundation

/// Key pairs, which are found by an application tag that is unique in an access group.
extension Keychain {
  /// Creates a key pair whose private half stays in the keychain.
  ///
  /// ```swift
  /// let publicKey = try keychain.createKey(.p256, tag: "com.example.signing")
  /// let signature = try keychain.sign(message, tag: "com.example.signing")
  /// ```
  ///
  /// - Parameters:
  ///   - tag: The application tag, which must be unique among the private keys of the group.
  ///   - isExtractable: True if `exportKey(tag:group:context:)` may return the private half.
  /// - Throws: ``AtRestError/Code/duplicate`` if the tag is taken; otherwise the errors of
  ///   `add(_:secret:attributes:protection:context:)`.
  @discardableResult
  public func createKey(
    _ algorithm: KeyAlgorithm, tag: String, label: String? = nil, isExtractable: Bool = false,
    protection: ItemProtection = .whenUnlocked, group: String? = nil,
    context: AuthenticationContext? = nil
  ) throws -> PublicKey {
    let answer = try askAgentToWrite(context) {
      .createKey(
        algorithm,
        .init(
          name: named(tag, group), label: label, isExtractable: isExtractable,
          protection: protection))
    }
    if let answer { return try answer.publicKey() }
    return try importKey(
      PrivateKey.generate(algorithm), tag: tag, label: label, isExtractable: isExtractable,
      protection: protection, group: group, context: context)
  }

  /// Stores a private key that was generated elsewhere.
  ///
  /// - Throws: The errors of `createKey(_:tag:label:isExtractable:protection:group:context:)`.
  @discardableResult
  public func importKey(
    _ key: borrowing PrivateKey, tag: String, label: String? = nil, isExtractable: Bool = false,
    protection: ItemProtection = .whenUnlocked, group: String? = nil,
    context: AuthenticationContext? = nil
  ) throws -> PublicKey {
    let answer = try askAgentToWrite(context) {
      .importKey(
        key.algorithm,
        .init(
          name: named(tag, group), label: label, isExtractable: isExtractable,
          protection: protection),
        AgentSecret(key.storage.duplicate()))
    }
    if let answer { return try answer.publicKey() }
    try key.storage.withUnsafeBytes {
      try addPrivateKey(
        $0, of: key.publicKey, tag: tag, label: label, isExtractable: isExtractable,
        protection: protection, group: group, context: context)
    }
    return key.publicKey
  }

  /// Returns the name of a new key, with the group in which this keychain adds items.
  func named(_ tag: String, _ group: String?) -> KeychainOperation.KeyName {
    .init(tag, group: group ?? identity.defaultGroup)
  }

  /// Adds the item of a private key.
  ///
  /// - Parameters:
  ///   - value: The compact form of the key, or the stored form of a hardware key.
  ///   - isHardwareKey: True if the value is the stored form of a hardware key.
  func addPrivateKey(
    _ value: UnsafeRawBufferPointer, of publicKey: PublicKey, tag: String, label: String?,
    isExtractable: Bool, isHardwareKey: Bool = false, protection: ItemProtection, group: String?,
    context: AuthenticationContext?
  ) throws {
    let algorithm = publicKey.algorithm
    let size = ItemAttributeValue.number(Int64(algorithm.keySizeInBits))
    let primaryKey = PrimaryKey(
      unchecked: .key,
      [
        .keyClass: .privateKey, .applicationTag: .data(Data(tag.utf8)),
        .applicationLabel: .data(publicKey.applicationLabel),
        .type: .number(algorithm.attributeType), .keySizeInBits: size, .effectiveKeySize: size,
      ], group: group, synchronizable: false)
    var attributes: ItemAttributes = [
      .isPermanent: true, .isExtractable: .init(booleanLiteral: isExtractable),
      .canSign: .init(booleanLiteral: algorithm.canSign),
      .canDerive: .init(booleanLiteral: algorithm.canAgree),
      .canDecrypt: .init(booleanLiteral: algorithm.canDecrypt),
      .publicKey: .data(publicKey.derRepresentation),
    ]
    if let label { attributes[.label] = .text(label) }
    if isHardwareKey { attributes[.tokenID] = .secureElement }
    try transaction {
      let query = KeychainQuery(keyTag: tag, group: group ?? identity.defaultGroup)
      let isTaken = try writing(with: .unattended) {
        try !$0.finder.rows(matching: query).isEmpty
      }
      guard !isTaken else {
        throw AtRestError(
          .duplicate, "There is already a private key with the tag \(tag).",
          remedy: "Choose another tag, or delete that key.")
      }
      _ = try add(
        primaryKey, value: value, attributes: attributes, protection: protection,
        isHardwareKey: isHardwareKey, context: context)
    }
  }

  /// Returns the public half of a key pair. The user is not asked, because this half is public.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/locked``;
  ///   ``AtRestError/Code/damaged``; ``AtRestError/Code/invalidArgument`` if `group` is nil and
  ///   keys of several groups have the tag.
  public func publicKey(tag: String, group: String? = nil) throws -> PublicKey {
    if let answer = try askAgent(nil, { .publicKey(.init(tag, group: group)) }) {
      return try answer.publicKey()
    }
    return try reading(with: .unattended) { reader in
      let row = try reader.finder.keyRow(tag: tag, group: group)
      let metadata = try reader.boxes.openMetadata(of: row)
      guard case .data(let der) = metadata.attributes[.publicKey] else {
        throw AtRestError.noItem("with a public half and the tag \(tag)")
      }
      return try PublicKey(importing: der)
    }
  }

  /// Signs a message with the private key that has a tag.
  ///
  /// - Parameter scheme: The signature scheme. nil selects the default of the algorithm.
  /// - Throws: The errors of `publicKey(tag:group:)` and, if the key has access control, of
  ///   `secret(for:context:)`; ``AtRestError/Code/invalidArgument`` if the algorithm does not
  ///   support the scheme.
  public func sign(
    _ message: Data, tag: String, group: String? = nil, scheme: SignatureScheme? = nil,
    context: AuthenticationContext? = nil
  ) throws -> Data {
    try withKey(tag: tag, group: group, context: context) { key, _ in
      try key.signature(for: message, scheme: scheme)
    }
  }

  /// Agrees on a secret with the holder of another key.
  ///
  /// Derive keys from the result (``SecretBytes/derive(_:salt:context:count:)``); never use the
  /// result itself as a key.
  ///
  /// - Throws: The errors of `sign(_:tag:group:scheme:context:)`.
  public func sharedSecret(
    with publicKey: PublicKey, tag: String, group: String? = nil,
    context: AuthenticationContext? = nil
  ) throws -> SecretBytes {
    try withKey(tag: tag, group: group, context: context) { key, _ in
      try key.sharedSecret(with: publicKey)
    }
  }

  /// Decrypts data that was encrypted to an RSA key.
  ///
  /// - Throws: The errors of `sign(_:tag:group:scheme:context:)`; ``AtRestError/Code/notPermitted``
  ///   for a key with private-key usage, which may only sign and agree on secrets.
  public func decrypt(
    _ ciphertext: Data, tag: String, group: String? = nil,
    context: AuthenticationContext? = nil
  ) throws -> SecretBytes {
    try withKey(tag: tag, group: group, context: context) { key, metadata in
      try Self.checkDecryption(metadata)
      return try key.decrypt(ciphertext)
    }
  }

  /// Returns the private key itself, if it was created or imported as extractable.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if the key is not extractable; otherwise the
  ///   errors of `sign(_:tag:group:scheme:context:)`.
  public func exportKey(
    tag: String, group: String? = nil, context: AuthenticationContext? = nil
  ) throws -> PrivateKey {
    if let answer = try askAgent(context, { .exportKey(.init(tag, group: group)) }) {
      return try answer.privateKey()
    }
    return try withKey(tag: tag, group: group, context: context) { key, metadata in
      if let metadata { try ItemReader.checkExport(metadata) }
      return try key.withSoftwareKey {
        try PrivateKey(storage: $0.storage.duplicate(), algorithm: $0.algorithm)
      }
    }
  }

  /// Deletes the private key that has a tag.
  ///
  /// - Throws: The errors of `publicKey(tag:group:)`.
  public func deleteKey(tag: String, group: String? = nil) throws {
    guard try askAgentToWrite(nil, { .deleteKey(.init(tag, group: group)) }) == nil else { return }
    try writing(with: .unattended) {
      try $0.delete($0.finder.keyRow(tag: tag, group: group).entry)
    }
  }

  private func withKey<Result: ~Copyable>(
    tag: String, group: String?, context: AuthenticationContext?,
    _ body: (borrowing PrivateKeyInUse, ItemMetadata?) throws -> Result
  ) throws -> Result {
    try withKey(
      .name(.init(tag, group: group)), named: "the tag \(tag)", context: context,
      finding: { try $0.keyRow(tag: tag, group: group) }, body)
  }

  /// Calls a closure with the private key that a persistent reference finds, even if the key may
  /// not be exported. The closure must not keep any part of the key.
  ///
  /// - Throws: The errors of `sign(_:tag:group:scheme:context:)`.
  package func withPrivateKey<Result: ~Copyable>(
    _ reference: PersistentReference, context: AuthenticationContext?,
    _ body: (borrowing PrivateKeyInUse) throws -> Result
  ) throws -> Result {
    try withKey(
      .reference(reference), named: "the reference", context: context,
      finding: { try $0.row(for: reference) }
    ) { key, _ in try body(key) }
  }

  /// Uses a private key for another process: see ``KeychainOperation/useKey(_:_:)``.
  func use(
    _ key: KeychainOperation.KeySelector, _ use: KeyUse, context: AuthenticationContext
  ) throws -> AgentResponse {
    func perform(_ key: borrowing PrivateKeyInUse, _ metadata: ItemMetadata?) throws
      -> AgentResponse
    {
      if use.decrypts { try Self.checkDecryption(metadata) }
      return try use.perform(with: key)
    }
    switch key {
    case .name(let name):
      return try withKey(tag: name.tag, group: name.group, context: context, perform)
    case .reference(let reference):
      return try withKey(
        key, named: "the reference", context: context, finding: { try $0.row(for: reference) },
        perform)
    }
  }

  private static func checkDecryption(_ metadata: ItemMetadata?) throws {
    guard metadata?.accessControl?.privateKeyUsage != true else {
      throw AtRestError(
        .notPermitted, "The key may sign and agree, but not decrypt.",
        remedy: "Create a key without private-key usage.")
    }
  }

  /// Calls a closure with a private key, and with its metadata unless the key stays in the agent.
  private func withKey<Result: ~Copyable>(
    _ selector: KeychainOperation.KeySelector, named name: String, context: AuthenticationContext?,
    finding: (ItemFinder) throws -> ItemRow,
    _ body: (borrowing PrivateKeyInUse, ItemMetadata?) throws -> Result
  ) throws -> Result {
    if try isServedByAgent {
      return try body(.agent(AgentPrivateKey(selector, in: self, context: context)), nil)
    }
    var opened: (key: SecretBox, metadata: ItemMetadata)?
    try reading(with: context) { reader in
      let row = try finding(reader.finder)
      let metadata = try reader.boxes.openMetadata(of: row)
      guard let storage = try reader.openSecret(of: row, metadata: metadata) else {
        throw AtRestError.noItem("with a private half and \(name)")
      }
      opened = (SecretBox(storage), metadata)
    }
    guard let (storage, metadata) = opened,
      let algorithm = KeyAlgorithm(metadata.attributes)
    else {
      throw AtRestError.damaged("The key with \(name) has an unknown algorithm.")
    }
    // The closure runs outside the database transaction, because RSA and hardware take
    // milliseconds.
    guard metadata.isHardwareKey else {
      let key = try PrivateKey(stored: storage.bytes, algorithm: algorithm)
      return try body(.software(key), metadata)
    }
    return try body(.hardware(hardwareKey(stored: storage.bytes, metadata, name)), metadata)
  }
}

extension ItemFinder {
  /// Returns the row of the private key that has a tag.
  func keyRow(tag: String, group: String?) throws -> ItemRow {
    let rows = try rows(matching: KeychainQuery(keyTag: tag, group: group))
    guard let row = rows.first else {
      throw AtRestError.noItem("that is a private key with the tag \(tag)")
    }
    guard rows.count == 1 else {
      throw AtRestError.invalid(
        "\(rows.count) private keys have the tag \(tag), in different groups.",
        remedy: "Specify the group.")
    }
    return row
  }
}

extension KeychainQuery {
  /// Creates the query that finds the private key with a tag.
  fileprivate init(keyTag tag: String, group: String?) {
    self.init(
      .key, [.applicationTag: .data(Data(tag.utf8)), .keyClass: .privateKey], group: group)
  }
}

extension ItemAttributeValue {
  /// Apple's number for private keys.
  fileprivate static let privateKey = ItemAttributeValue.number(1)
  /// Apple's name of the secure element.
  fileprivate static let secureElement = ItemAttributeValue.text("com.apple.setoken")
}

extension KeyAlgorithm {
  /// The value of the attribute ``ItemAttribute/type``: Apple's number for RSA or elliptic curves,
  /// or a four-letter code for an algorithm to which Apple gives no number.
  package var attributeType: Int64 {
    switch self {
    case .p256, .p384, .p521: 73
    case .ed25519: 0x6564_3235
    case .x25519: 0x7832_3535
    default: 42
    }
  }

  package init?(_ attributes: ItemAttributes) {
    guard case .number(let type) = attributes[.type],
      case .number(let size) = attributes[.keySizeInBits]
    else { return nil }
    switch (type, size) {
    case (73, 256): self = .p256
    case (73, 384): self = .p384
    case (73, 521): self = .p521
    case (0x6564_3235, _): self = .ed25519
    case (0x7832_3535, _): self = .x25519
    case (42, 2048...4096):
      guard let rsa = try? KeyAlgorithm.rsa(bits: Int(size)) else { return nil }
      self = rsa
    default: return nil
    }
  }
}

/// The asynchronous forms.
extension Keychain {
  /// Creates a key pair whose private half stays in the keychain, off the caller's actor.
  @discardableResult
  public func createKey(
    _ algorithm: KeyAlgorithm, tag: String, label: String? = nil, isExtractable: Bool = false,
    protection: ItemProtection = .whenUnlocked, group: String? = nil,
    context: AuthenticationContext? = nil
  ) async throws -> PublicKey {
    try await offActor {
      try self.createKey(
        algorithm, tag: tag, label: label, isExtractable: isExtractable, protection: protection,
        group: group, context: context)
    }
  }

  /// Returns the public half of a key pair, off the caller's actor.
  public func publicKey(tag: String, group: String? = nil) async throws -> PublicKey {
    try await offActor { try self.publicKey(tag: tag, group: group) }
  }

  /// Signs a message with the private key that has a tag, off the caller's actor.
  public func sign(
    _ message: Data, tag: String, group: String? = nil, scheme: SignatureScheme? = nil,
    context: AuthenticationContext? = nil
  ) async throws -> Data {
    try await offActor {
      try self.sign(message, tag: tag, group: group, scheme: scheme, context: context)
    }
  }

  /// Agrees on a secret with the holder of another key, off the caller's actor.
  public func sharedSecret(
    with publicKey: PublicKey, tag: String, group: String? = nil,
    context: AuthenticationContext? = nil
  ) async throws -> SecretBytes {
    try await offActor {
      try self.sharedSecret(with: publicKey, tag: tag, group: group, context: context)
    }
  }

  /// Decrypts data that was encrypted to an RSA key, off the caller's actor.
  public func decrypt(
    _ ciphertext: Data, tag: String, group: String? = nil,
    context: AuthenticationContext? = nil
  ) async throws -> SecretBytes {
    try await offActor {
      try self.decrypt(ciphertext, tag: tag, group: group, context: context)
    }
  }

  /// Stores a private key that was generated elsewhere, off the caller's actor.
  @discardableResult
  public func importKey(
    _ key: borrowing PrivateKey, tag: String, label: String? = nil, isExtractable: Bool = false,
    protection: ItemProtection = .whenUnlocked, group: String? = nil,
    context: AuthenticationContext? = nil
  ) async throws -> PublicKey {
    let (bytes, algorithm) = (SecretBox(key.storage.duplicate()), key.publicKey.algorithm)
    return try await offActor {
      try self.importKey(
        PrivateKey(storage: bytes.bytes.duplicate(), algorithm: algorithm), tag: tag, label: label,
        isExtractable: isExtractable, protection: protection, group: group, context: context)
    }
  }

  /// Returns the private key itself, if it was created or imported as extractable, off the caller's
  /// actor.
  public func exportKey(
    tag: String, group: String? = nil, context: AuthenticationContext? = nil
  ) async throws -> PrivateKey {
    try await offActor { try self.exportKey(tag: tag, group: group, context: context) }
  }

  /// Deletes the private key that has a tag, off the caller's actor.
  public func deleteKey(tag: String, group: String? = nil) async throws {
    try await offActor { try self.deleteKey(tag: tag, group: group) }
  }
}
