import AtRestCrypto
import AtRestTPM
import Foundation

/// The key pairs of a TPM. They have no authorization value: whoever may use the TPM and has the
/// stored key may use it, so the keychain keeps it sealed like any private key.
struct TPMHardwareKeys: HardwareKeyProvider {
  let tpm: TPM

  func makeKey() throws -> HardwareKey {
    let key = try tpm.perform { try $0.createKey() }
    return HardwareKey(representation: Data(try key.pem.utf8), publicKey: key.publicKey)
  }

  func signature(ofDigest digest: Data, with key: HardwareKey) throws -> Data {
    let key = try stored(key)
    return try tpm.perform { try $0.signature(of: digest, with: key) }
  }

  func sharedSecret(of key: HardwareKey, with publicKey: Data) throws -> SecretBytes {
    let key = try stored(key)
    return try tpm.perform { try $0.sharedSecret(with: publicKey, using: key) }
  }

  private func stored(_ key: HardwareKey) throws -> TPMKey {
    let stored = try TPMKey(pem: String(decoding: key.representation, as: UTF8.self))
    guard stored.publicKey == key.publicKey else {
      throw AtRestError.damaged("A hardware key and its public key are not a pair.")
    }
    return stored
  }
}
