import AtRestCrypto
import AtRestKeybag
import Foundation

/// The operations on items, each of which the store carries out in this process (``StoreBackend``) or an
/// agent carries out for it (``AgentBackend``).
///
/// ``Keychain`` chooses between them in one place, and the agent's server decodes requests into calls of
/// this protocol. An operation that only one of the two has does not compile.
///
/// The errors are those of the calls of ``Keychain`` with the same names. A value is erased by the caller.
protocol KeychainBackend: AnyObject {
  typealias KeyName = KeychainOperation.KeyName
  typealias KeySelector = KeychainOperation.KeySelector
  typealias KeyTraits = KeychainOperation.KeyTraits

  // MARK: Items

  /// Returns the secret of the item with a key or a reference.
  func secret(of item: ItemSelector, context: AuthenticationContext?) throws -> SecretBytes

  /// Returns the item with a key or a reference, which must exist, or the items that a query matches.
  func items(
    _ items: ItemSelector, secrets: Bool, context: AuthenticationContext?
  ) throws -> KeychainItems

  /// Returns an item that the caller has just added, without its value. The user is not asked.
  func addedItem(_ reference: PersistentReference) throws -> KeychainItem

  /// Adds an item, and returns its reference.
  func add(
    _ item: NewItem, value: UnsafeRawBufferPointer?, context: AuthenticationContext?
  ) throws -> PersistentReference

  /// Adds an item, and returns it without its value. The user is not asked for the item.
  func addItem(
    _ item: NewItem, value: UnsafeRawBufferPointer?, context: AuthenticationContext?
  ) throws -> KeychainItem

  /// Adds an item or updates its secret.
  ///
  /// - Parameter protection: nil keeps the protection of an existing item.
  func set(
    _ key: PrimaryKey, value: UnsafeRawBufferPointer, attributes: ItemAttributes,
    protection: ItemProtection?, context: AuthenticationContext?
  ) throws -> PersistentReference

  /// Returns the secret of an item, and adds the item first if it does not exist.
  func getOrCreate(
    _ item: NewItem, context: AuthenticationContext?, make: () throws -> SecretBytes
  ) throws -> SecretBytes

  /// Updates items, and returns their number.
  func update(
    _ items: ItemSelector, _ change: ItemChange, value: UnsafeRawBufferPointer?,
    context: AuthenticationContext?
  ) throws -> Int

  /// Deletes items, and returns their number. The user is not asked.
  func delete(_ items: ItemSelector) throws -> Int

  /// Deletes all items of an access group in one step, and returns their number.
  func deleteAll(in group: String) throws -> Int

  // MARK: Key pairs

  /// Creates a key pair, and returns the public half.
  func createKey(
    _ algorithm: KeyAlgorithm, _ traits: KeyTraits, context: AuthenticationContext?
  ) throws -> PublicKey

  /// Creates a key pair in the device's hardware, and returns the public half.
  func createHardwareKey(_ traits: KeyTraits, context: AuthenticationContext?) throws -> PublicKey

  /// Stores a private key, and returns the public half.
  func importKey(
    _ key: borrowing PrivateKey, _ traits: KeyTraits, context: AuthenticationContext?
  ) throws -> PublicKey

  /// Returns the public half of a key pair.
  func publicKey(_ name: KeyName) throws -> PublicKey

  /// Returns an extractable private key.
  func exportKey(_ name: KeyName, context: AuthenticationContext?) throws -> PrivateKey

  /// Returns the stored form of a key in the device's hardware, or nil for another key.
  func hardwareKey(_ name: KeyName, context: AuthenticationContext?) throws -> HardwareKey?

  /// Deletes a private key.
  func deleteKey(_ name: KeyName) throws

  /// Calls a closure with a private key, which it must not keep.
  ///
  /// - Parameter decrypts: True if the closure decrypts, which a key with private-key usage must not do.
  func withKey<Result: ~Copyable>(
    _ key: KeySelector, decrypts: Bool, context: AuthenticationContext?,
    _ body: (borrowing PrivateKeyInUse) throws -> Result
  ) throws -> Result
}
