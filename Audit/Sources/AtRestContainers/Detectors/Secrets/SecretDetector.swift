/// Finds what is sensitive in a value: by the name it lies under, by its form, and by the names within it.
///
/// What is encoded or packed is for the caller to decode first. Time grows with the value alone.
/// Thread-safe.
package struct SecretDetector: Sendable {
  package init() {}

  /// The detections of an item, in order, none overlapping another.
  package func detections(in item: Item) -> [Detection] {
    switch item.content {
    case .text(let text): detections(in: Array(text.utf8), name: item.name)
    case .bytes(let bytes): detections(in: bytes, name: item.name)
    }
  }

  /// The detections of a value in UTF-8 or of binary data, in order, none overlapping another.
  ///
  /// In binary data only keys and tokens are looked for whose form proves them.
  ///
  /// - Parameter name: What the value lies under: a key, a column, a cookie's name.
  package func detections(in bytes: [UInt8], name: String? = nil) -> [Detection] {
    let verdict = name.flatMap { SecretName.verdict(Array($0.utf8)) }
    let isText = ASCII.isText(bytes.prefix(4096))
    var scan = SecretScan(bytes, name: name, isText: isText)
    scan.run()
    var found = scan.found
    if let verdict { found += named(verdict, bytes, isText: isText) }
    return Self.best(found)
  }

  private func named(
    _ verdict: SecretName.Verdict, _ bytes: [UInt8], isText: Bool
  ) -> [Detection] {
    let range = SecretScan.trimmed(bytes.indices, in: bytes)
    guard isText else {
      // Bytes under the name of a key are one.
      let isKey = verdict.kind == .privateKey && [16, 24, 32, 48, 64].contains(bytes.count)
      return isKey ? [Detection(.privateKey, bytes.indices, .likely, in: bytes)] : []
    }
    let isStructure = range.first.map {
      bytes[$0] == 0x7B || bytes[$0] == 0x5B || bytes[$0] == 0x3C
    }
    guard isStructure != true, SecretValue.fits(bytes[range], verdict.kind) else { return [] }
    return [
      Detection(verdict.kind, range, verdict.isStrong ? .likely : .possible, in: bytes)
    ]
  }

  /// Of detections that overlap the surest, and of equally sure ones the longest.
  private static func best(_ found: [Detection]) -> [Detection] {
    let ordered = found.enumerated().sorted {
      let (left, right) = ($0.element, $1.element)
      return (left.range.lowerBound, right.range.upperBound, $0.offset)
        < (right.range.lowerBound, left.range.upperBound, $1.offset)
    }
    var kept: [Detection] = []
    for (_, detection) in ordered {
      if let last = kept.last, last.range.overlaps(detection.range) {
        if detection.confidence > last.confidence { kept[kept.count - 1] = detection }
        continue
      }
      kept.append(detection)
    }
    return kept
  }
}
