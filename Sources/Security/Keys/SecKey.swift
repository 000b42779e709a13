import AtRestCrypto
import AtRestKeychain
import Foundation

/// The public or the private key of an RSA or elliptic-curve key pair.
///
/// Private keys are held in locked memory. Stored keys that cannot be exported, such as those of
/// `kSecAttrTokenIDSecureEnclave`, stay in the keychain instead, which opens them for each use. If
/// the device has hardware for keys, the private keys of `kSecAttrTokenIDSecureEnclave` are in the
/// hardware.
/// Keys are equal if they are both public or both private, and belong to the same key pair.
public final class SecKey: NSObject, Sendable {
  /// The place where the key is held.
  enum Material: Sendable {
    case publicKey
    /// A private key in memory, in the compact form of ``PrivateKey``.
    case privateKey(SecretBox)
    /// A private key in the device's hardware that is not stored in the keychain.
    case hardware(HardwarePrivateKey)
    /// A private key in the keychain. The key cannot be exported. It is opened for each use, with
    /// the authentication context that the closure returns.
    case stored(Keychain, PersistentReference, @Sendable () -> AuthenticationContext)
  }

  let material: Material
  /// The public key that belongs to a private key, or the public key itself.
  let publicKey: PublicKey
  /// True if the private key is in the secure element, or was generated for it.
  let isInSecureElement: Bool
  /// The permitted uses, the label and the tag of the key, if it is in the keychain.
  let attributes: ItemAttributes
  /// False for keys whose access control has `privateKeyUsage`, which can only sign and agree on
  /// secrets.
  let decrypts: Bool
  /// False for keys in the secure element whose access control lacks `privateKeyUsage`.
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

  /// Calls a closure with the private key. A key in the keychain is opened only for this call.
  ///
  /// - Throws: `invalidArgument` for a public key, `notPermitted` if the key is not usable, and the
  ///   errors of the keychain.
  func withPrivateKey<Result: ~Copyable>(
    _ body: (borrowing PrivateKeyInUse) throws -> Result
  ) throws -> Result {
    switch material {
    case .publicKey:
      throw AtRestError.invalid("The key is a public key.", remedy: "Use the private key.")
    case .privateKey(let storage):
      let key = try PrivateKey(
        storage: storage.bytes.duplicate(), algorithm: publicKey.algorithm)
      return try body(.software(key))
    case .hardware(let key): return try body(.hardware(key))
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
