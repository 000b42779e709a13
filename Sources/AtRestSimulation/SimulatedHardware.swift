import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// Hardware for keys in memory. Like a TPM, it keeps no key itself: it encrypts each private half
/// under a key of its own, and opens it for each use.
final class SimulatedHardware: HardwareKeyProvider {
  private let id = RandomBytes.data(count: 16)
  private let storageKey = SealingKey.random()
  private let available = Mutex(true)

  var isAvailable: Bool {
    get { available.withLock { $0 } }
    set { available.withLock { $0 = newValue } }
  }

  func makeKey() throws -> HardwareKey {
    try checkAvailable()
    let key = try PrivateKey.generate(.p256)
    let publicKey = try key.publicKey.x963Representation()
    let box = try storageKey.seal(key.rawRepresentation(), context: publicKey)
    return HardwareKey(representation: id + box, publicKey: publicKey)
  }

  func signature(ofDigest digest: Data, with key: HardwareKey) throws -> Data {
    guard (20...64).contains(digest.count) else {
      throw AtRestError.invalid(
        "The hardware does not sign a digest of \(digest.count) bytes.",
        remedy: "Use a digest of 20 to 64 bytes.")
    }
    return try open(key).signature(forDigest: digest, .ecdsaRaw)
  }

  func sharedSecret(of key: HardwareKey, with publicKey: Data) throws -> SecretBytes {
    try open(key).sharedSecret(with: PublicKey(x963Representation: publicKey))
  }

  private func open(_ key: HardwareKey) throws -> PrivateKey {
    try checkAvailable()
    guard key.representation.prefix(id.count) == id else {
      throw AtRestError(
        .otherDevice, "The key was made by the hardware of another device.",
        remedy: "Use the key on that device, or create another key.")
    }
    return try PrivateKey(
      rawRepresentation: storageKey.open(
        key.representation.dropFirst(id.count), context: key.publicKey,
        name: "The key in the simulated hardware"),
      algorithm: .p256)
  }

  private func checkAvailable() throws {
    guard isAvailable else {
      throw AtRestError(
        .deviceUnavailable, "The device's hardware for keys does not answer.",
        remedy: "Set isHardwareAvailable of the simulated device.")
    }
  }
}
