import AtRestCrypto
import AtRestKeychain
import Foundation

/// The key that a value needs beside the device's: under the user's passphrase, or made from a recipe.
extension Compartment {
  private var passphraseItem: PrimaryKey { ownItemKey("passphrase") }
  private var saltItem: PrimaryKey { ownItemKey("salt") }
  private static let protection = Protection.accessible(.whenUnlockedThisDeviceOnly)

  // MARK: The passphrase

  /// Whether a passphrase is set.
  ///
  /// - Throws: ``AtRestError/Code/locked``.
  public var hasPassphrase: Bool {
    get throws {
      do {
        return try keychain.secret(for: passphraseItem).count > 0
      } catch AtRestError.Code.notFound {
        return false
      }
    }
  }

  /// Sets the first passphrase of the compartment. It is stored nowhere: who forgets it has lost what
  /// is under it.
  ///
  /// - Parameter sensitivity: The most sensitive data that will be under it; the less, the less is
  ///   asked of the passphrase (``PassphraseRules``).
  /// - Throws: `AtRestError.Code.weakPassphrase`; ``AtRestError/Code/duplicate`` where one is set
  ///   already; ``AtRestError/Code/locked``; ``AtRestError/Code/loggedOut``.
  public func setPassphrase(
    _ passphrase: borrowing SecretBytes, for sensitivity: Sensitivity = .highlySensitive
  ) throws {
    try PassphraseRules.rules(for: sensitivity).check(passphrase)
    let locks = vault.locks
    let (record, key) = try PassphraseRecord.make(passphrase, kdf: vault.options.passphraseKDF)
    do {
      try keychain.transaction {
        try checkLoggedIn(vault.registry())
        try keychain.add(
          passphraseItem, secret: StoredPassphrase(sensitivity, record).encoded,
          protection: Self.protection)
      }
    } catch AtRestError.Code.duplicate {
      throw AtRestError(
        .duplicate, "A passphrase is set already.", remedy: "Change it, with the present one.")
    }
    keep(key, since: locks)
  }

  /// Changes the passphrase. What is under it is not touched: its key is wrapped anew.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` where the old one is wrong;
  ///   `AtRestError.Code.weakPassphrase` also where more sensitive data is under it than the new one
  ///   is for; ``AtRestError/Code/passphraseNotSet``; otherwise as `setPassphrase(_:for:)`.
  public func changePassphrase(
    from old: borrowing SecretBytes, to new: borrowing SecretBytes,
    for sensitivity: Sensitivity = .highlySensitive
  ) throws {
    try PassphraseRules.rules(for: sensitivity).check(new)
    let locks = vault.locks
    let stored = try storedPassphrase()
    let key = try stored.record.key(old)
    let rewrapped = try stored.record.rewrapped(
      key.bytes, for: new, kdf: vault.options.passphraseKDF)
    try keychain.transaction {
      try checkLoggedIn(vault.registry())
      // Another process may have changed it since.
      guard try storedPassphrase().record.encoded == stored.record.encoded else {
        throw AtRestError(
          .authenticationFailed, "The passphrase was changed by somebody else meanwhile.",
          remedy: "Change it again, from the present one.")
      }
      try checkStrength(sensitivity, former: stored.sensitivity)
      try keychain.set(
        passphraseItem, secret: StoredPassphrase(sensitivity, rewrapped).encoded,
        protection: Self.protection)
    }
    keep(key, since: locks)
  }

  /// Refuses a passphrase that was not meant for what is under the present one.
  private func checkStrength(_ sensitivity: Sensitivity, former: Sensitivity) throws {
    guard sensitivity < former else { return }
    var needed = Sensitivity.consumerGrade
    let reason = try forEachValue { _, stored in
      if stored.head.key == .passphrase { needed = max(needed, stored.head.sensitivity) }
    }
    if reason != nil { needed = former }
    guard sensitivity < needed else { return }
    throw AtRestError(
      .weakPassphrase,
      "The passphrase is to be for \(sensitivity) data, and what is under it is \(needed).",
      remedy: "Choose one that is good enough for that (for: the sensitivity), or remove it first.")
  }

  /// Takes the passphrase, so that values under it can be used for
  /// ``Vault/Options/passphraseLifetime``, or until the device locks.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed``; ``AtRestError/Code/passphraseNotSet``;
  ///   ``AtRestError/Code/locked``.
  public func unlock(passphrase: borrowing SecretBytes) throws {
    let locks = vault.locks
    keep(try storedPassphrase().record.key(passphrase), since: locks)
  }

  /// Erases the key under the passphrase from memory.
  public func lock() { vault.passphraseKey(of: id).erase() }

  private func storedPassphrase() throws -> StoredPassphrase {
    do {
      return try keychain.secret(for: passphraseItem)
        .withUnsafeBytes { try StoredPassphrase(decoding: $0) }
    } catch AtRestError.Code.notFound {
      try checkLoggedIn(vault.registry())
      throw AtRestError(
        .passphraseNotSet, "Such data is kept only under a passphrase, and none is set.",
        remedy: "Ask the user for one that only they know (setPassphrase).")
    }
  }

  /// Inside the transaction that stores a value: what it was sealed under still is the passphrase's.
  func checkPassphrase(_ head: StoredValue.Head) throws {
    let stored = try storedPassphrase()
    guard stored.record.keyID == head.keyID else {
      lock()
      throw passphraseRequired()
    }
    guard head.sensitivity <= stored.sensitivity else {
      throw AtRestError(
        .passphraseNotSet,
        "The passphrase was set for \(stored.sensitivity) data, and this is \(head.sensitivity).",
        remedy: "Change it to a stronger one (changePassphrase).")
    }
  }

  private func passphraseRequired() -> AtRestError {
    AtRestError(
      .passphraseRequired, "The user's passphrase is needed, and not at hand.",
      remedy: "Ask for it (unlock(passphrase:)), or open the vault with a way to (askPassphrase).")
  }

  private func keep(_ key: SecretBox, since locks: Int) { vault.keep(key, of: id, since: locks) }

  // MARK: Any further key

  /// A key beside the device's, with its identity.
  struct FurtherKey {
    let key: SecretBox
    let id: Data
  }

  /// - Parameters:
  ///   - storing: Whether what the key needs may be made.
  ///   - expected: The identity of the key that a value was sealed under.
  func furtherKey(
    _ kind: Decision.Key, storing: Bool, expecting expected: Data? = nil
  ) throws -> FurtherKey? {
    switch kind {
    case .device: return nil
    case .composite: return try compositeKey(storing: storing)
    case .passphrase:
      if let kept = vault.passphraseKey(of: id).get() {
        let keyID = PassphraseRecord.keyID(of: kept.bytes)
        if expected == nil || keyID == expected { return FurtherKey(key: kept, id: keyID) }
      }
      let locks = vault.locks
      let record = try storedPassphrase().record
      guard expected == nil || record.keyID == expected else {
        throw AtRestError.damaged("The value was sealed under another passphrase's key.")
      }
      guard let ask = vault.options.askPassphrase else { throw passphraseRequired() }
      let key = try record.key(ask(account))
      keep(key, since: locks)
      return FurtherKey(key: key, id: record.keyID)
    }
  }

  /// What a server's part throws may be *not found* too.
  private func hasSalt() -> Bool { (try? keychain.secret(for: saltItem).count) != nil }

  private func compositeKey(storing: Bool) throws -> FurtherKey {
    guard let recipe = vault.options.compositeKey else {
      throw AtRestError.invalid(
        "The value is under a composite key, and the vault was opened without its recipe.",
        remedy: "Open it with the recipe (Options.compositeKey).")
    }
    try checkLoggedIn(vault.registry())
    do {
      let key = try recipe.key(
        keychain: keychain, salt: saltItem, protection: Self.protection, creatingSalt: storing,
        kdf: vault.options.compositeKDF)
      return FurtherKey(key: SecretBox(key), id: StoredValue.Head.noKeyID)
    } catch AtRestError.Code.notFound where !storing && !hasSalt() {
      throw AtRestError.damaged(
        "The salt of the composite key is missing: what is under it cannot be read again.")
    }
  }
}

/// A compartment's passphrase as its item holds it: what it is good enough for, and the record.
private struct StoredPassphrase {
  let sensitivity: Sensitivity
  let record: PassphraseRecord

  init(_ sensitivity: Sensitivity, _ record: PassphraseRecord) {
    self.sensitivity = sensitivity
    self.record = record
  }

  init(decoding bytes: UnsafeRawBufferPointer) throws {
    guard let first = bytes.first, let sensitivity = Sensitivity(rawValue: Int(first)) else {
      throw AtRestError.damaged("The passphrase's item makes no sense.")
    }
    self.sensitivity = sensitivity
    record = try PassphraseRecord(decoding: Data(bytes.dropFirst()))
  }

  var encoded: SecretBytes { SecretBytes([UInt8(sensitivity.rawValue)] + record.encoded) }
}
