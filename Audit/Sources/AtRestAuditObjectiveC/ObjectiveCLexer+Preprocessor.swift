import AtRestAuditModel

extension ObjectiveCLexer {
  /// The maximum depth at which the branches of nested `#if` are distinguished. With each level, a
  /// branch is read once more.
  private static let deepest = 32

  /// Reads the rest of a line after a `#`.
  mutating func readDirective() {
    let start = tokenStart
    isInDirective = true
    defer {
      skipLine()
      isInDirective = false
    }
    guard let token = scan(), token.kind == .word else { return }
    switch ObjectiveCWord(rawValue: token.value) {
    case .import, .include, .include_next: readImport()
    case .define: readDefine(from: start)
    case .if: beginFrame(conditionText())
    case .ifdef: beginFrame(conditionText())
    case .ifndef: beginFrame(negated(conditionText()))
    case .elif: nextBranch(conditionText())
    case .else: nextBranch(nil)
    case .endif:
      if ignoredFrames > 0 { ignoredFrames -= 1 } else { endFrame() }
    default: break
    }
  }

  private var tokenStart: Int { codeEnd - 1 }

  /// Skips the rest of a directive, in which an apostrophe does not open a character literal.
  private mutating func skipLine() {
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
      switch bytes[position] {
      case UInt8(ascii: "\\"):
        position += 1
        if peek() == UInt8(ascii: "\r") { position += 1 }
        if peek() == UInt8(ascii: "\n") { endLine() }
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLineComment()
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipBlockComment()
      default: position += 1
      }
    }
    isFirstOnLine = true
  }

  private mutating func readImport() {
    while peek() == 0x20 || peek() == 0x09 { position += 1 }
    let close: UInt8
    switch peek() {
    case UInt8(ascii: "<"): close = UInt8(ascii: ">")
    case UInt8(ascii: "\""): close = UInt8(ascii: "\"")
    default:
      if let token = scan(), token.kind == .word { imports.append(names.texts[Int(token.value)]) }
      return
    }
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != close, bytes[position] != UInt8(ascii: "\n") {
      position += 1
    }
    imports.append(String(decoding: bytes[start..<position], as: UTF8.self))
    if peek() == close { position += 1 }
    codeEnd = position
  }

  private mutating func readDefine(from start: Int) {
    guard let name = scan(), name.kind == .word else { return }
    if let last = frames.indices.last, frames[last].isUntouched(tokens.count),
      frames[last].condition == "!" + names.texts[Int(name.value)], ignoredFrames == 0
    {
      // This is a header guard.
      frames[last].condition = nil
      conditionChanged()
    }
    var parameters: [ObjectiveCToken]?
    if peek() == UInt8(ascii: "("), position == Int(name.end) {
      _ = scan()
      var found: [ObjectiveCToken] = []
      while let token = scan(), token.kind != .closeParen {
        if token.kind == .word || token.kind == .ellipsis { found.append(token) }
      }
      parameters = found
    }
    var body: [ObjectiveCToken] = []
    while let token = scan() {
      // `#x` and `a##b` are read without their operators.
      if token.kind != .hash { body.append(token) }
    }
    if body.isEmpty || parameters != nil && doesNothing(body) {
      emptyMacros.append(
        EmptyMacro(name: names.texts[Int(name.value)], condition: presentCondition))
    }
    guard !body.isEmpty else { return }
    macros.append(
      ObjectiveCMacro(
        name: name.value, parameters: parameters, tokens: body, nameOffset: name.start,
        range: Int32(start)..<Int32(codeEnd), condition: presentCondition))
  }

  /// Returns true for a body that does nothing: `do {} while (0)`, `(void)0`, `{}`.
  private func doesNothing(_ body: [ObjectiveCToken]) -> Bool {
    guard body.count < 10, let first = body.first, let last = body.last else { return false }
    let text = bytes[Int(first.start)..<Int(last.end)].filter { $0 > 0x20 }
    return ["do{}while(0)", "do{}while(0);", "(void)0", "((void)0)", "(void)0;", "{}", ";"]
      .contains(String(decoding: text, as: UTF8.self))
  }

  // MARK: - Conditions

  /// Returns the rest of the line with each run of blanks as one. `defined(X)` becomes `X`.
  private mutating func conditionText() -> String {
    var text = ""
    var end: Int32 = -1
    var isDefined = 0
    while let token = scan() {
      if token.kind == .word, token.value == ObjectiveCWord.defined.rawValue {
        isDefined = 1
        if end >= 0, token.start > end { text += " " }
        end = -1
        continue
      }
      if isDefined == 1, token.kind == .openParen {
        isDefined = 2
        continue
      }
      if isDefined == 2, token.kind == .closeParen {
        isDefined = 0
        end = token.end
        continue
      }
      if isDefined == 1 { isDefined = 0 }
      if end >= 0, token.start > end { text += " " }
      text += String(decoding: bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
      end = token.end
    }
    return text
  }

  private func negated(_ condition: String) -> String {
    condition.utf8.allSatisfy(\.isWordOfCondition)
      ? "!" + condition
      : condition.hasPrefix("!") && condition.utf8.dropFirst().allSatisfy(\.isWordOfCondition)
        ? String(condition.dropFirst()) : "!(" + condition + ")"
  }

  private static func isNever(_ condition: String) -> Bool {
    condition == "0" || condition == "NO" || condition == "FALSE" || condition == "false"
  }

  private static func isAlways(_ condition: String) -> Bool {
    condition == "1" || condition == "YES" || condition == "TRUE" || condition == "true"
  }

  private mutating func beginFrame(_ condition: String) {
    guard frames.count < Self.deepest else {
      ignoredFrames += 1
      return
    }
    frames.append(ObjectiveCConditionFrame(start: tokens.count, braceDepth: braceDepth))
    beginBranch(condition)
  }

  private mutating func beginBranch(_ condition: String?) {
    let last = frames.count - 1
    let isNever = frames[last].isDecided || condition.map(Self.isNever) == true
    let before = frames[last].conditionsBefore.map(negated)
    if let condition, !condition.isEmpty {
      let isAlways = Self.isAlways(condition)
      if isAlways, !isNever { frames[last].isDecided = true }
      frames[last].condition = isAlways || isNever ? nil : condition
      if !isAlways, !isNever { frames[last].conditionsBefore.append(condition) }
    } else {
      frames[last].condition = before.isEmpty ? nil : before.joined(separator: " && ")
    }
    frames[last].start = tokens.count
    conditionChanged()
    if isNever { skipBranch() }
  }

  private mutating func nextBranch(_ condition: String?) {
    guard ignoredFrames == 0, !frames.isEmpty else { return }
    endBranch()
    beginBranch(condition)
  }

  /// Skips a branch that is never compiled, up to the line that ends the branch.
  private mutating func skipBranch() {
    var depth = 0
    skipLine()
    while position < bytes.count {
      endLine()
      while peek() == 0x20 || peek() == 0x09 { position += 1 }
      if peek() == UInt8(ascii: "#") {
        let line = position
        position += 1
        while peek() == 0x20 || peek() == 0x09 { position += 1 }
        switch ObjectiveCWord(rawValue: name()) {
        case .if, .ifdef, .ifndef: depth += 1
        case .endif where depth > 0: depth -= 1
        case .endif, .else, .elif:
          if depth == 0 {
            // The cursor moves before the newline, which the caller reads as the end of its own
            // line.
            position = line
            while position > 0, bytes[position - 1] != UInt8(ascii: "\n") { position -= 1 }
            position = max(0, position - 1)
            return
          }
        default: break
        }
      }
      while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    }
  }

  private mutating func endBranch() {
    let last = frames.count - 1
    let frame = frames[last]
    let range = frame.start..<tokens.count
    guard !range.isEmpty else { return }
    let unmatched = unmatchedBrackets(in: range)
    if !unmatched.isEmpty {
      if !frame.branches.isEmpty, !frame.isBalanced {
        leaveOutAlternative(range, unmatched, isInFunction: frame.braceDepth > 0)
        return
      }
      frames[last].isBalanced = false
    }
    frames[last].branches.append(.init(condition: frame.condition, tokens: range))
  }

  /// Handles two branches that each open a brace when only one closing brace follows. Within a
  /// function, the second branch is kept without its unmatched brackets. Elsewhere the second
  /// branch is removed, because it would become part of the body that the first branch opens.
  private mutating func leaveOutAlternative(
    _ range: Range<Int>, _ unmatched: [Int], isInFunction: Bool
  ) {
    while let last = groups.last, last.end > range.lowerBound { groups.removeLast() }
    while let last = conditions.last, last.token > range.lowerBound { conditions.removeLast() }
    if isInFunction {
      var rest: [ObjectiveCToken] = []
      var next = unmatched[...]
      for index in range {
        if index == next.first { next.removeFirst() } else { rest.append(tokens[index]) }
      }
      tokens.replaceSubrange(range, with: rest)
    } else {
      // Nothing is lost if the second branch is the same method with other types.
      if unmatched != [range.upperBound - 1] {
        skipped.append(
          (tokens[range.lowerBound].start, "The alternative under #else was left out."))
      }
      tokens.removeSubrange(range)
    }
    // The depth after the group is the depth after its first branch.
    guard let frame = frames.last, let first = frame.branches.first else { return }
    braceDepth = frame.braceDepth
    for token in tokens[first.tokens] {
      if token.kind == .openBrace { braceDepth += 1 }
      if token.kind == .closeBrace { braceDepth = max(0, braceDepth - 1) }
    }
  }

  mutating func endFrame() {
    guard !frames.isEmpty else { return }
    endBranch()
    let frame = frames.removeLast()
    if let first = frame.branches.first {
      groups.append(
        ObjectiveCConditionGroup(
          branches: frame.branches, isBalanced: frame.isBalanced, end: tokens.count))
      tokens[first.tokens.lowerBound].startsCondition = true
    }
    conditionChanged()
  }

  private mutating func conditionChanged() {
    if conditions.last?.token == tokens.count { conditions.removeLast() }
    conditions.append((tokens.count, presentCondition))
  }

  private var presentCondition: String? {
    let all = frames.compactMap(\.condition)
    guard all.count > 1 else { return all.first }
    return all.map { $0.contains("||") ? "(\($0))" : $0 }.joined(separator: " && ")
  }

  private func unmatchedBrackets(in range: Range<Int>) -> [Int] {
    var open: [Int] = []
    var unmatched: [Int] = []
    for index in range {
      switch tokens[index].kind {
      case .openParen, .openBracket, .openBrace: open.append(index)
      case .closeParen, .closeBracket, .closeBrace:
        if let last = open.last, tokens[last].kind.closing == tokens[index].kind {
          open.removeLast()
        } else {
          unmatched.append(index)
        }
      default: break
      }
    }
    return open.isEmpty ? unmatched : (unmatched + open).sorted()
  }
}

extension UInt8 {
  fileprivate var isWordOfCondition: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
