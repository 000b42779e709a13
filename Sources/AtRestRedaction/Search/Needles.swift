import AtRestCrypto
import Foundation

/// The search index of a ``SecretRegistry``, in a form that does not reveal the secrets.
struct Needles: Sendable {
  /// The number of bytes that the filter examines at each position, 8 or fewer. It is the same for all
  /// secrets, so one pass finds them all, and none of them is shorter.
  var window: Int { codes.window }
  private static let part = SecretRegistry.minimumPartCount
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
  /// The places in ``windowFilter`` of every window of the needles, with the number of windows at
  /// each place.
  private var windows: [UInt32: Int] = [:]
  /// Two filters, one after the other. The screen looks at some positions of a text only.
  private(set) var windowFilter: [UInt64] = []
  /// The number of needles by their length, up to the length of a part.
  private var lengths: [Int: Int] = [:]
  private let codes: NeedleCodes

  /// The number of different secrets.
  var count: Int { registrations.count }
  var isEmpty: Bool { registrations.isEmpty }

  /// The distance between two positions of a text at which the screen looks for a window. A needle
  /// of 8 bytes has one window, and one of 16 bytes has a window at eight positions in a row.
  private(set) var stride = 1

  /// The hash that the filters use.
  var hash: WindowHash { codes.hash }

  init(window: Int) { codes = NeedleCodes(window: window) }

  mutating func insert(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= window else { return }
    let codes = codes
    let whole = codes.code(bytes)
    registrations[whole, default: 0] += 1
    guard registrations[whole] == 1 else { return }
    if filter.isEmpty {
      filter = [UInt64](repeating: 0, count: 1 << (NeedleCodes.filterBits - 6))
      windowFilter = [UInt64](
        repeating: 0, count: (1 << NeedleCodes.firstBits + 1 << NeedleCodes.secondBits) / 64)
    }
    lengths[min(bytes.count, Self.part), default: 0] += 1
    stride = (lengths.keys.min() ?? Self.part) - window + 1
    codes.forEachWindow(of: bytes) { place in
      windows[place, default: 0] += 1
      windowFilter[Int(place >> 6)] |= 1 << UInt64(place & 63)
    }
    codes.forEachNeedle(of: bytes) { fingerprint, count, code, isStrong, tail in
      var needle = buckets[fingerprint]?[count]?[code] ?? Needle()
      needle.secrets += 1
      if isStrong { needle.strong += 1 }
      if tail > 0 { needle.tails.append(tail) }
      buckets[fingerprint, default: [:]][count, default: [:]][code] = needle
      filter[Int(fingerprint >> 6)] |= 1 << UInt64(fingerprint & 63)
    }
  }

  mutating func remove(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= window else { return }
    let codes = codes
    let whole = codes.code(bytes)
    guard let known = registrations[whole] else { return }
    registrations[whole] = known > 1 ? known - 1 : nil
    guard known == 1 else { return }
    let length = min(bytes.count, Self.part)
    lengths[length] = lengths[length].flatMap { $0 > 1 ? $0 - 1 : nil }
    stride = (lengths.keys.min() ?? Self.part) - window + 1
    codes.forEachWindow(of: bytes) { place in
      windows[place] = windows[place].flatMap { $0 > 1 ? $0 - 1 : nil }
      if windows[place] == nil { windowFilter[Int(place >> 6)] &= ~(1 << UInt64(place & 63)) }
    }
    codes.forEachNeedle(of: bytes) { fingerprint, count, code, isStrong, tail in
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

  /// Calls a closure with the range of each secret, or part of a secret, in the given bytes.
  func find(in bytes: [UInt8], _ found: (Range<Int>) -> Void) {
    guard !isEmpty, bytes.count >= window else { return }
    let hash = hash
    let mask = UInt64.max >> UInt64(64 - 8 * window)
    bytes.withUnsafeBytes { bytes in
      var word: UInt64 = 0
      var end = 0
      for index in 0..<bytes.count {
        word = (word << 8 | UInt64(bytes[index])) & mask
        guard index >= window - 1 else { continue }
        let fingerprint = NeedleCodes.fingerprint(hash(word))
        guard filter[Int(fingerprint >> 6)] & 1 << UInt64(fingerprint & 63) != 0,
          let bucket = buckets[fingerprint]
        else { continue }
        let start = index + 1 - window
        // The longest needle is tried first, because a part that is not withheld by itself may
        // continue it.
        for (count, needles) in bucket.sorted(by: { $0.key > $1.key })
        where start + count <= bytes.count {
          guard start < end || needles.values.contains(where: { $0.strong > 0 }),
            let needle = needles[codes.code(bytes[start..<start + count])],
            start < end || needle.strong > 0
          else { continue }
          end = max(end, min(bytes.count, start + count + (needle.tails.max() ?? 0)))
          found(start..<end)
        }
      }
    }
  }
}
