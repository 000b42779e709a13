import AtRestCrypto
import Foundation
import Synchronization

/// The secrets that a ``RedactingLogHandler`` knows and withholds, without keeping them.
///
/// Of each secret it keeps the HMAC-SHA-256 of its first 64 bytes, under a random key in locked memory
/// that never leaves the process, its count, and 16 bits of a hash of its first 8 bytes. A core dump or
/// a swapped page holds nothing that leads back to it. Whoever reads the memory of the running process
/// has the key, and can test guesses: a password that a list has is found, a random key is not.
///
/// Safe to use from several threads.
public final class SecretRegistry: Sendable {
  /// Secrets of fewer bytes are refused: they would be found where they are not.
  public static let minimumCount = 8

  private let needles: Mutex<Needles>

  /// Makes a registry without secrets.
  public init() { needles = Mutex(Needles()) }

  /// How many secrets are registered.
  public var count: Int { needles.withLock { $0.count } }

  /// Has a secret withheld from now on. Twice is once.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` where it has fewer than ``minimumCount`` bytes.
  public func register(_ secret: borrowing SecretBytes) throws {
    try secret.withUnsafeBytes { bytes in try register(bytes: bytes) }
  }

  /// Has text withheld from now on.
  ///
  /// - Throws: As `register(_:)` of secret bytes.
  public func register(_ secret: String) throws {
    var secret = secret
    try secret.withUTF8 { try register(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Has bytes withheld from now on.
  ///
  /// - Throws: As `register(_:)` of secret bytes.
  public func register(_ secret: Data) throws {
    try secret.withUnsafeBytes { try register(bytes: $0) }
  }

  private func register(bytes: UnsafeRawBufferPointer) throws {
    guard bytes.count >= Self.minimumCount else {
      throw AtRestError(
        .invalidArgument,
        "A secret of \(bytes.count) bytes is too short to be told from other text.",
        remedy:
          "Register secrets of \(Self.minimumCount) bytes or more, and keep shorter ones out of "
          + "logs with Sensitive.")
    }
    needles.withLock { $0.insert(bytes) }
  }

  /// Forgets a secret that is one no longer.
  public func unregister(_ secret: borrowing SecretBytes) {
    secret.withUnsafeBytes { bytes in needles.withLock { $0.remove(bytes) } }
  }

  /// Forgets text that is a secret no longer.
  public func unregister(_ secret: String) {
    var secret = secret
    secret.withUTF8 { bytes in needles.withLock { $0.remove(UnsafeRawBufferPointer(bytes)) } }
  }

  /// Forgets every secret.
  public func removeAll() { needles.withLock { $0 = Needles() } }

  /// What to search for, as it is now: a search holds no lock.
  var snapshot: Needles { needles.withLock { $0 } }
}

/// What is searched for, in a form that does not show it.
struct Needles: Sendable {
  /// The bytes that the filter looks at, so that one pass serves all secrets.
  private static let window = SecretRegistry.minimumCount
  /// A longer secret is found by its beginning: a long message may not cost a long code at each byte.
  static let longestPrefix = 64

  /// By the filter's 16 bits and the count of the prefix: the code of the prefix, and the secret's count.
  private var buckets: [UInt16: [Int: [Data: Int]]] = [:]
  private var filter = [UInt64](repeating: 0, count: 1024)
  private let multiplier = UInt64.random(in: 0 ... .max) | 1
  private let key = SecretBox(.random(count: 32))
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  private func fingerprint(_ word: UInt64) -> UInt16 { UInt16((word &* multiplier) >> 48) }

  private func place(_ bytes: UnsafeRawBufferPointer) -> (UInt16, Int, Data)? {
    guard bytes.count >= Self.window else { return nil }
    let word = bytes.prefix(Self.window).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let prefix = bytes.prefix(Self.longestPrefix)
    return (fingerprint(word), prefix.count, key.bytes.authenticationCode(for: prefix))
  }

  mutating func insert(_ bytes: UnsafeRawBufferPointer) {
    guard let (fingerprint, prefix, code) = place(bytes) else { return }
    let known = buckets[fingerprint]?[prefix]?[code]
    if known == nil { count += 1 }
    // Two long secrets may begin alike: the longer one is withheld.
    buckets[fingerprint, default: [:]][prefix, default: [:]][code] = max(known ?? 0, bytes.count)
    filter[Int(fingerprint >> 6)] |= 1 << UInt64(fingerprint & 63)
  }

  mutating func remove(_ bytes: UnsafeRawBufferPointer) {
    guard let (fingerprint, prefix, code) = place(bytes),
      buckets[fingerprint]?[prefix]?.removeValue(forKey: code) != nil
    else { return }
    count -= 1
    if buckets[fingerprint]?[prefix]?.isEmpty == true { buckets[fingerprint]?[prefix] = nil }
    guard buckets[fingerprint]?.isEmpty == true else { return }
    buckets[fingerprint] = nil
    filter[Int(fingerprint >> 6)] &= ~(1 << UInt64(fingerprint & 63))
  }

  /// Calls a closure with the place of each secret in some bytes.
  func find(in bytes: [UInt8], _ found: (Range<Int>) -> Void) {
    guard !isEmpty, bytes.count >= Self.window else { return }
    bytes.withUnsafeBytes { bytes in
      var word: UInt64 = 0
      for index in 0..<bytes.count {
        word = word << 8 | UInt64(bytes[index])
        guard index >= Self.window - 1 else { continue }
        let fingerprint = fingerprint(word)
        guard filter[Int(fingerprint >> 6)] & 1 << UInt64(fingerprint & 63) != 0,
          let bucket = buckets[fingerprint]
        else { continue }
        let start = index + 1 - Self.window
        for (prefix, codes) in bucket where start + prefix <= bytes.count {
          let code = key.bytes.authenticationCode(for: bytes[start..<start + prefix])
          if let count = codes[code] { found(start..<min(bytes.count, start + count)) }
        }
      }
    }
  }
}
