import AtRestCrypto
import Foundation

/// The keyed codes under which ``Needles`` keeps the parts of a secret.
struct NeedleCodes: Sendable {
  /// The number of bytes of a window.
  let window: Int
  private let hashKey = SecretBox(.random(count: 32))
  private let key = SecretBox(.random(count: 32))

  init(window: Int) { self.window = window }

  /// The length of the longest prefix of a secret that is searched for as a whole.
  static let longestPrefix = 64
  /// Parts are indexed up to this offset in a secret. Bytes beyond the offset are withheld with the
  /// last indexed part.
  private static let longestIndexed = 4096
  /// The minimum number of different bytes in a part that is withheld by itself. A part with fewer,
  /// such as a row of spaces, also occurs in other text, and is withheld only if it overlaps bytes
  /// that are already withheld.
  private static let fewestDifferent = 5
  static let filterBits = 20

  /// The bits of the first window filter, which fits into the fastest memory of a processor.
  static let firstBits = 15
  /// The bits of the second window filter, which follows the first one.
  static let secondBits = 23

  /// The hash that the filters use.
  var hash: WindowHash { WindowHash(hashKey) }

  /// Returns the place of a hash in the first window filter.
  @inline(__always)
  static func firstPlace(_ hash: UInt64) -> UInt64 { hash >> UInt64(64 - firstBits) }

  /// Returns the two places of a hash in the second window filter.
  @inline(__always)
  static func secondPlaces(_ hash: UInt64) -> (UInt64, UInt64) {
    let mask: UInt64 = 1 << UInt64(secondBits) - 1
    let begin: UInt64 = 1 << UInt64(firstBits)
    return (begin + hash & mask, begin + hash >> UInt64(secondBits) & mask)
  }

  static func fingerprint(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash >> UInt64(64 - filterBits))
  }

  /// Returns the authentication code of a secret, or of a part of one.
  func code(_ bytes: some DataProtocol) -> Data { key.bytes.authenticationCode(for: bytes) }

  /// Calls a closure with the places in the filters of every window of a secret.
  func forEachWindow(of bytes: UnsafeRawBufferPointer, _ body: (UInt32) -> Void) {
    let hash = hash
    for start in 0...min(bytes.count, Self.longestIndexed) - window {
      let hash = hash(bytes[start..<start + window].reduce(0) { $0 << 8 | UInt64($1) })
      body(UInt32(Self.firstPlace(hash)))
      let places = Self.secondPlaces(hash)
      body(UInt32(places.0))
      body(UInt32(places.1))
    }
  }

  /// Calls a closure for each needle of a secret, with the needle's filter bits, length and
  /// authentication code, whether the needle is withheld by itself, and the number of bytes after
  /// it that no needle covers.
  func forEachNeedle(
    of bytes: UnsafeRawBufferPointer, _ body: (UInt32, Int, Data, Bool, Int) -> Void
  ) {
    let hash = hash
    let part = SecretRegistry.minimumPartCount
    func needle(_ range: Range<Int>, _ isStrong: Bool, _ tail: Int) {
      let word = bytes[range].prefix(window).reduce(0) { $0 << 8 | UInt64($1) }
      body(Self.fingerprint(hash(word)), range.count, code(bytes[range]), isStrong, tail)
    }
    needle(0..<min(bytes.count, Self.longestPrefix), true, 0)
    let indexed = min(bytes.count, Self.longestIndexed)
    guard indexed >= part else { return }
    for start in 0...indexed - part {
      let range = start..<start + part
      needle(
        range, Set(bytes[range]).count >= Self.fewestDifferent,
        range.upperBound == indexed ? bytes.count - indexed : 0)
    }
  }
}
