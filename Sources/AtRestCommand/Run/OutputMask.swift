import AtRestCrypto
import AtRestRedaction
import CAtRestSystem

/// Replaces secrets in a stream by a mark, in all encodings that the library's ``Redactor`` finds.
///
/// Many encodings show only in a whole text, so whole lines are searched. An end of the stream that may become a
/// secret is held back. The rest of a line is passed on when the program writes nothing for a moment, so a
/// prompt appears.
package struct OutputMask: ~Copyable {
  package static let mark = "[withheld]"
  /// The size of a line that is passed on before its end.
  private static let longestLine = 64 << 10

  private let redactor: Redactor
  private let beginnings: SecretBeginnings
  /// The present line, and what is held back.
  private var pending: [UInt8] = []
  /// The number of pending bytes that were passed on. What follows them is searched together with them.
  private var shown = 0
  private var endsWithMark = false
  /// True if more is held back than what may become a secret.
  package private(set) var isHolding = false

  package init(_ secrets: [SecretBox]) {
    let parts = secrets.flatMap { MaskedPart.all(of: $0.bytes) }
    let shortest = parts.map { $0.bytes.count }.min() ?? SecretRegistry.minimumCount
    let registry = SecretRegistry(shortest: shortest)
    // The registry takes them all.
    for part in parts { try? registry.register(part.bytes) }
    redactor = Redactor(secrets: registry, patterns: [])
    beginnings = SecretBeginnings(parts)
  }

  deinit { Self.erase(pending) }

  /// Takes the next bytes of the stream, and passes on whole lines.
  package mutating func write(
    _ bytes: UnsafeRawBufferPointer, to output: (UnsafeRawBufferPointer) -> Void
  ) {
    guard !beginnings.isEmpty else { return output(bytes) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.longestLine)
      rest = rest.dropFirst(part.count)
      replacePending { $0 + part }
      isHolding = true
      if let end = pending[shown...].lastIndex(of: 10) {
        pass(end + 1, holding: beginning(before: end + 1), to: output)
      } else if pending.count - shown >= Self.longestLine {
        pause(to: output)
        forget(shown)
      }
    }
  }

  /// Passes on what cannot become a secret, because the program waits.
  package mutating func pause(to output: (UnsafeRawBufferPointer) -> Void) {
    let held = max(
      beginning(before: pending.count), beginnings.encodedCount(atEndOf: pending))
    pass(pending.count, holding: held, to: output)
    isHolding = false
  }

  /// Passes on everything, because the stream has ended.
  package mutating func finish(to output: (UnsafeRawBufferPointer) -> Void) {
    pass(pending.count, holding: 0, to: output)
  }

  /// Returns the number of bytes before an end that may be the beginning of a secret.
  private func beginning(before end: Int) -> Int {
    pending.withUnsafeBytes { beginnings.count(atEndOf: .init(rebasing: $0[..<end])) }
  }

  /// Passes on the bytes before a limit, except a number of bytes at their end.
  private mutating func pass(
    _ limit: Int, holding count: Int, to output: (UnsafeRawBufferPointer) -> Void
  ) {
    var end = limit - count
    guard end > shown else { return }
    // A copy of the part, because an array of the whole would share the bytes that are erased.
    let text = pending.withUnsafeBytes { [UInt8](UnsafeRawBufferPointer(rebasing: $0[..<limit])) }
    defer { Self.erase(text) }
    let ranges = redactor.ranges(in: text)
    // A secret that what is held back may continue is held back too.
    if let next = ranges.first(where: { $0.upperBound > end }) {
      end = min(end, max(shown, next.lowerBound))
    }
    text.withUnsafeBytes { bytes in
      func plain(to limit: Int) {
        guard shown < limit else { return }
        output(.init(rebasing: bytes[shown..<limit]))
        endsWithMark = false
        shown = limit
      }
      for range in ranges where range.upperBound > shown && range.upperBound <= end {
        plain(to: range.lowerBound)
        if !endsWithMark { Array(Self.mark.utf8).withUnsafeBytes(output) }
        endsWithMark = true
        shown = range.upperBound
      }
      plain(to: end)
    }
    forget((pending[..<shown].lastIndex(of: 10) ?? -1) + 1)
    isHolding = pending.count > shown
  }

  /// Removes the first bytes, which were passed on.
  private mutating func forget(_ count: Int) {
    guard count > 0 else { return }
    replacePending { Array($0[count...]) }
    shown -= count
  }

  private mutating func replacePending(_ body: ([UInt8]) -> [UInt8]) {
    let former = pending
    pending = body(former)
    Self.erase(former)
  }

  private static func erase(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      atrest_erase(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }
}
