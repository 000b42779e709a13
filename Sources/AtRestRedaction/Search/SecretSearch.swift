/// Finds secrets and patterns in a text and in everything that it may decode to, with their places.
struct SecretSearch {
  let index: SecretIndex
  let patterns: RedactionPatterns
  private(set) var found: [Range<Int>] = []

  init(_ index: SecretIndex, _ patterns: RedactionPatterns) {
    self.index = index
    self.patterns = patterns
  }

  /// Adds the ranges of what is to be withheld in a text.
  mutating func search(_ text: [UInt8]) { search(DecodedText(text: text), SearchDepth(), patterns) }

  private mutating func search(
    _ text: DecodedText, _ depth: SearchDepth, _ patterns: RedactionPatterns
  ) {
    var ranges: [Range<Int>] = []
    patterns.find(in: text.bytes) { if !$0.isEmpty { ranges.append($0) } }
    if !index.isEmpty { index.find(in: text.bytes) { ranges.append($0) } }
    found += ranges.map(text.place)
    var inner: [(DecodedText, SearchDepth, RedactionPatterns)] = []
    let index = index
    var places: [Range<Int>] = []
    text.bytes.withUnsafeBufferPointer { bytes in
      if depth.allowsForm {
        for form in TextForm.allCases {
          var decoded = DecodedText()
          guard form.decode(bytes, into: &decoded) else { continue }
          inner.append((decoded, depth.withoutForm(), form.keepsPatterns ? patterns : []))
        }
      }
      guard depth.allowsRun, !index.isEmpty else { return }
      for run in ByteRun.allCases {
        run.forEachRun(in: bytes) { digits, positions in
          for phase in 0..<run.phases {
            var decoded = DecodedText()
            run.decode(digits, positions, from: phase, into: &decoded)
            // What does not decode to text is not encoded once more.
            if SearchDepth.mayBeEncoded(decoded.bytes) {
              inner.append((decoded, depth.withoutRun(), []))
            } else {
              index.find(in: decoded.bytes) { places.append(decoded.place(of: $0)) }
            }
          }
        }
      }
    }
    found += places.map(text.place)
    for (decoded, depth, patterns) in inner { search(decoded.placed(in: text), depth, patterns) }
  }
}
