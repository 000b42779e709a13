@_spi(Tools) import AtRestSecrets

/// Rules out, in one fast pass, that a text contains anything to withhold.
///
/// Most lines of a log contain nothing. The screen looks for the windows of the needles at some
/// positions only, and for the beginnings of the patterns. What it cannot rule out is left to
/// ``SecretSearch``, so it may be wrong in one direction only.
final class Screen: Sendable {
  private let needles: Needles
  private let folds: Bool

  /// Creates a screen.
  ///
  /// - Parameter folds: True if the needles are in lower case.
  init(_ needles: Needles, folds: Bool) {
    self.needles = needles
    self.folds = folds
  }

  private static let separators = ByteClass.equals | ByteClass.colon | ByteClass.greater

  /// Returns false if there is nothing to withhold in a text.
  func mayHold(_ text: UnsafeBufferPointer<UInt8>, _ patterns: RedactionPatterns) -> Bool {
    needles.windowFilter.withUnsafeBufferPointer { filter in
      mayHold(text, Filter(needles, filter, folds: folds), SearchDepth(), patterns)
    }
  }

  private func mayHold(
    _ text: UnsafeBufferPointer<UInt8>, _ filter: Filter, _ depth: SearchDepth,
    _ patterns: RedactionPatterns
  ) -> Bool {
    guard let base = text.baseAddress else { return false }
    if filter.isActive {
      let bytes = UnsafeRawPointer(base)
      let excess = UInt64(64 - 8 * filter.window)
      var position = 0
      while position <= text.count - 8 {
        let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        if filter.contains(UInt64(bigEndian: word) >> excess) { return true }
        position += filter.stride
      }
      // A window of fewer bytes fits into the rest.
      while position <= text.count - filter.window {
        let word = text[position..<position + filter.window].reduce(0) { $0 << 8 | UInt64($1) }
        if filter.contains(word) { return true }
        position += filter.stride
      }
    }
    var runs = RunScreen(filter: filter)
    var signs = PatternScreen(patterns: patterns)
    var seen: UInt16 = 0
    let isFound = ByteClass.table.withUnsafeBufferPointer {
      Self.mayHold(text, $0, &runs, &signs, &seen)
    }
    signs.see(all: seen)
    return isFound || signs.isConfirmed(text)
      || mayHoldForm(text, filter, depth, patterns, seen)
      || depth.allowsRun && runs.isText && mayHoldRun(text, filter, depth, runs.textRuns)
  }

  /// Goes through the words of a text, and through the runs of bytes that they form.
  private static func mayHold(
    _ text: UnsafeBufferPointer<UInt8>, _ table: UnsafeBufferPointer<UInt16>,
    _ runs: inout RunScreen, _ signs: inout PatternScreen, _ seen: inout UInt16
  ) -> Bool {
    let count = text.count
    let window = runs.filter.window
    let least = (
      base64: ByteRun.base64.count(holding: window), base32: ByteRun.base32.count(holding: window),
      hex: ByteRun.hex.count(holding: window)
    )
    var index = 0
    // The beginnings of the present runs. The digits of the last two are counted.
    var base64 = 0
    var (hex, hexCount, hexEnd) = (0, 0, 0)
    var (number, numberCount, numberEnd) = (0, 0, 0)
    while true {
      let gap = index
      var between = ~UInt16(0)
      while index < count {
        let kind = table[Int(text[index])]
        guard kind & ByteClass.alphanumeric == 0 else { break }
        seen |= kind
        between &= kind
        if kind & separators != 0 { signs.see(separator: index, text) }
        index += 1
      }
      let isEnd = index == count
      if isEnd || between & ByteClass.base64 == 0 {
        var end = gap
        while end < index, table[Int(text[end])] & ByteClass.base64 != 0 { end += 1 }
        if end - base64 >= least.base64 {
          signs.see(run: base64..<end, text)
          if runs.mayHold(.base64, text, base64..<end) { return true }
        }
        base64 = index
        while base64 > end, table[Int(text[base64 - 1])] & ByteClass.base64 != 0 { base64 -= 1 }
      }
      if isEnd || between & ByteClass.hexRun == 0 {
        if hexCount >= least.hex, runs.mayHold(.hex, text, hex..<hexEnd) { return true }
        hexCount = 0
      }
      if isEnd || index - gap != 1 || between & ByteClass.numberRun == 0 {
        if numberCount >= 6 { signs.see(number: number..<numberEnd, text) }
        numberCount = 0
      }
      if isEnd { return false }

      let word = index
      // No class of a letter or digit is among those that are collected in `seen`.
      var (isHex, isNumber) = (true, true)
      while index <= count - 8 {
        let bytes = UnsafeRawPointer(text.baseAddress! + index)
        let classes = WordClasses(
          UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
        isHex = isHex && classes.isHex
        isNumber = isNumber && classes.isNumber
        index += classes.count
        guard classes.count == 8 else { break }
      }
      while index < count {
        let kind = table[Int(text[index])]
        guard kind & ByteClass.alphanumeric != 0 else { break }
        isHex = isHex && kind & ByteClass.hexRun != 0
        isNumber = isNumber && kind & ByteClass.digit != 0
        index += 1
      }
      let length = index - word
      signs.see(word: word, text)
      // The last letters of the words that begin a credential.
      let last = text[index - 1] | 0x20
      if length > 5, last == 0x6E || last == 0x72 || last == 0x63 {
        signs.see(end: word..<index, text)
      }
      if runs.mayHold(word: word, text) { return true }
      if length >= least.base32, runs.mayHold(.base32, text, word..<index) { return true }
      if isHex {
        if hexCount == 0 { hex = word }
        hexCount += length
        hexEnd = index
      } else {
        // Hex digits may touch other letters at both ends.
        if hexCount > 0 {
          hexEnd = word
          while table[Int(text[hexEnd])] & ByteClass.hexRun != 0 { hexEnd += 1 }
          if hexCount + hexEnd - word >= least.hex, runs.mayHold(.hex, text, hex..<hexEnd) {
            return true
          }
        }
        if length >= least.hex, runs.mayHold(.hex, text, word..<index) { return true }
        hex = index
        while table[Int(text[hex - 1])] & ByteClass.hexRun != 0 { hex -= 1 }
        hexCount = index - hex
        hexEnd = index
      }
      if isNumber {
        if numberCount == 0 { number = word }
        numberCount += length
        numberEnd = index
      } else {
        if numberCount >= 6 { signs.see(number: number..<numberEnd, text) }
        if text[index - 1].isCapital || text[word].isDigit { signs.see(mixed: word..<index, text) }
        numberCount = 0
      }
    }
  }

  private func mayHoldForm(
    _ text: UnsafeBufferPointer<UInt8>, _ filter: Filter, _ depth: SearchDepth,
    _ patterns: RedactionPatterns, _ seen: UInt16
  ) -> Bool {
    guard depth.allowsForm else { return false }
    for form in TextEncoding.allCases where form.introducers & seen != 0 {
      let patterns = form.keepsPatterns ? patterns : []
      guard filter.isActive || !patterns.isEmpty else { continue }
      guard let decoded = form.decodedBytes(of: text) else { continue }
      let isHeld = decoded.withUnsafeBufferPointer {
        mayHold($0, filter, depth.withoutForm(), patterns)
      }
      if isHeld { return true }
    }
    return false
  }

  /// Looks at what the runs decode to, if that is text.
  private func mayHoldRun(
    _ text: UnsafeBufferPointer<UInt8>, _ filter: Filter, _ depth: SearchDepth,
    _ runs: [(kind: ByteRun, range: Range<Int>)]
  ) -> Bool {
    var isHeld = false
    for (run, range) in runs where !isHeld {
      let bytes = UnsafeBufferPointer(rebasing: text[range])
      run.forEachRun(in: bytes, holding: filter.window) { digits, places in
        for phase in 0..<run.phases where !isHeld {
          let decoded = run.decode(digits, places, from: phase, keepsPlaces: false)
          guard SearchDepth.mayBeEncoded(decoded.bytes) else { continue }
          isHeld = decoded.bytes.withUnsafeBufferPointer {
            mayHold($0, filter, depth.withoutRun(), [])
          }
        }
      }
    }
    return isHeld
  }

  /// The windows of the needles.
  struct Filter {
    private let bits: UnsafeBufferPointer<UInt64>
    private let hash: WindowHash
    private let folds: Bool
    private let mask: UInt64
    let window: Int
    let stride: Int
    let isActive: Bool

    init(_ needles: Needles, _ bits: UnsafeBufferPointer<UInt64>, folds: Bool) {
      self.bits = bits
      self.folds = folds
      hash = needles.hash
      window = needles.window
      mask = UInt64.max >> UInt64(64 - 8 * window)
      stride = needles.stride
      isActive = !needles.isEmpty
    }

    /// Returns true if the lowest bytes of a word, the first of them the highest, may be a window.
    @inline(__always)
    func contains(_ word: UInt64) -> Bool {
      let hash = hash((folds ? ScreenWindow.folded(word) : word) & mask)
      return has(NeedleCodes.firstPlace(hash)) && hasSecond(hash)
    }

    private func hasSecond(_ hash: UInt64) -> Bool {
      let places = NeedleCodes.secondPlaces(hash)
      return has(places.0) && has(places.1)
    }

    @inline(__always)
    private func has(_ place: UInt64) -> Bool {
      bits[Int(place >> 6)] & 1 << (place & 63) != 0
    }
  }
}

extension TextEncoding {
  /// The classes of the bytes without which the form has nothing to decode.
  fileprivate var introducers: UInt16 {
    switch self {
    case .percent: ByteClass.percent
    case .form: ByteClass.plus
    case .escapes: ByteClass.backslash
    case .entities: ByteClass.ampersand
    case .quotedPrintable: ByteClass.equals
    case .lines: ByteClass.lineBreak
    }
  }

  /// True if patterns are looked for in what the form decodes to.
  var keepsPatterns: Bool { self == .percent || self == .escapes || self == .entities }
}
