import AtRestCrypto
import AtRestKeychain
import Foundation

/// A key: the public or the private half of an RSA or elliptic-curve pair.
///
/// Private halves are held in locked memory, except those of `kSecAttrTokenIDSecureEnclave`, which
/// the keychain opens for each use. Keys are equal if their content is equal.
public final class SecKey: NSObject, Sendable {
  /// The place of the key.
  enum Material: Sendable {
    case publicKey
    /// A private key in memory, in the compact form of ``PrivateKey``.
    case privateKey(SecretBox)
    /// A private key in the keychain. It is opened for each use with a context that the closure
    /// returns, and it cannot be exported.
    case stored(Keychain, PersistentReference, @Sendable () -> AuthenticationContext)
  }

  let material: Material
  /// The public half of a private key, or the public key itself.
  let publicKey: PublicKey
  /// True if the private half is in the secure element, or was generated for it.
  let isInSecureElement: Bool
  /// The permitted uses and the names of the key, if it is in the keychain.
  let attributes: ItemAttributes
  /// False for keys with private-key usage, which can only sign and agree on secrets.
  let decrypts: Bool
  /// False for keys in the secure element whose access control lacks private-key usage.
  let isUsable: Bool

  init(
    _ material: Material, publicKey: PublicKey, isInSecureElement: Bool = false,
    attributes: ItemAttributes = [:], decrypts: Bool = true, isUsable: Bool = true
  ) {
    self.material = material
    self.publicKey = publicKey
    self.isInSecureElement = isInSecureElement
    self.attributes = attributes
    self.decrypts = decrypts
    self.isUsable = isUsable
  }

  var isPrivate: Bool {
    if case .publicKey = material { false } else { true }
  }

  /// Calls a closure with the private half, for one use.
  ///
  /// - Throws: `invalidArgument` for a public key, and the errors of the keychain.
  func withPrivateKey<Result: ~Copyable>(
    _ body: (borrowing PrivateKey) throws -> Result
  ) throws -> Result {
    switch material {
    case .publicKey:
      throw AtRestError.invalid("The key is a public key.", remedy: "Use the private key.")
    case .privateKey(let storage):
      return try body(
        PrivateKey(storage: storage.bytes.duplicate(), algorithm: publicKey.algorithm))
    case .stored(let keychain, let reference, let context):
      guard isUsable else {
        throw AtRestError(
          .notPermitted, "The key's access control lacks private-key usage.",
          remedy: "Create a key whose access control includes it.")
      }
      return try keychain.withPrivateKey(reference, context: context(), body)
    }
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecKey else { return false }
    return other.isPrivate == isPrivate && other.publicKey == publicKey
  }
  public override var hash: Int { publicKey.hashValue }
  public override var description: String {
    "<SecKey: \(publicKey.algorithm), \(isPrivate ? "private" : "public")>"
  }
}
