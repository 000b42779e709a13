import AtRestFormats
@_spi(Tools) import AtRestSecrets

/// Finds canaries in bytes, in every encoding that can be recognised without decoding.
///
/// These encodings are: plain text, UTF-16, UTF-32 and older character sets, in either case and
/// normal form; reversed text and Base64; Base64 of any alignment, Base32 and hexadecimal; escapes as in URLs, JSON, HTML and mail;
/// exclusive or with one byte; unsalted digests; digits in groups; and common combinations of
/// these. A canary of fewer than six bytes is found only if no similar characters are next to it,
/// and not in encodings in which it would match by chance.
///
/// There is one pass for encodings and one for exclusive or. The time does not depend on the number
/// of canaries until their variants fill the index (some hundreds). Thread-safe.
package final class CanaryMatcher: Sendable {
  package let canaries: [Canary]
  /// The maximum number of bytes in a match together with the neighbouring bytes that are tested.
  let span: Int
  private let variants: [CanaryVariant]
  private let index: AnchorIndex
  private let masked: [MaskedCanary]
  private let maskedIndex: AnchorIndex

  package init(_ canaries: [Canary]) {
    self.canaries = canaries
    let variants = canaries.indices.flatMap { CanaryVariant.all(of: canaries[$0], index: $0) }
    let masked = canaries.indices.flatMap { MaskedCanary.all(of: canaries[$0], index: $0) }
    index = AnchorIndex(
      variants.indices.flatMap { number in
        let variant = variants[number]
        return variant.anchors.map { ($0.word, variant.entry(number, $0)) }
      }, foldsCase: true)
    maskedIndex = AnchorIndex(
      masked.indices.flatMap { number in
        masked[number].anchors.map { offset in
          (
            AnchorIndex.word(masked[number].differences, at: offset),
            .init(variant: number, offset: offset)
          )
        }
      }, foldsCase: false)
    self.variants = variants
    self.masked = masked
    span = (variants.map(\.span).max() ?? 0) + 4
  }

  /// Finds all occurrences of canaries, in order. If two encodings explain the same bytes, the
  /// match names the simpler encoding.
  package func matches(in text: UnsafeRawBufferPointer) -> [CanaryMatch] {
    text.withMemoryRebound(to: UInt8.self) { text in
      var found: [Found] = []
      index.scan(text, differences: false) { place, entry in
        let variant = variants[entry.variant]
        guard let range = variant.match(in: text, at: place, offset: entry.offset) else { return }
        let isChanged = variant.comparison == .changedCase && !variant.isExact(range, in: text)
        found.append(
          (
            variant.canary, range, variant.encodings + (isChanged ? ["changed case"] : [])
          ))
      }
      maskedIndex.scan(text, differences: true) { place, entry in
        let canary = masked[entry.variant]
        guard let (range, key) = canary.match(in: text, at: place, offset: entry.offset) else {
          return
        }
        let hex = String(decoding: ByteRun.hex.digits(of: [key]), as: UTF8.self)
        found.append((canary.canary, range, ["xor 0x\(hex)"] + canary.encodings))
      }
      return simplest(found).map {
        CanaryMatch(canary: canaries[$0.canary], range: $0.range, encodings: $0.encodings)
      }
    }
  }

  package func matches(in bytes: [UInt8]) -> [CanaryMatch] {
    bytes.withUnsafeBytes { matches(in: $0) }
  }

  /// Finds all occurrences of canaries in a file, which is read in windows of 1 MiB.
  ///
  /// - Throws: ``FormatError`` if the file cannot be read to its end. Matches before the error are
  ///   delivered. Also rethrows the errors of `body`.
  package func forEachMatch(
    in source: ByteSource, _ body: (CanaryMatch) throws -> Void
  ) throws {
    var stream = CanaryStream(self)
    var offset = 0
    while offset < source.count {
      let end = min(offset + 1 << 20, source.count)
      for match in stream.append(try source.read(offset..<end)) { try body(match) }
      offset = end
    }
    for match in stream.finish() { try body(match) }
  }

  private typealias Found = (canary: Int, range: Range<Int>, encodings: [String])

  /// Keeps one match for each place of a canary.
  private func simplest(_ matches: [Found]) -> [Found] {
    guard matches.count > 1 else { return matches }
    var kept: [Found] = []
    var last = [Int?](repeating: nil, count: canaries.count)
    let ordered = matches.sorted {
      ($0.range.lowerBound, $0.encodings.count, $1.range.upperBound)
        < ($1.range.lowerBound, $1.encodings.count, $0.range.upperBound)
    }
    for match in ordered {
      if let place = last[match.canary], kept[place].range.overlaps(match.range) {
        if match.encodings.count < kept[place].encodings.count { kept[place] = match }
        continue
      }
      last[match.canary] = kept.count
      kept.append(match)
    }
    return kept
  }
}
