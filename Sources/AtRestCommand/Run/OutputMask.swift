import AtRestCrypto
import CAtRestSystem

/// Replaces secrets in a stream of bytes by a mark.
///
/// The mask holds back only those last bytes of the stream that may be the beginning of a secret, so
/// other output, such as a prompt, appears at once. Its memory is bounded by the longest secret.
package struct OutputMask: ~Copyable {
  package static let mark = "[withheld]"

  /// A byte string to search for, with the table of Knuth, Morris and Pratt.
  private final class Needle: Sendable {
    let bytes: SecretBytes
    /// For each length of a matching prefix, the length of the longest shorter one.
    let shorter: [Int]

    init(_ bytes: borrowing SecretBytes) {
      shorter = bytes.withUnsafeBytes { bytes in
        var table = [0, 0]
        var length = 0
        for index in 1..<max(bytes.count, 1) {
          while length > 0, bytes[index] != bytes[length] { length = table[length] }
          if bytes[index] == bytes[length] { length += 1 }
          table.append(length)
        }
        return table
      }
      self.bytes = bytes.duplicate()
    }

    /// Returns the length of the matching prefix after one more byte.
    func advance(_ length: Int, _ byte: UInt8) -> Int {
      bytes.withUnsafeBytes { bytes in
        var length = length == bytes.count ? shorter[length] : length
        while length > 0, bytes[length] != byte { length = shorter[length] }
        return bytes[length] == byte ? length + 1 : 0
      }
    }
  }

  private let needles: [Needle]
  private let begins: [Bool]
  /// The length of the prefix of each needle with which the stream ends at present.
  private var lengths: [Int]
  /// True if a length is not 0.
  private var isInside = false
  private var pending: [UInt8] = []
  /// The parts of the pending bytes that are secret, in order.
  private var secret: [Range<Int>] = []
  /// True if the last bytes that were passed on are a mark.
  private var endsWithMark = false

  /// Creates a mask for secrets, in all forms of ``OutputForm``.
  package init(_ secrets: [SecretBox]) {
    var needles: [Needle] = []
    for box in secrets {
      OutputForm.forEach(of: box.bytes) { form in
        for needle in needles where needle.bytes.isEqual(to: form) { return }
        needles.append(Needle(form))
      }
    }
    var begins = [Bool](repeating: false, count: 256)
    for needle in needles { begins[needle.bytes.withUnsafeBytes { Int($0[0]) }] = true }
    self.needles = needles
    self.begins = begins
    lengths = Array(repeating: 0, count: needles.count)
  }

  deinit { Self.erase(pending) }

  /// Takes the next bytes of the stream, and passes on those that are decided.
  package mutating func write(
    _ bytes: UnsafeRawBufferPointer, to output: (UnsafeRawBufferPointer) -> Void
  ) {
    for byte in bytes {
      pending.append(byte)
      guard isInside || begins[Int(byte)] else { continue }
      isInside = false
      for (index, needle) in needles.enumerated() {
        let length = needle.advance(lengths[index], byte)
        lengths[index] = length
        guard length > 0 else { continue }
        isInside = true
        if length == needle.bytes.count { cover(length) }
      }
    }
    pass(keeping: lengths.max() ?? 0, to: output)
  }

  /// Passes on everything that was held back, because the stream has ended.
  package mutating func finish(to output: (UnsafeRawBufferPointer) -> Void) {
    pass(keeping: 0, to: output)
  }

  /// Records that the last bytes are secret.
  private mutating func cover(_ count: Int) {
    var start = pending.count - count
    while let last = secret.last, last.upperBound >= start {
      start = min(start, last.lowerBound)
      secret.removeLast()
    }
    secret.append(start..<pending.count)
  }

  private mutating func pass(keeping count: Int, to output: (UnsafeRawBufferPointer) -> Void) {
    var end = pending.count - count
    if let last = secret.last, last.upperBound > end { end = min(end, last.lowerBound) }
    guard end > 0 else { return }
    var position = 0
    func plain(to limit: Int) {
      guard position < limit else { return }
      pending.withUnsafeBytes { output(.init(rebasing: $0[position..<limit])) }
      endsWithMark = false
    }
    while let next = secret.first, next.upperBound <= end {
      plain(to: next.lowerBound)
      if !endsWithMark { Array(Self.mark.utf8).withUnsafeBytes(output) }
      endsWithMark = true
      position = next.upperBound
      secret.removeFirst()
    }
    plain(to: end)
    let rest = Array(pending[end...])
    Self.erase(pending)
    pending = rest
    secret = secret.map { $0.lowerBound - end..<$0.upperBound - end }
  }

  private static func erase(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      atrest_erase(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }
}
