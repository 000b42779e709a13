/// Withholds registered secrets and patterns from text, for logs and other output.
///
/// ```swift
/// let redactor = Redactor(secrets: registry)
/// redactor.redact("sent s3cr3t-t0ken")  // sent [withheld]
/// ```
///
/// A registered secret is found in plain form, in base64 (at every alignment, standard and URL
/// alphabet, also with line breaks), in hex (both cases, also with separators), in percent
/// encoding, and with JSON or HTML escapes. It is also found in base64 or hex text that is itself
/// percent-encoded or escaped. Each part of a secret that has ``SecretRegistry/minimumPartCount``
/// bytes is found in the same forms, wherever the secret was cut. Patterns are found in plain form,
/// percent-encoded and escaped.
///
/// A redactor cannot withhold a secret that was not registered and fits no pattern, or a part of a
/// secret that has fewer bytes or is beyond the first 4,096 bytes. Nor can it withhold a secret
/// that is in an encoding or combination of encodings not named above; written as a list of decimal
/// numbers; in another case or Unicode normal form; compressed or encrypted; or spread over several
/// messages.
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

  func redact(_ text: String, _ needles: Needles) -> String {
    let all = text.utf8
    // To recognise a secret that begins before the cut, bytes after the cut are searched too: as
    // many as the beginning of a secret takes in its widest encoding (\u0041, &#x41;).
    let bytes = Array(all.prefix(maximumCount + 6 * Needles.longestPrefix))
    var withheld: [Range<Int>] = []
    let plain = DecodedText(text: bytes)
    var forms = [plain]
    if let form = plain.percentDecoded(plusIsSpace: false) { forms.append(form) }
    if let form = plain.percentDecoded(plusIsSpace: true) { forms.append(form) }
    if let form = plain.unescaped() { forms.append(form) }
    if let form = plain.withoutEntities() { forms.append(form) }
    for form in forms {
      patterns.find(in: form.bytes) { withheld.append(form.place(of: $0)) }
      guard !needles.isEmpty else { continue }
      func search(_ decoded: DecodedText) {
        needles.find(in: decoded.bytes) { withheld.append(decoded.place(of: $0)) }
      }
      search(form)
      form.decodingHex(search)
      form.decodingBase64(search)
    }
    let isCut = all.count > maximumCount
    if withheld.isEmpty && !isCut { return text }
    return Self.text(bytes.prefix(maximumCount), without: withheld)
      + (isCut ? " [\(all.count - maximumCount) bytes more were cut off]" : "")
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
