/// Rules out, in one fast pass, that a text contains anything to withhold.
///
/// Most lines of a log contain nothing. The screen looks for the windows of the needles at some
/// positions only, and for the beginnings of the patterns. What it cannot rule out is left to
/// ``SecretSearch``, so it may be wrong in one direction only.
final class Screen: Sendable {
  private let needles: Needles
  private let folds: Bool
  private let holdsSpace: Bool

  /// Creates a screen.
  ///
  /// - Parameter folds: True if the needles are in lower case.
  init(_ needles: Needles, folds: Bool, holdsSpace: Bool) {
    self.needles = needles
    self.folds = folds
    self.holdsSpace = holdsSpace
  }

  /// The runs of bytes that the screen follows.
  private static let followed =
    ByteClass.base64 | ByteClass.base32 | ByteClass.hexRun | ByteClass.alphanumeric
    | ByteClass.numberRun
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
    if filter.isActive, text.count >= 8 {
      let bytes = UnsafeRawPointer(base)
      var position = 0
      while position <= text.count - 8 {
        let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        if filter.contains(UInt64(bigEndian: word)) { return true }
        position += filter.stride
      }
    }
    var runs = RunScreen(filter: filter)
    var signs = PatternScreen(patterns: patterns)
    var seen: UInt16 = 0
    let isFound = ByteClass.table.withUnsafeBufferPointer { table -> Bool in
      var live: UInt16 = 0
      var starts = (base64: 0, base32: 0, hex: 0, number: 0)
      for index in 0...text.count {
        let kind = index < text.count ? table[Int(text[index])] : 0
        seen |= kind
        let changed = live ^ kind & Self.followed
        if changed != 0 {
          let stopped = changed & live
          if stopped & ByteClass.base64 != 0, index - starts.base64 >= 11 {
            let run = starts.base64..<index
            signs.see(run: run, text)
            if runs.mayHold(.base64, text, run) { return true }
          }
          if stopped & ByteClass.base32 != 0, index - starts.base32 >= 13,
            runs.mayHold(.base32, text, starts.base32..<index)
          {
            return true
          }
          if stopped & ByteClass.hexRun != 0, index - starts.hex >= 16,
            runs.mayHold(.hex, text, starts.hex..<index)
          {
            return true
          }
          if stopped & ByteClass.numberRun != 0, index - starts.number >= 6 {
            signs.see(number: starts.number..<index, text)
          }
          let begun = changed & kind
          if begun & ByteClass.base64 != 0 { starts.base64 = index }
          if begun & ByteClass.base32 != 0 { starts.base32 = index }
          if begun & ByteClass.hexRun != 0 { starts.hex = index }
          if begun & ByteClass.numberRun != 0 { starts.number = index }
          if begun & ByteClass.alphanumeric != 0 {
            signs.see(word: index, text)
            if runs.mayHold(word: index, isNumber: kind & ByteClass.digit != 0, text) {
              return true
            }
          }
          live = kind & Self.followed
        }
        if kind & Self.separators != 0 { signs.see(separator: index, text) }
      }
      return false
    }
    signs.see(all: seen)
    return isFound || signs.isConfirmed(text)
      || mayHoldForm(text, filter, depth, patterns, seen)
      || depth.allowsRun && runs.isText && mayHoldRun(text, filter, depth, runs.textRuns)
  }

  private func mayHoldForm(
    _ text: UnsafeBufferPointer<UInt8>, _ filter: Filter, _ depth: SearchDepth,
    _ patterns: RedactionPatterns, _ seen: UInt16
  ) -> Bool {
    guard depth.allowsForm else { return false }
    for form in TextForm.allCases where form.introducers & seen != 0 {
      if form == .form, !holdsSpace { continue }
      let patterns = form.keepsPatterns ? patterns : []
      guard filter.isActive || !patterns.isEmpty else { continue }
      var decoded = PlainBytes()
      decoded.bytes.reserveCapacity(text.count)
      guard form.decode(text, into: &decoded) else { continue }
      let isHeld = decoded.bytes.withUnsafeBufferPointer {
        mayHold($0, filter, depth.withoutForm(), patterns)
      }
      if isHeld { return true }
    }
    return false
  }

  /// Looks at what the runs decode to, if that is text.
  private func mayHoldRun(
    _ text: UnsafeBufferPointer<UInt8>, _ filter: Filter, _ depth: SearchDepth,
    _ kinds: [ByteRun]
  ) -> Bool {
    var isHeld = false
    for run in kinds {
      run.forEachRun(in: text) { digits, places in
        for phase in 0..<run.phases where !isHeld {
          var decoded = PlainBytes()
          run.decode(digits, places, from: phase, into: &decoded)
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
    private let multiplier: UInt64
    private let folds: Bool
    let stride: Int
    let isActive: Bool

    init(_ needles: Needles, _ bits: UnsafeBufferPointer<UInt64>, folds: Bool) {
      self.bits = bits
      self.folds = folds
      multiplier = needles.multiplier
      stride = needles.stride
      isActive = !needles.isEmpty
    }

    /// Returns true if 8 bytes, the first of them the highest, may be a window.
    @inline(__always)
    func contains(_ word: UInt64) -> Bool {
      let (first, second) = Needles.places(folds ? ScreenWindow.folded(word) : word, multiplier)
      return bits[Int(first >> 6)] & 1 << (first & 63) != 0
        && bits[Int(second >> 6)] & 1 << (second & 63) != 0
    }
  }
}

extension TextForm {
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
