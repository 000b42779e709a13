/// The names that a file of code mentions, in code and in strings, with their places.
///
/// The words come from the text, and not from the parsed code, which leaves out types in patterns, generic
/// arguments and type aliases. Only their hashes are kept. Two names with one hash count as one, so that at
/// worst a name seems to be mentioned.
package struct CodeWords: Sendable {
  package struct Word: Sendable {
    /// The offset in the text, in UTF-8 bytes.
    package let offset: Int32
    package let hash: UInt32
  }

  /// The words in their order in the text.
  package fileprivate(set) var words: [Word] = []
  /// The words in strings of a file that looks up types by name while it runs: the parts of such names.
  package fileprivate(set) var parts: [String] = []
  /// The words in strings of a file that asks for scenes by name: the parts of such names.
  package fileprivate(set) var sceneParts: [String] = []

  /// Creates a value without words.
  package init() {}

  /// Collects the words of a file. Comments, imports, forward declarations and previews are left out.
  package init(_ text: UnsafeBufferPointer<UInt8>, language: SourceFile.Language) {
    var scanner = CodeWordScanner(text, language)
    scanner.run()
    self = scanner.found
    if !scanner.looksUpTypes { parts = [] }
    if !scanner.looksUpScenes { sceneParts = [] }
  }

  /// Returns the hashes of all words of a text that is not code.
  package static func hashes(in text: UnsafeBufferPointer<UInt8>) -> Set<UInt32> {
    Set(text.split { !CodeWordScanner.isTail($0) }.map { hash($0) })
  }

  /// Returns the hash of a name (FNV-1a).
  package static func hash(_ name: some Sequence<UInt8>) -> UInt32 {
    name.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  package static func hash(_ name: String) -> UInt32 { hash(name.utf8) }

  /// Leaves out the words in some ranges.
  package mutating func leaveOut(_ ranges: [Range<Int32>]) {
    guard !ranges.isEmpty else { return }
    words.removeAll { word in ranges.contains { $0.contains(word.offset) } }
  }
}

/// Splits code into words. It knows comments, strings and brackets, and nothing else of the languages.
private struct CodeWordScanner {
  private let text: UnsafeBufferPointer<UInt8>
  private let isSwift: Bool
  private var index = 0
  /// The number of enclosing regions whose words are left out.
  private var muted = 0
  var found = CodeWords()
  var looksUpTypes = false
  var looksUpScenes = false
  /// Up to here, quotation marks and slashes do not hide words: they can be those of a regular expression.
  private var bareEnd = 0
  /// Up to here, not even three quotation marks at the end of a line begin a string.
  private var barestEnd = 0

  /// The depth of interpolations within interpolations that is followed.
  private static let deepest = 20
  /// The longest string that can be the name of a type or of a function.
  private static let longest = 120

  init(_ text: UnsafeBufferPointer<UInt8>, _ language: SourceFile.Language) {
    self.text = text
    isSwift = language == .swift
    found.words.reserveCapacity(text.count / 16)
  }

  mutating func run() { while index < text.count { code(depth: 0, closing: nil) } }

  private func byte(_ offset: Int) -> UInt8 {
    index + offset < text.count ? text[index + offset] : 0
  }

  private static func isHead(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
    default: false
    }
  }

  static func isTail(_ byte: UInt8) -> Bool { isHead(byte) || 0x30...0x39 ~= byte }

  /// Reads code up to the end of the text, or past the closing bracket that belongs to the caller.
  private mutating func code(depth: Int, closing: UInt8?) {
    var open = 0
    while index < text.count {
      let next = text[index]
      switch next {
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/") && index >= bareEnd: toNewline()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): blockComment()
      case UInt8(ascii: "/") where isSwift && index >= bareEnd && beginsExpression(): bareLine()
      case UInt8(ascii: "\"") where mayBeString(): string(pounds: 0, depth: depth)
      case UInt8(ascii: "'") where !isSwift: character()
      case UInt8(ascii: "#"): pound(depth: depth)
      case UInt8(ascii: "@") where !isSwift: declaration()
      case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["):
        open += 1
        index += 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"):
        index += 1
        if open == 0, closing == next { return }
        open = max(0, open - 1)
      case 0x30...0x39:
        while index < text.count, Self.isTail(text[index]) { index += 1 }
      case _ where Self.isHead(next): word()
      default: index += 1
      }
    }
  }

  private mutating func toNewline() {
    while index < text.count, text[index] != 0x0A, text[index] != 0x0D { index += 1 }
  }

  /// Returns true for a slash that can begin a regular expression: after a space or an opening bracket, and
  /// before something else.
  private func beginsExpression() -> Bool {
    guard ![0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "=")].contains(byte(1)) else { return false }
    return index == 0 || " \t\n\r([{,:=;!&|?".utf8.contains(text[index - 1])
  }

  /// Counts all words up to the end of the line, whatever is around them.
  private mutating func bareLine() {
    let start = index
    toNewline()
    bareEnd = index
    index = start + 1
  }

  private mutating func blockComment() {
    var depth = 0
    repeat {
      if byte(0) == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*"), isSwift || depth == 0 {
        depth += 1
        index += 2
      } else if byte(0) == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        index += 2
      } else {
        index += 1
      }
    } while depth > 0 && index < text.count
  }

  // MARK: Words

  private static let lookups = Set(
    ["NSClassFromString", "objc_getClass", "objc_lookUpClass", "classNamed"].map {
      CodeWords.hash($0)
    })
  private static let sceneLookups = Set(
    [
      "instantiateViewController", "instantiateViewControllerWithIdentifier", "withIdentifier",
      "instantiateController", "instantiateControllerWithIdentifier", "performSegue",
      "performSegueWithIdentifier", "UIStoryboard", "NSStoryboard", "storyboardWithName", "UINib",
      "NSNib", "nibWithNibName", "nibName", "initWithNibName", "loadNibNamed",
    ].map { CodeWords.hash($0) })
  private static let importing = CodeWords.hash("import")
  /// Words that are the name of nothing.
  private static let keywords = Set(
    [
      "let", "var", "func", "return", "if", "else", "self", "in", "for", "guard", "case", "static",
      "private", "class", "struct", "enum", "nil", "true", "false", "switch", "try", "is", "as",
      "override", "public", "where", "some", "any", "id", "int", "void", "YES", "NO", "nonatomic",
      "strong", "weak", "property", "String", "Int", "Bool", "NSString", "super", "extension",
    ].map { CodeWords.hash($0) })

  private mutating func word() {
    let start = index
    var hash: UInt32 = 2_166_136_261
    while index < text.count, Self.isTail(text[index]) {
      hash = (hash ^ UInt32(text[index])) &* 16_777_619
      index += 1
    }
    if isSwift, hash == Self.importing, beginsLine(start) {
      module()
      return
    }
    if Self.lookups.contains(hash) { looksUpTypes = true }
    if Self.sceneLookups.contains(hash) { looksUpScenes = true }
    add(hash, at: start)
    if text[start..<index].contains(where: { $0 >= 0x80 }) { addParts(start..<index) }
  }

  /// Adds the ASCII parts of a word, between which there can be operators: `a∘b`.
  private mutating func addParts(_ range: Range<Int>) {
    for part in text[range].split(whereSeparator: { $0 >= 0x80 }) {
      add(CodeWords.hash(part), at: part.startIndex)
    }
  }

  /// Returns true if nothing but attributes and a modifier is before a word on its line.
  private func beginsLine(_ start: Int) -> Bool {
    let line = text[..<start].suffix(200).split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A || $0 == 0x0D || $0 == 0x3B })
    let before = (line.last ?? text[..<0]).drop { $0 == 0x20 || $0 == 0x09 }
    guard let last = before.last else { return true }
    guard last == 0x20 || last == 0x09 else { return false }
    return before.first == UInt8(ascii: "@")
      || ["public ", "package ", "internal ", "fileprivate ", "private "].contains {
        before.elementsEqual($0.utf8)
      }
  }

  private static let importable: [String] = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
  ]

  /// Skips the name of a module after `import`: `Foundation`, `struct App.Login`.
  private mutating func module() {
    func skipSpaces() { while byte(0) == 0x20 || byte(0) == 0x09 { index += 1 } }
    func skipPath() -> Range<Int> {
      let start = index
      while index < text.count, Self.isTail(text[index]) || text[index] == UInt8(ascii: ".") {
        index += 1
      }
      return start..<index
    }
    skipSpaces()
    let first = skipPath()
    guard Self.importable.contains(where: { text[first].elementsEqual($0.utf8) }) else { return }
    skipSpaces()
    _ = skipPath()
  }

  private mutating func add(_ hash: UInt32, at offset: Int) {
    guard muted == 0, !Self.keywords.contains(hash) else { return }
    found.words.append(.init(offset: Int32(clamping: offset), hash: hash))
  }

  /// Adds the name that a whole string is: `Login`, `App.Login`, `show:animated:`.
  private mutating func add(string range: Range<Int>) {
    guard muted == 0, !range.isEmpty, range.count <= Self.longest else { return }
    let bytes = text[range]
    guard
      bytes.allSatisfy({
        Self.isTail($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":")
          || $0 == UInt8(ascii: "-")
      })
    else { return }
    let selector = bytes.prefix { $0 != UInt8(ascii: ":") }
    guard let name = selector.split(separator: UInt8(ascii: ".")).last else { return }
    add(CodeWords.hash(name), at: range.lowerBound)
  }

  /// Keeps a part of a string that can be a part of the name of a type or a scene.
  private mutating func add(part range: Range<Int>) {
    guard (2...Self.longest).contains(range.count) else { return }
    let part = String(decoding: text[range], as: UTF8.self)
    found.sceneParts.append(part)
    if range.count > 2, text[range].allSatisfy(Self.isTail) { found.parts.append(part) }
  }

  // MARK: Strings

  private mutating func character() {
    let start = index
    index += 1
    while index < text.count, text[index] != UInt8(ascii: "'"), text[index] != 0x0A {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    // An apostrophe in the text of a message for the preprocessor.
    index = index < text.count && text[index] == UInt8(ascii: "'") ? index + 1 : start + 1
  }

  /// Returns true for three quotation marks at the end of a line, which begin a string of several lines.
  private func isLongStart() -> Bool {
    guard isSwift, byte(1) == UInt8(ascii: "\""), byte(2) == UInt8(ascii: "\"") else {
      return false
    }
    let next = text[index...].dropFirst(3).first { $0 != 0x20 && $0 != 0x09 }
    return next == 0x0A || next == 0x0D
  }

  private func mayBeString() -> Bool { index >= bareEnd || index >= barestEnd && isLongStart() }

  /// Reads a string from its quotation mark. What does not end as a string is read again as code.
  private mutating func string(pounds: Int, depth: Int) {
    let isLong = isLongStart()
    let known = found.words.count
    index += isLong ? 3 : 1
    let start = index
    var part = index
    var isWhole = true
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\"") where isEnd(isLong, pounds):
        add(part: part..<index)
        if isWhole { add(string: start..<index) }
        index += (isLong ? 3 : 1) + pounds
        return
      case UInt8(ascii: "\\") where isEscape(pounds):
        isWhole = false
        index += 1 + pounds
        if isSwift, byte(0) == UInt8(ascii: "("), depth < Self.deepest {
          add(part: part..<(index - 1 - pounds))
          index += 1
          code(depth: depth + 1, closing: UInt8(ascii: ")"))
          part = index
        } else {
          index += 1
        }
      case UInt8(ascii: "%"):
        // `%@Controller`, `%02ldController`
        isWhole = false
        add(part: part..<index)
        index += 1
        while " #+-.0123456789hlqLzjt$".utf8.contains(byte(0)) { index += 1 }
        if byte(0) != UInt8(ascii: "\""), byte(0) != 0x0A { index += 1 }
        part = index
      case 0x0A where !isLong:
        readAgain(from: start, words: known)
        return
      default: index += 1
      }
    }
    barestEnd = text.count
    readAgain(from: start, words: known)
  }

  /// Goes back to the beginning of what is no string, and forgets the words from there on.
  private mutating func readAgain(from start: Int, words: Int) {
    found.words.removeSubrange(words...)
    bareEnd = max(bareEnd, index)
    index = start
  }

  private func isEnd(_ isLong: Bool, _ pounds: Int) -> Bool {
    let quotes = isLong ? 3 : 1
    return (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") }
      && (0..<pounds).allSatisfy { byte(quotes + $0) == UInt8(ascii: "#") }
  }

  private func isEscape(_ pounds: Int) -> Bool {
    (0..<pounds).allSatisfy { byte(1 + $0) == UInt8(ascii: "#") }
  }

  // MARK: Directives

  /// Reads `#"…"#`, `#Preview { … }`, `#selector(…)` or a directive of the preprocessor.
  private mutating func pound(depth: Int) {
    var pounds = 1
    while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
    if isSwift, byte(pounds) == UInt8(ascii: "\""), index >= bareEnd {
      index += pounds
      string(pounds: pounds, depth: depth)
      return
    }
    if isSwift, byte(pounds) == UInt8(ascii: "/") { bareLine() }
    index += pounds
    let rest = text[index...]
    if isSwift, rest.starts(with: "Preview".utf8), !Self.isTail(byte(7)) {
      index += 7
      skipPreview(depth: depth)
    } else if !isSwift,
      ["import", "include"].contains(where: { rest.starts(with: $0.utf8) })
    {
      toNewline()
    }
  }

  /// Skips `("Title") { … }`.
  private mutating func skipPreview(depth: Int) {
    muted += 1
    defer { muted -= 1 }
    for (open, close) in [(UInt8(ascii: "("), UInt8(ascii: ")")), (0x7B, 0x7D)] {
      while [0x20, 0x09, 0x0A, 0x0D].contains(byte(0)), index < text.count { index += 1 }
      guard byte(0) == open else { continue }
      index += 1
      code(depth: depth + 1, closing: close)
    }
  }

  /// Skips `@class A, B;` and `@protocol A;`, which declare what is elsewhere.
  private mutating func declaration() {
    index += 1
    let rest = text[index...].prefix(2_000)
    guard ["class ", "protocol "].contains(where: { rest.starts(with: $0.utf8) }),
      let end = rest.firstIndex(where: {
        !(Self.isTail($0) || [0x20, 0x2C, 0x0A, 0x0D].contains($0))
      }),
      text[end] == UInt8(ascii: ";")
    else { return }
    index = end
  }
}
