import AtRestCrypto
import Foundation

/// The search index of a ``SecretRegistry``, in a form that does not reveal the secrets.
struct Needles: Sendable {
  /// The number of bytes that the filter examines at each position. It is the same for all secrets,
  /// so one pass finds them all.
  private static let window = SecretRegistry.minimumCount
  private static let part = SecretRegistry.minimumPartCount
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

  /// A byte string to find: the beginning or another part of one or more secrets.
  private struct Needle {
    /// The number of secrets that contain the needle.
    var secrets = 0
    /// The number of these secrets in which the needle is withheld by itself.
    var strong = 0
    /// The number of bytes after the needle in each secret of which it is the last indexed part.
    var tails: [Int] = []
  }

  /// The number of registrations of each secret, by the authentication code of the whole secret.
  private var registrations: [Data: Int] = [:]
  /// The needles by their filter bits, their length and their authentication code.
  private var buckets: [UInt32: [Int: [Data: Needle]]] = [:]
  private var filter: [UInt64] = []
  /// The places in ``windowFilter`` of every 8 bytes of the needles, with the number of windows at
  /// each place.
  private var windows: [UInt32: Int] = [:]
  /// Two filters, one after the other. The screen looks at some positions of a text only.
  private(set) var windowFilter: [UInt64] = []
  /// The number of needles by their length, up to the length of a part.
  private var lengths: [Int: Int] = [:]
  private let hashKey = SecretBox(.random(count: 32))
  private let key = SecretBox(.random(count: 32))

  /// The number of different secrets.
  var count: Int { registrations.count }
  var isEmpty: Bool { registrations.isEmpty }

  /// The distance between two positions of a text at which the screen looks for a window. A needle
  /// of 8 bytes has one window, and one of 16 bytes has a window at eight positions in a row.
  private(set) var stride = 1

  /// The bits of the first window filter, which fits into the fastest memory of a processor.
  private static let firstBits = 15
  /// The bits of the second window filter, which follows the first one.
  private static let secondBits = 23

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

  private static func fingerprint(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash >> UInt64(64 - filterBits))
  }

  private func code(_ bytes: some DataProtocol) -> Data { key.bytes.authenticationCode(for: bytes) }

  mutating func insert(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.window else { return }
    let whole = code(bytes)
    registrations[whole, default: 0] += 1
    guard registrations[whole] == 1 else { return }
    if filter.isEmpty {
      filter = [UInt64](repeating: 0, count: 1 << (Self.filterBits - 6))
      windowFilter = [UInt64](
        repeating: 0, count: (1 << Self.firstBits + 1 << Self.secondBits) / 64)
    }
    lengths[min(bytes.count, Self.part), default: 0] += 1
    stride = (lengths.keys.min() ?? Self.part) - Self.window + 1
    forEachWindow(of: bytes) { place in
      windows[place, default: 0] += 1
      windowFilter[Int(place >> 6)] |= 1 << UInt64(place & 63)
    }
    forEachNeedle(of: bytes) { fingerprint, count, code, isStrong, tail in
      var needle = buckets[fingerprint]?[count]?[code] ?? Needle()
      needle.secrets += 1
      if isStrong { needle.strong += 1 }
      if tail > 0 { needle.tails.append(tail) }
      buckets[fingerprint, default: [:]][count, default: [:]][code] = needle
      filter[Int(fingerprint >> 6)] |= 1 << UInt64(fingerprint & 63)
    }
  }

  mutating func remove(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.window else { return }
    let whole = code(bytes)
    guard let known = registrations[whole] else { return }
    registrations[whole] = known > 1 ? known - 1 : nil
    guard known == 1 else { return }
    let length = min(bytes.count, Self.part)
    lengths[length] = lengths[length].flatMap { $0 > 1 ? $0 - 1 : nil }
    stride = (lengths.keys.min() ?? Self.part) - Self.window + 1
    forEachWindow(of: bytes) { place in
      windows[place] = windows[place].flatMap { $0 > 1 ? $0 - 1 : nil }
      if windows[place] == nil { windowFilter[Int(place >> 6)] &= ~(1 << UInt64(place & 63)) }
    }
    forEachNeedle(of: bytes) { fingerprint, count, code, isStrong, tail in
      guard var needle = buckets[fingerprint]?[count]?[code] else { return }
      needle.secrets -= 1
      if isStrong { needle.strong -= 1 }
      if tail > 0, let index = needle.tails.firstIndex(of: tail) { needle.tails.remove(at: index) }
      buckets[fingerprint]?[count]?[code] = needle.secrets > 0 ? needle : nil
      if buckets[fingerprint]?[count]?.isEmpty == true { buckets[fingerprint]?[count] = nil }
      guard buckets[fingerprint]?.isEmpty == true else { return }
      buckets[fingerprint] = nil
      filter[Int(fingerprint >> 6)] &= ~(1 << UInt64(fingerprint & 63))
    }
  }

  /// Calls a closure with the places in the filters of every 8 bytes of a secret.
  private func forEachWindow(of bytes: UnsafeRawBufferPointer, _ body: (UInt32) -> Void) {
    let hash = hash
    for start in 0...min(bytes.count, Self.longestIndexed) - Self.window {
      let hash = hash(
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)))
      body(UInt32(Self.firstPlace(hash)))
      let places = Self.secondPlaces(hash)
      body(UInt32(places.0))
      body(UInt32(places.1))
    }
  }

  /// Calls a closure for each needle of a secret, with the needle's filter bits, length and
  /// authentication code, whether the needle is withheld by itself, and the number of bytes after
  /// it that no needle covers.
  private func forEachNeedle(
    of bytes: UnsafeRawBufferPointer, _ body: (UInt32, Int, Data, Bool, Int) -> Void
  ) {
    let hash = hash
    func needle(_ range: Range<Int>, _ isStrong: Bool, _ tail: Int) {
      let word = bytes[range].prefix(Self.window).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      body(Self.fingerprint(hash(word)), range.count, code(bytes[range]), isStrong, tail)
    }
    needle(0..<min(bytes.count, Self.longestPrefix), true, 0)
    let indexed = min(bytes.count, Self.longestIndexed)
    guard indexed >= Self.part else { return }
    for start in 0...indexed - Self.part {
      let range = start..<start + Self.part
      needle(
        range, Set(bytes[range]).count >= Self.fewestDifferent,
        range.upperBound == indexed ? bytes.count - indexed : 0)
    }
  }

  /// Calls a closure with the range of each secret, or part of a secret, in the given bytes.
  func find(in bytes: [UInt8], _ found: (Range<Int>) -> Void) {
    guard !isEmpty, bytes.count >= Self.window else { return }
    let hash = hash
    bytes.withUnsafeBytes { bytes in
      var word: UInt64 = 0
      var end = 0
      for index in 0..<bytes.count {
        word = word << 8 | UInt64(bytes[index])
        guard index >= Self.window - 1 else { continue }
        let fingerprint = Self.fingerprint(hash(word))
        guard filter[Int(fingerprint >> 6)] & 1 << UInt64(fingerprint & 63) != 0,
          let bucket = buckets[fingerprint]
        else { continue }
        let start = index + 1 - Self.window
        // The longest needle is tried first, because a part that is not withheld by itself may
        // continue it.
        for (count, needles) in bucket.sorted(by: { $0.key > $1.key })
        where start + count <= bytes.count {
          guard start < end || needles.values.contains(where: { $0.strong > 0 }),
            let needle = needles[code(bytes[start..<start + count])],
            start < end || needle.strong > 0
          else { continue }
          end = max(end, min(bytes.count, start + count + (needle.tails.max() ?? 0)))
          found(start..<end)
        }
      }
    }
  }
}
