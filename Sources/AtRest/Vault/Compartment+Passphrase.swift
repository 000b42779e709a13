import AtRestCrypto
import AtRestKeychain
import Foundation

/// The key that a value needs in addition to the device's key, derived from the user's passphrase
/// or by the recipe of a composite key.
extension Compartment {
  private var passphraseItem: PrimaryKey { ownItemKey("passphrase") }
  private var saltItem: PrimaryKey { ownItemKey("salt") }
  private static let protection = ItemProtection.accessible(.whenUnlockedThisDeviceOnly)

  // MARK: The passphrase

  /// A Boolean value that is true if a passphrase is set.
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

  /// Sets the compartment's first passphrase. The passphrase is stored nowhere: if the user forgets
  /// it, the values protected with it are lost.
  ///
  /// - Parameter sensitivity: The sensitivity of the most sensitive data that the passphrase will
  ///   protect. Less sensitive data allows a weaker passphrase (``PassphraseRules``).
  /// - Throws: `AtRestError.Code.weakPassphrase`; ``AtRestError/Code/duplicate`` if a passphrase is
  ///   already set; ``AtRestError/Code/locked``; ``AtRestError/Code/loggedOut``; the errors of
  ///   ``Vault/Options/passphraseHardener``.
  public func setPassphrase(
    _ passphrase: borrowing SecretBytes, for sensitivity: Sensitivity = .highlySensitive
  ) throws {
    try PassphraseRules.rules(for: sensitivity).check(passphrase)
    guard try !hasPassphrase else { throw passphraseIsSet }
    let locks = vault.locks
    let (stored, key) = try StoredPassphrase.make(
      passphrase, for: sensitivity, kdf: vault.options.passphraseKDF, hardener: hardener())
    do {
      try keychain.transaction {
        try checkLoggedIn()
        try keychain.add(
          passphraseItem, secret: stored.encoded, protection: Self.protection)
      }
    } catch AtRestError.Code.duplicate {
      throw passphraseIsSet
    }
    keep(key, since: locks)
  }

  private var passphraseIsSet: AtRestError {
    AtRestError(
      .duplicate, "A passphrase is already set.", remedy: "Change it with changePassphrase.")
  }

  private func hardener() throws -> (any PassphraseHardener)? {
    try vault.options.passphraseHardener?(account)
  }

  /// Changes the passphrase. The values that the passphrase protects are not touched; only their
  /// key is rewrapped.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the old passphrase is wrong;
  ///   `AtRestError.Code.weakPassphrase`, also if the new passphrase is meant for less sensitive
  ///   data than the values it would protect; ``AtRestError/Code/passphraseNotSet``; otherwise the
  ///   errors of `setPassphrase(_:for:)`.
  public func changePassphrase(
    from old: borrowing SecretBytes, to new: borrowing SecretBytes,
    for sensitivity: Sensitivity = .highlySensitive
  ) throws {
    try PassphraseRules.rules(for: sensitivity).check(new)
    let locks = vault.locks
    let stored = try storedPassphrase()
    let kdf = vault.options.passphraseKDF
    let key = try stored.change(
      from: old, to: new, for: sensitivity, kdf: kdf, hardener: hardener()
    ) { former, present in
      try keychain.transaction {
        try checkLoggedIn()
        // Another process may have changed the passphrase since.
        guard try storedPassphrase() == former else {
          throw AtRestError(
            .authenticationFailed, "The passphrase was changed by another process meanwhile.",
            remedy: "Change it again, starting from the current passphrase.")
        }
        try checkStrength(sensitivity, former: former.sensitivity)
        try keychain.set(
          passphraseItem, secret: present.encoded, protection: Self.protection)
      }
    }
    keep(key, since: locks)
  }

  /// Throws if the new passphrase is too weak for the values that the current one protects.
  private func checkStrength(_ sensitivity: Sensitivity, former: Sensitivity) throws {
    guard sensitivity < former else { return }
    var needed = Sensitivity.consumerGrade
    let reason = try forEachValue { _, stored in
      if stored.head.key == .passphrase, !stored.isSpent {
        needed = max(needed, stored.head.sensitivity)
      }
    }
    if reason != nil { needed = former }
    guard sensitivity < needed else { return }
    throw AtRestError(
      .weakPassphrase,
      "The new passphrase is for \(sensitivity) data, but it would protect \(needed) data.",
      remedy: "Choose a stronger one and pass that sensitivity (for:), or remove the values first.")
  }

  /// Unlocks the compartment: values protected with the passphrase can be used for
  /// ``Vault/Options/passphraseLifetime``, or until the device locks.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the passphrase is wrong;
  ///   ``AtRestError/Code/passphraseNotSet``; ``AtRestError/Code/locked``; the errors of
  ///   ``Vault/Options/passphraseHardener``.
  public func unlock(passphrase: borrowing SecretBytes) throws {
    let locks = vault.locks
    keep(try storedPassphrase().key(passphrase, hardener: hardener()), since: locks)
  }

  /// Erases from memory the key derived from the passphrase.
  public func lock() { vault.passphraseKey(of: id).erase() }

  private func storedPassphrase() throws -> StoredPassphrase {
    do {
      return try keychain.secret(for: passphraseItem)
        .withUnsafeBytes { try StoredPassphrase(decoding: $0) }
    } catch AtRestError.Code.notFound {
      try checkLoggedIn()
      throw AtRestError(
        .passphraseNotSet, "This kind of data requires a passphrase, and none is set.",
        remedy: "Ask the user for one and set it with setPassphrase.")
    }
  }

  /// Checks that the key that sealed a value is still the key of the current passphrase. Call this
  /// in the transaction that stores the value.
  func checkPassphrase(_ head: StoredValue.Head) throws {
    let stored = try storedPassphrase()
    guard stored.keyID == head.keyID else {
      lock()
      throw passphraseRequired()
    }
    guard head.sensitivity <= stored.sensitivity else {
      throw AtRestError(
        .passphraseNotSet,
        "The passphrase was set for \(stored.sensitivity) data; this is \(head.sensitivity).",
        remedy: "Set a stronger one with changePassphrase.")
    }
  }

  private func passphraseRequired() -> AtRestError {
    AtRestError(
      .passphraseRequired, "The user's passphrase is required.",
      remedy: "Call unlock(passphrase:), or set askPassphrase in the vault's options.")
  }

  private func keep(_ key: SecretBox, since locks: Int) { vault.keep(key, of: id, since: locks) }

  // MARK: Any additional key

  /// A key needed in addition to the device's key, and its identity.
  struct FurtherKey {
    let key: SecretBox
    let id: Data
  }

  /// - Parameters:
  ///   - storing: True if the call may create data that the key needs, such as a salt.
  ///   - expected: The identity of the key that sealed the value, or nil to accept any key.
  /// - Returns: The additional key, or nil if the device's key is enough.
  func furtherKey(
    _ kind: StorageDecision.Key, storing: Bool, expecting expected: Data? = nil
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
      let stored = try storedPassphrase()
      guard expected == nil || stored.keyID == expected else {
        throw AtRestError.damaged("The value was sealed with the key of another passphrase.")
      }
      guard let ask = vault.options.askPassphrase else { throw passphraseRequired() }
      let key = try stored.key(ask(account), hardener: hardener())
      keep(key, since: locks)
      return FurtherKey(key: key, id: stored.keyID)
    }
  }

  /// Returns true if the salt exists. A *not found* error does not prove that the salt is missing,
  /// because the server's part of a composite key may throw one too.
  private func hasSalt() -> Bool { (try? keychain.secret(for: saltItem).count) != nil }

  private func compositeKey(storing: Bool) throws -> FurtherKey {
    guard let recipe = vault.options.compositeKey else {
      throw AtRestError.invalid(
        "The value needs a composite key, and the vault was opened without its recipe.",
        remedy: "Set Options.compositeKey when you open the vault.")
    }
    try checkLoggedIn()
    do {
      let key = try recipe.key(
        keychain: keychain, salt: saltItem, protection: Self.protection, creatingSalt: storing,
        kdf: vault.options.compositeKDF)
      return FurtherKey(key: SecretBox(key), id: StoredValue.Head.noKeyID)
    } catch AtRestError.Code.notFound where !storing && !hasSalt() {
      throw AtRestError.damaged(
        "The salt of the composite key is missing; values sealed with that key are lost.")
    }
  }
}
