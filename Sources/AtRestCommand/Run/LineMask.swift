import AtRestCrypto
import AtRestRedaction
import CAtRestSystem

/// Replaces secrets in a stream by a mark, in all encodings that the library's ``Redactor`` finds.
///
/// Many encodings show only in a whole text, so whole lines are searched. The rest of the stream is passed
/// on when the program writes nothing for a moment, so a prompt appears.
package struct LineMask: ~Copyable {
  /// The bytes that are searched at a time.
  private static let largest = 64 << 10

  private let redactor: Redactor
  private var pending: [UInt8] = []

  /// Creates a mask. Secrets that the library does not search for, because they are too short, are left to
  /// ``OutputMask``.
  package init(_ secrets: [SecretBox]) {
    let registry = SecretRegistry()
    for secret in secrets {
      OutputForm.forEachPlain(of: secret.bytes) { try? registry.register($0) }
    }
    redactor = Redactor(secrets: registry, patterns: [])
  }

  deinit { Self.erase(pending) }

  /// True if the end of the stream is held back.
  package var isHolding: Bool { !pending.isEmpty }

  /// Takes the next bytes of the stream, and passes on whole lines.
  package mutating func write(
    _ bytes: UnsafeRawBufferPointer, to output: (UnsafeRawBufferPointer) -> Void
  ) {
    guard redactor.secrets.count > 0 else { return output(bytes) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.largest)
      rest = rest.dropFirst(part.count)
      append(part)
      if pending.count >= Self.largest {
        finish(to: output)
      } else if let end = pending.lastIndex(of: 10) {
        pass(end + 1, to: output)
      }
    }
  }

  /// Passes on what was held back.
  package mutating func finish(to output: (UnsafeRawBufferPointer) -> Void) {
    pass(pending.count, to: output)
  }

  private mutating func append(_ part: Slice<UnsafeRawBufferPointer>) {
    let former = pending
    pending = former + part
    Self.erase(former)
  }

  private mutating func pass(_ count: Int, to output: (UnsafeRawBufferPointer) -> Void) {
    guard count > 0 else { return }
    // Copies of a part, because an array of the whole would share the bytes that are erased.
    let text = pending.withUnsafeBytes { [UInt8](UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    let rest = pending.withUnsafeBytes { [UInt8](UnsafeRawBufferPointer(rebasing: $0[count...])) }
    Self.erase(pending)
    pending = rest
    var shown = 0
    text.withUnsafeBytes { bytes in
      for range in redactor.ranges(in: text) {
        if range.lowerBound > shown { output(.init(rebasing: bytes[shown..<range.lowerBound])) }
        Array(OutputMask.mark.utf8).withUnsafeBytes(output)
        shown = range.upperBound
      }
      if shown < count { output(.init(rebasing: bytes[shown...])) }
    }
    Self.erase(text)
  }

  private static func erase(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      atrest_erase(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }
}
