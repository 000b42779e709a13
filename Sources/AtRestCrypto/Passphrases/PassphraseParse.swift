import Foundation

/// Finds the cheapest way to compose a passphrase from parts, by dynamic programming.
///
/// The parse stores only the costs and kinds of parts, never bytes of the passphrase.
struct PassphraseParse {
  enum Part: Equatable {
    case password, word, phrase, likelyWord, reversed, substituted, sequence, counted, keyboard
    case repeated, date, other

    var words: String? {
      switch self {
      case .password: "a common password"
      case .word: "a common word or name"
      case .phrase: "a well-known phrase"
      case .likelyWord, .other: nil
      case .reversed: "a common word or password written backwards"
      case .substituted: "a common word or password with symbols in place of letters"
      case .sequence: "a run of the alphabet or of digits"
      case .counted: "a sequence of numbers"
      case .keyboard: "a run of neighbours on the keyboard"
      case .repeated: "a repetition"
      case .date: "a date or year"
      }
    }
  }

  let bytes: UnsafeRawBufferPointer
  let count: Int
  // For each number of bytes composed so far: the cost, and the last part.
  private var cost: [Double]
  private var start: [Int]
  private var part: [Part]

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    count = bytes.count
    cost = [0] + [Double](repeating: .infinity, count: count)
    start = [Int](repeating: 0, count: count + 1)
    part = [Part](repeating: .other, count: count + 1)
  }

  var total: Double { wordWithDate.map { min(cost[count], $0) } ?? cost[count] }

  /// The cost if the passphrase is one to three words or names with a date, such as a name with a
  /// birthday. Attackers try ten million of them, each with a few other characters.
  private var wordWithDate: Double? {
    var (words, dates, others) = (0, 0, 0.0)
    var end = count
    while end > 0 {
      switch part[end] {
      case .word, .likelyWord, .password, .reversed, .substituted: words += 1
      case .date: dates += 1
      default: others += cost[end] - cost[start[end]]
      }
      end = start[end]
    }
    return dates > 0 && (1...3).contains(words) ? 7 + max(0, others - 3) : nil
  }

  var weaknesses: [String] {
    var found: [String] = []
    var end = count
    while end > 0 {
      if let words = part[end].words {
        let text = (start[end] == 0 && end == count ? "it is " : "it holds ") + words
        if !found.contains(text) { found.append(text) }
      }
      end = start[end]
    }
    if wordWithDate != nil { found.append("it is a name or word with a date") }
    return found.reversed()
  }

  mutating func run() {
    for index in 0..<count {
      matchCharacter(index)
      matchWords(index)
      matchPhrases(index)
      matchLikelyWord(index)
      matchForeignWord(index)
      matchSequence(index)
      matchCounting(index)
      matchKeyboard(index)
      matchShapes(index)
      matchRepeat(index)
      matchDate(index)
    }
  }

  mutating func relax(_ from: Int, _ to: Int, _ guesses: Double, _ kind: Part) {
    let new = cost[from] + guesses
    // On a tie, prefer the longer part.
    guard new < cost[to] else { return }
    cost[to] = new
    start[to] = from
    part[to] = kind
  }

  // MARK: Characters

  private mutating func matchCharacter(_ index: Int) {
    let byte = bytes[index]
    var guesses: Double
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): guesses = 1
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      let letter = byte | 0x20
      let former = index > 0 ? bytes[index - 1] : 0
      guesses = Self.isPair(former | 0x20, letter) ? Self.likelyLetter : Self.anyLetter
      // A change of case costs twice the choice of a letter, because half of the letters change.
      if (byte & 0x20 == 0) != (Self.isLetter(former) && former & 0x20 == 0) { guesses += 0.602 }
    case UInt8(ascii: " "): guesses = 0.602
    case 0x80..<0xC0: guesses = 0  // continues a character
    case 0xC0...: guesses = 1.5
    default: guesses = 1.519
    }
    relax(index, index + 1, guesses, .other)
  }

  private static let anyLetter = 1.415  // one of 26
  private static let likelyLetter = 0.903  // one of 8, after the letter before it

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// The most common pairs of adjacent letters in English and related languages.
  private static let pairs: [Bool] = {
    let text = """
      th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se \
      le sa si ar ve ra ld ur ro ri ne me li io ll ce co be ch om ma ic ec el la ta di us il em ei \
      ca wa ho ac tr ge ee no ns pe lo so pr ol fo ai ie wi po su rs mo we na ad ul im os un ot tt \
      ow mi sh do ut sp oo rt pa ss fe ai ke ct pl id gh da ni wo up ay bu am ev iv ck tu ki ba bo
      """
    var table = [Bool](repeating: false, count: 26 * 26)
    for pair in text.split(separator: " ") {
      let letters = pair.utf8.map { Int($0 - UInt8(ascii: "a")) }
      table[letters[0] * 26 + letters[1]] = true
    }
    return table
  }()

  private static func isPair(_ first: UInt8, _ second: UInt8) -> Bool {
    guard isLetter(first), isLetter(second) else { return false }
    return pairs[Int(first - UInt8(ascii: "a")) * 26 + Int(second - UInt8(ascii: "a"))]
  }

  // MARK: Words

  private mutating func matchWords(_ index: Int) {
    let byte = Self.lowered(bytes[index])
    matchWords(index, PassphraseWords.byFirstByte[Int(byte)])
    for letter in Self.letters(meantBy: byte) {
      matchWords(index, PassphraseWords.byFirstByte[Int(letter)])
    }
  }

  private mutating func matchWords(_ index: Int, _ entries: [PassphraseWords.Entry]) {
    for entry in entries where entry.bytes.count <= count - index {
      var substitutions = 0
      var capitals = 0
      var matches = true
      for (offset, letter) in entry.bytes.enumerated() {
        let byte = bytes[index + offset]
        if byte == letter { continue }
        if Self.lowered(byte) == letter {
          capitals += 1
        } else if Self.letters(meantBy: byte).contains(letter) {
          substitutions += 1
        } else {
          matches = false
          break
        }
      }
      guard matches else { continue }
      let end = index + entry.bytes.count
      let guesses = entry.cost + 0.301 * Double(substitutions) + capitalCost(index, end, capitals)
      let plain: Part = entry.isPassword ? .password : .word
      relax(
        index, end, guesses,
        substitutions > 0 ? .substituted : entry.isReversed ? .reversed : plain)
    }
  }

  /// Returns the cost of capitals, which is low if only the first letter or all letters are
  /// capitals.
  private func capitalCost(_ from: Int, _ to: Int, _ capitals: Int) -> Double {
    guard capitals > 0 else { return 0 }
    let letters = (from..<to).count { Self.isLetter(bytes[$0]) }
    let isFirst = Self.isLetter(bytes[from]) && bytes[from] & 0x20 == 0
    if capitals == letters || capitals == 1 && isFirst { return 0.301 }
    return 0.301 * Double(min(capitals, letters - capitals) + 1)
  }

  static func letters(meantBy byte: UInt8) -> StaticLetters {
    switch byte {
    case UInt8(ascii: "4"), UInt8(ascii: "@"): StaticLetters("a")
    case UInt8(ascii: "8"): StaticLetters("b")
    case UInt8(ascii: "("): StaticLetters("c")
    case UInt8(ascii: "3"): StaticLetters("e")
    case UInt8(ascii: "6"), UInt8(ascii: "9"): StaticLetters("g")
    case UInt8(ascii: "1"), UInt8(ascii: "|"), UInt8(ascii: "!"): StaticLetters("i", "l")
    case UInt8(ascii: "0"): StaticLetters("o")
    case UInt8(ascii: "5"), UInt8(ascii: "$"): StaticLetters("s")
    case UInt8(ascii: "7"), UInt8(ascii: "+"): StaticLetters("t")
    case UInt8(ascii: "2"): StaticLetters("z")
    default: StaticLetters()
    }
  }

  /// A sequence of at most two letters that needs no array.
  struct StaticLetters: Sequence, IteratorProtocol {
    private var first: UInt8?
    private var second: UInt8?

    init(_ first: Unicode.Scalar? = nil, _ second: Unicode.Scalar? = nil) {
      self.first = first.map { UInt8(ascii: $0) }
      self.second = second.map { UInt8(ascii: $0) }
    }

    mutating func next() -> UInt8? {
      defer { (first, second) = (second, nil) }
      return first
    }
  }

  /// Matches a run of letters that reads like a word, and counts the run as one of 20,000 words.
  private mutating func matchLikelyWord(_ index: Int) {
    var likely = 0
    var capitals = Self.isLetter(bytes[index]) && bytes[index] & 0x20 == 0 ? 1 : 0
    for end in index + 1..<max(index + 1, min(count, index + 10)) {
      let byte = bytes[end]
      guard Self.isLetter(byte), Self.isLetter(bytes[index]) else { return }
      if byte & 0x20 == 0 { capitals += 1 }
      if Self.isPair(bytes[end - 1] | 0x20, byte | 0x20) { likely += 1 }
      let length = end - index + 1
      if length >= 4, likely * 10 >= (length - 1) * 7 {
        relax(index, end + 1, 4.301 + capitalCost(index, end + 1, capitals), .likelyWord)
      }
    }
  }

  /// Matches a run of letters of another alphabet with two bytes per letter, such as Cyrillic, Greek,
  /// Hebrew or Arabic. No list has words of these, so that the run counts as one of 20,000 words.
  private mutating func matchForeignWord(_ index: Int) {
    guard (0xC6...0xDF).contains(bytes[index]) else { return }
    var end = index
    while end + 1 < count, end < index + 20, (0xC6...0xDF).contains(bytes[end]) {
      end += 2
      if end - index >= 6 { relax(index, end, 4.301, .likelyWord) }
    }
  }

  // MARK: Runs

  private mutating func matchSequence(_ index: Int) {
    guard index + 2 < count else { return }
    let first = Self.lowered(bytes[index])
    let step = Int(Self.lowered(bytes[index + 1])) - Int(first)
    guard (1...5).contains(abs(step)), Self.isDigit(first) || Self.isLetter(first) else { return }
    let isObvious = [UInt8(ascii: "a"), UInt8(ascii: "z"), 0x30, 0x31, 0x39].contains(first)
    let base = isObvious ? 4.0 : Self.isDigit(first) ? 10 : 26
    var end = index + 1
    while end < count {
      let byte = Self.lowered(bytes[end])
      guard Self.isDigit(byte) == Self.isDigit(first), Self.isLetter(byte) == Self.isLetter(first),
        Int(byte) - Int(Self.lowered(bytes[end - 1])) == step
      else { break }
      end += 1
      if end - index >= 3 {
        let steps = abs(step) == 1 ? 1.0 : 5
        relax(
          index, end, log10(base * Double(end - index) * (step < 0 ? 2 : 1) * steps), .sequence)
      }
    }
  }

  /// The row and column of each key on an English keyboard, with and without Shift.
  static let keys: [(row: Int, column: Int)?] = {
    var table = [(row: Int, column: Int)?](repeating: nil, count: 256)
    let rows = ["1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./"]
    let shifted = ["!@#$%^&*()_+", "QWERTYUIOP{}", "ASDFGHJKL:\"", "ZXCVBNM<>?"]
    for plane in [rows, shifted] {
      for (row, text) in plane.enumerated() {
        for (column, key) in text.utf8.enumerated() { table[Int(key)] = (row, column) }
      }
    }
    return table
  }()

  /// Returns true if a move leads to a neighbouring key. Each row is offset by half a key from the
  /// row above it.
  static func isNeighbour(_ move: (row: Int, column: Int)) -> Bool {
    move == (0, 1) || move == (0, -1) || move == (-1, 0) || move == (-1, 1) || move == (1, 0)
      || move == (1, -1)
  }

  private mutating func matchKeyboard(_ index: Int) {
    guard var key = Self.keys[Int(bytes[index])] else { return }
    var end = index + 1
    var turns = 0.0
    var direction = (0, 0)
    while end < count, let next = Self.keys[Int(bytes[end])] {
      let move = (next.row - key.row, next.column - key.column)
      guard Self.isNeighbour(move) else { return }
      if move != direction { turns += 1 }
      direction = move
      key = next
      end += 1
      if end - index >= 4 {
        relax(index, end, log10(47 * Double(end - index)) + turns * log10(4.6), .keyboard)
      }
    }
  }

  /// Matches text that repeats, once or several times, the text just before it.
  private mutating func matchRepeat(_ index: Int) {
    for period in stride(from: 1, through: min(index, 64), by: 1) {
      var length = 0
      while index + length < count,
        Self.lowered(bytes[index + length]) == Self.lowered(bytes[index + length - period])
      {
        length += 1
        if length % period == 0 {
          let guesses = log10(Double(length / period + 1)) + log10(Double(period))
          // Many words have two equal letters.
          relax(index, index + length, guesses, length >= 2 ? .repeated : .other)
        }
      }
      if index + length == count, length >= period { return }
    }
  }

  // MARK: Dates

  private mutating func matchDate(_ index: Int) {
    func isYear(_ value: Int, _ length: Int) -> Bool {
      length == 2 || (1900...2059).contains(value)
    }
    if let year = number(index, 4) {
      if isYear(year, 4) { relax(index, index + 4, 2.08, .date) }
      // Any of 900 years of history.
      if (1000..<1900).contains(year) { relax(index, index + 4, 2.954, .date) }
    }
    for lengths in Self.dateLengths {
      for separated in [false, true] {
        var from = index
        var values: [Int] = []
        for (place, length) in lengths.enumerated() {
          if separated, place > 0 {
            guard from < count, Self.isSeparator(bytes[from]) else { break }
            from += 1
          }
          guard let value = number(from, length) else { break }
          values.append(value)
          from += length
        }
        guard values.count == 3 else { continue }
        // Without separators, a date is readable only if each part has two digits.
        guard separated || !lengths.contains(1) else { continue }
        let isDayFirst = isYear(values[2], lengths[2]) && Self.isDay(values[0], values[1])
        let isYearFirst = isYear(values[0], lengths[0]) && Self.isDay(values[1], values[2])
        guard isDayFirst && lengths[0] <= 2 || isYearFirst && lengths[2] <= 2 && lengths[0] >= 2
        else { continue }
        relax(index, from, 4.642 + (separated ? 0.602 : 0), .date)
      }
    }
  }

  private static let dateLengths: [[Int]] = [
    [2, 2, 2], [2, 2, 4], [4, 2, 2], [1, 1, 2], [1, 1, 4], [1, 2, 2], [1, 2, 4], [2, 1, 2],
    [2, 1, 4], [4, 1, 1], [4, 1, 2], [4, 2, 1],
  ]

  private static func isSeparator(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: " "), 0x5F].contains(
      byte)
  }

  private static func isDay(_ a: Int, _ b: Int) -> Bool {
    (1...31).contains(a) && (1...12).contains(b) || (1...12).contains(a) && (1...31).contains(b)
  }
}
