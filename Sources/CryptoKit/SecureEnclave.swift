import AtRestKeychain

/// Keys that can be used on this device only, and never leave it.
///
/// The private half is in the device's hardware if the store has a TPM 2.0, or if a test's simulated
/// device has hardware for keys. Otherwise the store seals it under the class key of its
/// accessibility, and opens it in memory for each use. The store lists that risk.
///
/// Like CryptoKit, this type stores no key. Keep the `dataRepresentation` of a key, for example in
/// the keychain: it opens in every process that uses the same store on the same device, and nowhere
/// else.
///
/// ```swift
/// let key = try SecureEnclave.P256.Signing.PrivateKey()
/// let signature = try key.signature(for: message)
/// let again = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: key.dataRepresentation)
/// ```
///
/// If the user does not give the proof that a key's access control requires, its methods throw an
/// `LAError`. All other errors are of type `AtRestError`.
///
/// `SecureEnclave.MLKEM768`, `MLKEM1024`, `MLDSA65` and `MLDSA87` do not exist: no TPM holds such
/// keys. The types `MLKEM768` and so on, which hold them in memory, do exist.
public enum SecureEnclave {
  /// Returns true if keys can be made: if the default keychain (`DefaultKeychain`) opens. As with each
  /// other use of that keychain, the first one creates its store.
  ///
  /// It is also true without hardware for keys. `hardwareKeys` of the device key tells the
  /// difference, and so do the risks of the store (`atrest status`).
  public static var isAvailable: Bool {
    (try? DefaultKeychain.get(for: nil, "SecureEnclave.isAvailable")) != nil
  }

  /// Keys on the curve P-256.
  public enum P256 {
    /// Keys that sign.
    public enum Signing {}
    /// Keys that agree on secrets.
    public enum KeyAgreement {}
  }
}
