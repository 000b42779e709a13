/// Withholds registered secrets and patterns from text, for logs and other output.
///
/// ```swift
/// let redactor = Redactor(secrets: registry)
/// redactor.redact("sent s3cr3t-t0ken")  // sent [withheld]
/// ```
///
/// ## What is found
///
/// A registered secret is found as it is, and in these encodings:
///
/// - base64 (standard and URL alphabet, at every alignment), base32 and hex (either case, also with
///   spaces, colons, commas, hyphens or `0x`), base64 and hex also over several lines;
/// - lists of bytes, decimal (unsigned or signed) or hexadecimal, as Swift, C, Java and Python print
///   them;
/// - the escapes of JSON, Swift, C and Python (`\n`, `\u0041`, `\u{41}`, `\x41`, `\101`), percent
///   encoding, also of forms, the entities of HTML and XML, and quoted-printable;
/// - UTF-16 in either order of bytes, and for text, both Unicode normal forms;
/// - lines that were broken at any column, with or without an indentation;
/// - up to three of these one inside the other, such as base64 in JSON in a URL, of which at most two
///   escape text and two encode bytes.
///
/// A secret that was registered with `ignoringCase` is also found in any case. Each part of a secret
/// that has ``SecretRegistry/minimumPartCount`` bytes is found in the same forms, wherever the secret
/// was cut. Patterns are found in plain form, percent-encoded, escaped and with entities.
///
/// ## What is not found
///
/// - a secret that was not registered and fits no pattern;
/// - a part of a secret that has fewer bytes or is beyond the first 4,096 bytes;
/// - a part with fewer than five different bytes, such as a row of spaces;
/// - a list of bytes with an index, a type or quotes at each byte, base32 in groups, and hex with
///   separators other than spaces, line breaks, colons, commas and hyphens;
/// - a secret that is compressed, encrypted, reversed, or in another encoding, such as base58, Ascii85,
///   UTF-7 or UTF-32;
/// - a secret that is spread over several messages. If each message holds a line of its base64 or hex
///   form, the lines of at least 24 or 34 characters are found, because each holds a part of 16 bytes.
///
/// The time is linear in the size of the text, up to ``maximumCount`` bytes.
///
/// Safe to use from several threads.
public struct Redactor: Sendable {
  /// The secrets that are withheld.
  public let secrets: SecretRegistry
  /// The patterns that are withheld in addition to registered secrets.
  public let patterns: RedactionPatterns
  /// The number of UTF-8 bytes after which text is cut off, with a note that says so.
  public let maximumCount: Int

  /// Creates a redactor.
  ///
  /// - Parameter maximumCount: 1 or more.
  public init(
    secrets: SecretRegistry = SecretRegistry(), patterns: RedactionPatterns = .standard,
    maximumCount: Int = 65_536
  ) {
    precondition(maximumCount > 0, "Text of \(maximumCount) bytes shows nothing.")
    self.secrets = secrets
    self.patterns = patterns
    self.maximumCount = maximumCount
  }

  /// Returns the text with each secret replaced by `[withheld]`.
  public func redact(_ text: String) -> String { redact(text, secrets.snapshot) }

  func redact(_ text: String, _ secrets: SecretSnapshot) -> String {
    var text = text
    let count = text.utf8.count
    let isClean = text.withUTF8 { bytes in
      count <= maximumCount && !secrets.mayHold(bytes, patterns)
    }
    return isClean ? text : search(text, secrets)
  }

  /// Returns the ranges of bytes to withhold, in order and apart from each other. Nothing is cut off.
  package func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    let snapshot = secrets.snapshot
    guard bytes.withUnsafeBufferPointer({ snapshot.mayHold($0, patterns) }) else { return [] }
    var search = SecretSearch(snapshot.index, patterns)
    search.search(bytes)
    return search.found.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { all, range in
      guard let last = all.last, last.upperBound >= range.lowerBound else {
        return all.append(range)
      }
      all[all.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    }
  }

  /// Returns the redacted text without asking the screen first, for tests of the screen.
  package func redactWithoutScreen(_ text: String) -> String { search(text, secrets.snapshot) }

  private func search(_ text: String, _ secrets: SecretSnapshot) -> String {
    let count = text.utf8.count
    // To recognise a secret that begins before the cut, bytes after the cut are searched too: as
    // many as the beginning of a secret takes in its widest encoding (\u0041, &#x41;).
    let bytes = Array(text.utf8.prefix(maximumCount + 6 * NeedleCodes.longestPrefix))
    var search = SecretSearch(secrets.index, patterns)
    search.search(bytes)
    let withheld = search.found
    let isCut = count > maximumCount
    if withheld.isEmpty && !isCut { return text }
    return Self.text(bytes.prefix(maximumCount), without: withheld)
      + (isCut ? " [\(count - maximumCount) bytes more were cut off]" : "")
  }

  private static func text(_ bytes: ArraySlice<UInt8>, without ranges: [Range<Int>]) -> String {
    var result: [UInt8] = []
    var shown = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard range.lowerBound < bytes.count, range.upperBound > shown else { continue }
      if range.lowerBound >= shown {
        result += bytes[shown..<range.lowerBound]
        result += Redaction.mark.utf8
      }
      shown = min(bytes.count, range.upperBound)
    }
    result += bytes[shown...]
    return String(decoding: result, as: UTF8.self)
  }
}
