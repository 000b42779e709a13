import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// Keys that a client added for a time, as `ssh-add` does. They are only in memory.
final class SSHMemoryKeys: Sendable {
  /// A key in memory.
  struct Key: Sendable {
    let publicKey: SSHPublicKey
    /// The bytes by which the protocol names the key: the public half, or the certificate.
    let blob: Data
    let comment: String
    /// The scalar or the seed, or PKCS#1 DER for RSA.
    let secret: AgentSecret
    /// The time at which the key is forgotten, or nil.
    let end: ContinuousClock.Instant?
    /// True if each use has to be confirmed.
    let needsConfirmation: Bool
    /// The ways for which the key may be used. Any, if there are none.
    let destinations: [SSHDestination]

    /// Signs, and returns the signature in the form of SSH.
    func signature(for data: Data, flags: UInt32) throws -> Data {
      let (scheme, name) = try publicKey.scheme(flags: flags)
      let algorithm = publicKey.key.algorithm
      let key =
        publicKey.isRSA
        ? try PrivateKey(importing: secret.bytes)
        : try PrivateKey(rawRepresentation: secret.bytes, algorithm: algorithm)
      return try publicKey.encoded(key.signature(for: data, scheme: scheme), name: name)
    }
  }

  private static let most = 256
  private let keys = Mutex<[Key]>([])

  /// Returns the keys whose time has not ended.
  func all(at now: ContinuousClock.Instant = .now) -> [Key] {
    keys.withLock { keys in
      keys.removeAll { $0.end.map { $0 <= now } ?? false }
      return keys
    }
  }

  /// Erases the keys whose time has ended.
  func removeExpired(at now: ContinuousClock.Instant = .now) { _ = all(at: now) }

  /// The number of keys in memory, also of those whose time has ended.
  var count: Int { keys.withLock { $0.count } }

  /// Returns true if a key is still there.
  func has(_ key: Key) -> Bool { all().contains { $0.secret === key.secret } }

  /// Adds a key, in place of the same one.
  ///
  /// - Parameter check: Throws if no key may be added. It is called when no other thread can erase the keys, so a
  ///   lock comes before it, or erases the key.
  /// - Returns: False if there are too many keys.
  func add(_ key: Key, if check: () throws -> Void) rethrows -> Bool {
    try keys.withLock { keys in
      try check()
      keys.removeAll { $0.blob == key.blob }
      guard keys.count < Self.most else { return false }
      keys.append(key)
      return true
    }
  }

  /// Adds a key, whatever the lock state is.
  func add(_ key: Key) -> Bool { add(key) {} }

  /// Removes a key. Returns false if it is not there.
  func remove(_ blob: Data) -> Bool {
    keys.withLock { keys in
      let count = keys.count
      keys.removeAll { $0.blob == blob }
      return keys.count < count
    }
  }

  func removeAll() { keys.withLock { $0.removeAll() } }
}
