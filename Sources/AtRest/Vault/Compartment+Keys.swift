import AtRestCrypto
import AtRestEnvelopes
import AtRestKeychain

/// Keys that belong to the account. A logout destroys them together with the account's values.
///
/// ```swift
/// analytics.identify(try account.pseudonyms.pseudonym(for: user.id, to: "analytics.example.com"))
/// let envelope = try account.envelopeKeys(named: "documents").seal(data, context: context)
/// let stamped = try account.stamper().stamp(limits, name: "limits")
/// ```
///
/// After the logout, calls of these objects throw ``AtRestError/Code/loggedOut``, and no key is
/// created. Keys that belong to the whole device are those of ``Vault/device``.
extension Compartment {
  /// The pseudonyms of the account. After a logout, nobody can determine for whom they stood.
  ///
  /// Two accounts have different pseudonyms for the same subject.
  public var pseudonyms: Pseudonyms {
    Pseudonyms(in: keychain, of: owner(.pseudonyms))
  }

  /// Returns a stamper with an HMAC-SHA-256 key of the account. After a logout, its stamped values
  /// cannot be opened.
  public func stamper(keyName: String = "values") -> ValueStamper {
    ValueStamper(keychain, keyName: keyName, owner: owner(.keys))
  }

  /// Returns key-encryption keys of the account. After a logout, nobody can open their envelopes,
  /// except for recipients.
  public func envelopeKeys(
    named name: String, protection: ItemProtection = .accessible(.whenUnlockedThisDeviceOnly)
  ) -> KeyEncryptionKeys {
    KeyEncryptionKeys(keychain, name: name, protection: protection, owner: owner(.keys))
  }

  private func owner(_ part: VaultItems.Part) -> ItemOwner {
    ItemOwner(
      service: vault.items.service(of: id, part), group: keychain.identity.defaultGroup
    ) {
      try checkLoggedIn()
      try vault.checkPasscode()
    }
  }
}
