import AtRestCrypto
import AtRestKeybag
import Foundation

/// Key pairs in the store.
extension StoreBackend {
  // MARK: Storing

  func createKey(
    _ algorithm: KeyAlgorithm, _ traits: KeyTraits, context: AuthenticationContext?
  ) throws -> PublicKey {
    try importKey(PrivateKey.generate(algorithm), traits, context: context)
  }

  func createHardwareKey(_ traits: KeyTraits, context: AuthenticationContext?) throws -> PublicKey {
    let made = try HardwarePrivateKey.make(with: keybag.device)
    try made.key.representation.withUnsafeBytes {
      try addPrivateKey(
        $0, of: made.publicKey, traits, isHardwareKey: true, context: context)
    }
    return made.publicKey
  }

  func importKey(
    _ key: borrowing PrivateKey, _ traits: KeyTraits, context: AuthenticationContext?
  ) throws -> PublicKey {
    let publicKey = key.publicKey
    try key.storage.withUnsafeBytes {
      try addPrivateKey($0, of: publicKey, traits, isHardwareKey: false, context: context)
    }
    return publicKey
  }

  /// Adds the item of a private key.
  ///
  /// - Parameter value: The compact form of the key, or the stored form of a hardware key.
  private func addPrivateKey(
    _ value: UnsafeRawBufferPointer, of publicKey: PublicKey, _ traits: KeyTraits,
    isHardwareKey: Bool, context: AuthenticationContext?
  ) throws {
    let name = traits.name
    let item = NewItem(
      key: PrimaryKey(privateHalfOf: publicKey, name),
      attributes: ItemAttributes(privateHalfOf: publicKey, traits, isHardwareKey: isHardwareKey),
      protection: traits.protection, isHardwareKey: isHardwareKey)
    try writing(with: context) { writer in
      let query = KeychainQuery(
        keyTag: name.tag, group: name.group ?? identity.defaultGroup)
      guard try writer.finder.rows(matching: query).isEmpty else {
        throw AtRestError(
          .duplicate, "There is already a private key with the tag \(name.tag).",
          remedy: "Choose another tag, or delete that key.")
      }
      _ = try writer.add(item, value: value)
    }
  }

  func deleteKey(_ name: KeyName) throws {
    try writing(with: .unattended) { try $0.delete($0.finder.keyRow(name).entry) }
  }

  // MARK: Reading

  func publicKey(_ name: KeyName) throws -> PublicKey {
    try reading(with: .unattended) { reader in
      let row = try reader.finder.keyRow(name)
      let metadata = try reader.boxes.openMetadata(of: row)
      guard case .data(let der) = metadata.attributes[.publicKey] else {
        throw AtRestError.noItem("with a public half and the tag \(name.tag)")
      }
      return try PublicKey(importing: der)
    }
  }

  func hardwareKey(_ name: KeyName, context: AuthenticationContext?) throws -> HardwareKey? {
    try reading(with: context) { reader in
      let row = try reader.finder.keyRow(name)
      let metadata = try reader.boxes.openMetadata(of: row)
      guard metadata.isHardwareKey else { return nil }
      guard let stored = try reader.openSecret(of: row, metadata: metadata) else {
        throw AtRestError.noItem("with a private half and the tag \(name.tag)")
      }
      return try HardwareKey(stored: stored, metadata)
    }
  }

  func exportKey(_ name: KeyName, context: AuthenticationContext?) throws -> PrivateKey {
    try withOpenKey(.name(name), context: context) { key, metadata in
      try ItemReader.checkExport(metadata)
      return try key.withSoftwareKey {
        try PrivateKey(storage: $0.storage.duplicate(), algorithm: $0.algorithm)
      }
    }
  }

  // MARK: Using

  func withKey<Result: ~Copyable>(
    _ key: KeySelector, decrypts: Bool, context: AuthenticationContext?,
    _ body: (borrowing PrivateKeyInUse) throws -> Result
  ) throws -> Result {
    try withOpenKey(key, context: context) { key, metadata in
      guard !decrypts || metadata.accessControl?.privateKeyUsage != true else {
        throw AtRestError(
          .notPermitted, "The key may sign and agree, but not decrypt.",
          remedy: "Create a key without private-key usage.")
      }
      return try body(key)
    }
  }

  /// Opens a private key, and calls a closure with it outside the database transaction, because RSA and
  /// hardware take milliseconds.
  private func withOpenKey<Result: ~Copyable>(
    _ key: KeySelector, context: AuthenticationContext?,
    _ body: (borrowing PrivateKeyInUse, ItemMetadata) throws -> Result
  ) throws -> Result {
    var opened: (key: SecretBox, metadata: ItemMetadata)?
    try reading(with: context) { reader in
      let row = try reader.finder.row(for: key)
      let metadata = try reader.boxes.openMetadata(of: row)
      guard let storage = try reader.openSecret(of: row, metadata: metadata) else {
        throw AtRestError.noItem("with a private half and \(key.words)")
      }
      opened = (SecretBox(storage), metadata)
    }
    guard let (storage, metadata) = opened, let algorithm = KeyAlgorithm(metadata.attributes)
    else {
      throw AtRestError.damaged("The key with \(key.words) has an unknown algorithm.")
    }
    guard metadata.isHardwareKey else {
      return try body(
        .software(PrivateKey(stored: storage.bytes, algorithm: algorithm)), metadata)
    }
    return try body(.hardware(hardwareKey(stored: storage.bytes, metadata, key)), metadata)
  }

  /// Returns the hardware key of an item that was opened.
  ///
  /// - Parameter name: The name by which the key was found, for error messages.
  /// - Throws: ``AtRestError/Code/deviceUnavailable`` if the device has no such hardware.
  private func hardwareKey(
    stored: borrowing SecretBytes, _ metadata: ItemMetadata, _ name: KeySelector
  ) throws -> HardwarePrivateKey {
    guard let hardware = keybag.device.hardwareKeys else {
      throw AtRestError(
        .deviceUnavailable,
        "The key with \(name.words) is in hardware that this device does not have.",
        remedy: "Use the store with the device that made the key, or create another key.")
    }
    return try HardwarePrivateKey(HardwareKey(stored: stored, metadata), in: hardware)
  }
}

extension KeychainOperation.KeySelector {
  /// The name by which the key is selected, in words.
  fileprivate var words: String {
    switch self {
    case .name(let name): "the tag \(name.tag)"
    case .reference: "the reference"
    }
  }
}

extension ItemFinder {
  fileprivate func row(for key: KeychainOperation.KeySelector) throws -> ItemRow {
    switch key {
    case .name(let name): try keyRow(name)
    case .reference(let reference): try row(for: reference)
    }
  }

  /// Returns the row of the private key that has a tag.
  fileprivate func keyRow(_ name: KeychainOperation.KeyName) throws -> ItemRow {
    let rows = try rows(matching: KeychainQuery(keyTag: name.tag, group: name.group))
    guard let row = rows.first else {
      throw AtRestError.noItem("that is a private key with the tag \(name.tag)")
    }
    guard rows.count == 1 else {
      throw AtRestError.invalid(
        "\(rows.count) private keys have the tag \(name.tag), in different groups.",
        remedy: "Specify the group.")
    }
    return row
  }
}

extension HardwareKey {
  fileprivate init(stored: borrowing SecretBytes, _ metadata: ItemMetadata) throws {
    guard case .data(let der) = metadata.attributes[.publicKey] else {
      throw AtRestError.damaged("The item of a hardware key does not contain the public half.")
    }
    self.init(
      representation: Data(copying: stored),
      publicKey: try PublicKey(importing: der).x963Representation())
  }
}
