@_spi(Tools) import AtRestSecrets

/// Byte strings for which a text is searched.
protocol KnownBytes {
  /// The number of bytes in the shortest of them.
  var shortest: Int { get }
  var isEmpty: Bool { get }

  /// Calls a closure with the range of each of them in some bytes.
  func find(in bytes: [UInt8], _ found: (Range<Int>) -> Void)
}

/// Finds secrets and patterns in a text and in everything that it may decode to, with their places.
struct SecretSearch<Known: KnownBytes> {
  let index: Known
  let patterns: RedactionPatterns
  private(set) var found: [Range<Int>] = []

  init(_ index: Known, _ patterns: RedactionPatterns) {
    self.index = index
    self.patterns = patterns
  }

  /// The number of bytes that may still be decoded.
  private var budget = 0

  /// Adds the ranges of what is to be withheld in a text.
  ///
  /// The bytes that are decoded are bounded. A text with more encodings is withheld as a whole.
  mutating func search(_ text: [UInt8]) {
    budget = max(32 * text.count, 1 << 20)
    search(DecodedText(text: text), SearchDepth(), patterns)
    if budget < 0 { found.append(0..<text.count) }
  }

  private mutating func search(
    _ text: DecodedText, _ depth: SearchDepth, _ patterns: RedactionPatterns
  ) {
    budget -= text.bytes.count
    guard budget >= 0 else { return }
    var ranges: [Range<Int>] = []
    patterns.find(in: text.bytes) { if !$0.isEmpty { ranges.append($0) } }
    if !index.isEmpty { index.find(in: text.bytes) { ranges.append($0) } }
    found += ranges.map(text.place)
    if depth.allowsForm { searchForms(text, depth, patterns) }
    if depth.allowsRun, !index.isEmpty {
      for run in ByteRun.allCases { searchRuns(run, text, depth) }
    }
  }

  private mutating func searchForms(
    _ text: DecodedText, _ depth: SearchDepth, _ patterns: RedactionPatterns
  ) {
    for form in TextEncoding.allCases {
      // Without a plus, it is the same as percent encoding.
      if form == .form, !text.bytes.contains(UInt8(ascii: "+")) { continue }
      guard let decoded = text.bytes.withUnsafeBufferPointer({ form.decode($0) }) else { continue }
      let patterns = form.keepsPatterns ? patterns : []
      search(decoded.placed(in: text), depth.withoutForm(), patterns)
    }
  }

  private mutating func searchRuns(_ run: ByteRun, _ text: DecodedText, _ depth: SearchDepth) {
    let index = index
    var places: [Range<Int>] = []
    var inner: [DecodedText] = []
    var decodedCount = 0
    let budget = budget
    text.bytes.withUnsafeBufferPointer { bytes in
      run.forEachRun(in: bytes, holding: index.shortest) { digits, positions in
        for phase in 0..<run.phases where decodedCount <= budget {
          let decoded = run.decode(digits, positions, from: phase)
          decodedCount += decoded.bytes.count
          // What does not decode to text is not encoded once more.
          if SearchDepth.mayBeEncoded(decoded.bytes) {
            inner.append(decoded)
          } else {
            index.find(in: decoded.bytes) { places.append(decoded.place(of: $0)) }
          }
        }
      }
    }
    self.budget -= decodedCount
    found += places.map(text.place)
    for decoded in inner { search(decoded.placed(in: text), depth.withoutRun(), []) }
  }
}
