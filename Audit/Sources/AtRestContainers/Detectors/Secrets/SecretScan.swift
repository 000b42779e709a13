import AtRestSecrets

/// One pass over a value, which tests each form of secret where it may begin.
struct SecretScan {
  let text: UnsafeBufferPointer<UInt8>
  /// The name of the value, and the same in lower case.
  let valueName: String
  let name: [UInt8]
  let isText: Bool
  /// The number of numbers that have as many digits as the number of a card.
  private(set) var longNumbers = 0
  private(set) var found: [Detection] = []
  /// The end of the last match of each form. Earlier positions are not tested again.
  private var ends = (number: 0, key: 0, pair: 0, email: 0, phone: 0)

  init(_ text: UnsafeBufferPointer<UInt8>, name: String?, isText: Bool) {
    self.text = text
    valueName = name ?? ""
    self.name = Array((name ?? "").utf8).map(ASCII.lower)
    self.isText = isText
  }

  mutating func run() {
    if let key = derKey() { found.append(key) }
    let text = text
    // Nearly all positions are ruled out here.
    Self.acts.withUnsafeBufferPointer { acts in
      TokenForm.begins.withUnsafeBufferPointer { begins in
        var isStart = true
        for place in 0..<text.count {
          let byte = text[place]
          let act = acts[Int(byte)]
          let wasStart = isStart
          isStart = !act.isInWord
          if act == .none || act.isInWord && !wasStart { continue }
          if act == .letter, !mayBeginKey(byte, at: place, begins) { continue }
          look(at: place, byte, act)
        }
      }
    }
  }

  /// Returns true if a header's scheme, a token, an account number or a provider's key may begin
  /// here.
  @inline(__always)
  private func mayBeginKey(
    _ byte: UInt8, at place: Int, _ begins: UnsafeBufferPointer<Bool>
  ) -> Bool {
    guard place + 1 < text.count else { return false }
    let next = text[place + 1]
    return byte == 0x65 && next == 0x79 || byte | 0x20 == 0x62 || byte &- 0x41 < 26
      || begins[Int(byte) << 8 | Int(next)]
  }

  /// The meaning of a byte: what it may begin, or be part of.
  private enum Act: UInt8 {
    case none, dash, at, plus, separator
    // Parts of words. They must be the last cases, in this order.
    case underscore, letter, digit

    var isInWord: Bool { rawValue >= Act.underscore.rawValue }
  }

  private static let acts: [Act] = (0...255).map { (value: Int) -> Act in
    let byte = UInt8(value)
    if ASCII.isDigit(byte) { return .digit }
    if ASCII.isLetter(byte) { return .letter }
    switch byte {
    case 0x2D: return .dash
    case 0x40: return .at
    case 0x2B, 0x3C: return .plus
    case 0x3A, 0x3D, 0x3E: return .separator
    case 0x5F: return .underscore
    default: return .none
    }
  }

  private mutating func look(at place: Int, _ byte: UInt8, _ act: Act) {
    switch act {
    case .letter:
      guard place >= ends.key else { return }
      lookForKey(at: place, byte)
      guard isText, byte &- 0x41 < 26, let number = iban(at: place) ?? identityNumber(at: place)
      else { return }
      found.append(number)
    case .digit:
      guard isText, place >= ends.number, let number = number(at: place) else { return }
      ends.number = number.end
      if number.isLong { longNumbers += 1 }
      guard let detection = number.detection ?? identityNumber(at: place) else { return }
      ends.number = max(ends.number, detection.range.upperBound)
      found.append(detection)
    case .dash:
      guard place >= ends.key, let key = pemKey(at: place) else { return }
      ends.key = key.range.upperBound
      found.append(key)
    case .at:
      guard isText, let email = email(around: place, after: ends.email) else { return }
      ends.email = email.range.upperBound
      found.append(email)
    case .plus:
      guard isText, place >= ends.phone, let detection = phone(at: place) ?? position(at: place)
      else { return }
      ends.phone = detection.range.upperBound
      found.append(detection)
    case .separator:
      guard isText, place >= ends.pair, let pair = pair(at: place) else { return }
      ends.pair = pair.range.upperBound
      found.append(pair)
    case .none, .underscore: return
    }
  }

  private mutating func lookForKey(at place: Int, _ byte: UInt8) {
    if byte == 0x65, let token = webToken(at: place) {
      found.append(token)
      ends.key = token.range.upperBound
      return
    }
    let next = place + 1 < text.count ? text[place + 1] : 0
    if TokenForm.begins[Int(byte) << 8 | Int(next)],
      let (form, end) = TokenForm.exact(in: text, at: place), form.isFound(by: .containers),
      // Binary data has many short words.
      isText || form.prefixes.allSatisfy({ $0.utf8.count >= 4 })
    {
      found.append(Detection(form.kind, place..<end, .certain, in: text, note: form.name))
      ends.key = end
      return
    }
    if byte | 0x20 == 0x62, let bearer = bearerToken(at: place) { found.append(bearer) }
  }

  /// Returns true if one of the words is in the name, or shortly before or after a range.
  func hasContext(_ words: [String], around range: Range<Int>) -> Bool {
    let before = text[max(0, range.lowerBound - 48)..<range.lowerBound].map(ASCII.lower)
    let after = text[range.upperBound..<min(text.count, range.upperBound + 24)].map(ASCII.lower)
    return words.contains { word in
      let word = Array(word.utf8)
      return [name, before, after].contains { Self.contains($0, word) }
    }
  }

  /// Returns true if a string contains a word. A short word must not have letters next to it.
  private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    guard text.count >= word.count else { return false }
    return (0...text.count - word.count).contains { start in
      let end = start + word.count
      return text[start] == word[0] && text[start..<end].elementsEqual(word)
        && (start == 0 || !ASCII.isLetter(text[start - 1]) || word.count > 4)
        && (end == text.count || !ASCII.isLetter(text[end]) || word.count > 4)
    }
  }

  /// The range without blanks at its ends.
  static func trimmed(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, ASCII.isBlank(text[start]) { start += 1 }
    while end > start, ASCII.isBlank(text[end - 1]) { end -= 1 }
    return start..<end
  }
}
