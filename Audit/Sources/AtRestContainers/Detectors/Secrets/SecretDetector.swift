/// Finds sensitive data in a value, by the value's name, by the data's form, and by names in the
/// value.
///
/// Decode encoded or compressed values first. The time depends only on the size of the value.
/// Thread-safe.
package struct SecretDetector: Sendable {
  package init() {}

  /// The detections in an item, in order and without overlap.
  package func detections(in item: Item) -> [Detection] {
    switch item.content {
    case .text(let text): detections(in: Array(text.utf8), name: item.name)
    case .bytes(let bytes): detections(in: bytes, name: item.name)
    }
  }

  /// The detections in a value in UTF-8 or in binary data, in order and without overlap.
  ///
  /// In binary data, the search covers only keys and tokens whose form shows what they are. A value
  /// whose name and size are those of a key is reported too.
  ///
  /// - Parameter name: The name of the value: a key, a column, the name of a cookie.
  package func detections(in bytes: [UInt8], name: String? = nil) -> [Detection] {
    bytes.withUnsafeBufferPointer { examine($0, name: name).detections }
  }

  /// Finds the detections in a value, and counts its numbers that are as long as a card's.
  func examine(
    _ bytes: UnsafeBufferPointer<UInt8>, name: String? = nil
  ) -> (detections: [Detection], longNumbers: Int) {
    let verdict = name.flatMap { Array($0.utf8).withUnsafeBufferPointer(SecretName.verdict) }
    let isText = ASCII.isText(UnsafeBufferPointer(rebasing: bytes.prefix(4096)))
    var scan = SecretScan(bytes, name: name, isText: isText)
    scan.run()
    var found = scan.found
    if let verdict { found += named(verdict, bytes, isText: isText) }
    if found.contains(where: { $0.kind == .email }),
      Licence.contains(UnsafeRawBufferPointer(bytes)) || name.map(SecretName.isHandle) == true
    {
      found.removeAll { $0.kind == .email }
    }
    return (Self.best(found), scan.longNumbers)
  }

  private func named(
    _ verdict: SecretName.Verdict, _ bytes: UnsafeBufferPointer<UInt8>, isText: Bool
  ) -> [Detection] {
    let range = SecretScan.trimmed(bytes.indices, in: bytes)
    guard isText else {
      // Bytes of a key's size under the name of a key are a key.
      let isKey = verdict.kind == .privateKey && [16, 24, 32, 48, 64].contains(bytes.count)
      return isKey ? [Detection(.privateKey, bytes.indices, .likely, in: bytes)] : []
    }
    let isStructure = range.first.map {
      bytes[$0] == 0x7B || bytes[$0] == 0x5B || bytes[$0] == 0x3C
    }
    guard isStructure != true, SecretValue.fits(bytes[range], verdict) else { return [] }
    return [
      Detection(verdict.kind, range, verdict.isStrong ? .likely : .possible, in: bytes)
    ]
  }

  /// Keeps the most certain of overlapping detections, and the longest of equally certain ones.
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
