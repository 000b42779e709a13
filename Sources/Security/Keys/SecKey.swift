import AtRestCrypto
import AtRestKeychain
import Foundation

/// A key: the public or the private half of an RSA or elliptic-curve pair.
///
/// Equal by content. Private halves are in locked memory, but those of
/// `kSecAttrTokenIDSecureEnclave`, which are opened in the keychain for each use.
public final class SecKey: NSObject, Sendable {
  /// Where the key is.
  enum Material: Sendable {
    case publicKey
    /// ``PrivateKey``'s compact storage.
    case privateKey(SecretBox)
    /// In the keychain, opened for each use with the context that is made for it. May not be exported.
    case stored(Keychain, PersistentReference, @Sendable () -> AuthenticationContext)
  }

  let material: Material
  /// The public half, or the key itself.
  let publicKey: PublicKey
  /// Whether the private half lives, or was made to live, in the secure element.
  let isInSecureElement: Bool
  /// What it may be used for, and its names, where the keychain has it.
  let attributes: Attributes
  /// False for keys with private-key usage, which sign and agree alone.
  let decrypts: Bool
  /// False for keys in the secure element whose access control is without private-key usage.
  let isUsable: Bool

  init(
    _ material: Material, publicKey: PublicKey, isInSecureElement: Bool = false,
    attributes: Attributes = [:], decrypts: Bool = true, isUsable: Bool = true
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

  /// The private half, for one use.
  ///
  /// - Throws: What the keychain throws; `invalidArgument` for a public key.
  func withPrivateKey<Result: ~Copyable>(
    _ body: (borrowing PrivateKey) throws -> Result
  ) throws -> Result {
    switch material {
    case .publicKey:
      throw AtRestError.invalid("The key is a public one.", remedy: "Use its private half.")
    case .privateKey(let storage):
      return try body(
        PrivateKey(storage: storage.bytes.duplicate(), algorithm: publicKey.algorithm))
    case .stored(let keychain, let reference, let context):
      guard isUsable else {
        throw AtRestError(
          .notPermitted, "The key's access control is without private-key usage.",
          remedy: "Make a key whose access control has it.")
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
