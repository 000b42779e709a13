extension ObjectiveCParser {
  /// The extent of a type at the start of a cast or of a declaration.
  struct TypeShape {
    /// The token after the type without its stars.
    var base: Int
    /// The token after the type.
    var end: Int
    /// True if only a type has this form.
    var isSure: Bool
    var isConstant = false
    var isStatic = false
  }

  /// Returns the extent of a type that may begin at this token, or nil if none can.
  func typeShape(at start: Int) -> TypeShape? {
    var at = start
    var shape = TypeShape(base: start, end: start, isSure: false)
    var hasBase = false
    let stop = min(limit, start + Self.lookAhead)
    while at < stop {
      guard kind(at: at) == .word else { break }
      guard let word = Word(rawValue: tokens[at].value) else {
        if hasBase { break }
        hasBase = true
        let name = name(at: at)
        if name.hasSuffix("_t") || name.hasSuffix("Ref") { shape.isSure = true }
        at = pastName(at)
        continue
      }
      if word.isQualifier {
        if word == .const || word == .constexpr { shape.isConstant = true }
        if word == .static { shape.isStatic = true }
        shape.isSure = true
        at += 1
        if word.takesParens, kind(at: at) == .openParen { at = past(at) }
        continue
      }
      if word.isNumeric {
        hasBase = true
        shape.isSure = true
        at += 1
        continue
      }
      if hasBase { break }
      switch word {
      case .struct, .union, .enum:
        guard kind(at: at + 1) == .word else { return nil }
        shape.isSure = true
        hasBase = true
        at = pastName(at + 1)
      case .typeof, .__typeof, .__typeof__, .decltype:
        guard kind(at: at + 1) == .openParen else { return nil }
        shape.isSure = true
        hasBase = true
        at = past(at + 1)
      case .auto, .__auto_type, .id, .Class, .SEL, .IMP, .BOOL, .NSInteger, .NSUInteger, .CGFloat,
        .NSTimeInterval, .instancetype, .void:
        shape.isSure = true
        hasBase = true
        at = pastName(at)
      default:
        guard word.isName else { return nil }
        hasBase = true
        at = pastName(at)
      }
    }
    guard hasBase || shape.isSure, at > start else { return nil }
    shape.base = at
    while at < stop {
      switch kind(at: at) {
      case .star:
        shape.isSure = true
      case .ampersand, .doubleAmpersand:
        guard isCPlusPlus else { return finish(shape, at) }
      case .word:
        guard let word = word(at: at), word.isQualifier else { return finish(shape, at) }
        if word == .const { shape.isConstant = true }
      default: return finish(shape, at)
      }
      at += 1
    }
    return finish(shape, at)
  }

  private func finish(_ shape: TypeShape, _ end: Int) -> TypeShape {
    var shape = shape
    shape.end = end
    return shape
  }

  /// Returns the token after `a`, `a::b` or `a<b *>`.
  private func pastName(_ start: Int) -> Int {
    var at = start + 1
    while at < start + Self.lookAhead {
      if kind(at: at) == .doubleColon, kind(at: at + 1) == .word {
        at += 2
      } else if kind(at: at) == .less, let past = pastAngles(at) {
        at = past
      } else {
        break
      }
    }
    return at
  }

  /// Returns the type between two tokens in the form that the model uses: without words for
  /// constancy, ownership and nullability, and without stars at its end. Returns nil if there is no
  /// type.
  func typeText(_ start: Int, _ end: Int) -> String? {
    let end = min(end, tokens.count)
    var first = -1
    var count = 0
    var at = start
    while at < end {
      if !isNoise(at) {
        if first < 0 { first = at }
        count += 1
      } else if kindBeyondLimit(at + 1) == .openParen, at + 1 < end,
        Word(rawValue: tokens[at].value)?.takesParens == true
      {
        at = pastBeyondLimit(at + 1, end)
        continue
      }
      at += 1
    }
    guard first >= 0 else { return nil }
    if count == 1 { return tokens[first].kind == .word ? name(at: first) : nil }

    var pieces: [(kind: Kind, text: String)] = []
    at = start
    while at < end {
      if isNoise(at) {
        let takesParens = Word(rawValue: tokens[at].value)?.takesParens == true
        at += 1
        if takesParens, at < end, tokens[at].kind == .openParen { at = pastBeyondLimit(at, end) }
        continue
      }
      pieces.append((tokens[at].kind, text(at: at)))
      at += 1
    }
    // This is `FOUNDATION_EXPORT NSString`.
    if pieces.count > 1, pieces[0].kind == .word, pieces[1].kind == .word,
      Self.isMacroName(pieces[0].text)
    {
      pieces.removeFirst()
    }
    while let last = pieces.last,
      last.kind == .star || last.kind == .ampersand || last.kind == .doubleAmpersand
    {
      pieces.removeLast()
    }
    guard !pieces.isEmpty else { return nil }
    var text = ""
    var before: Kind?
    for piece in pieces {
      switch (before, piece.kind) {
      case (nil, _), (_, .less), (_, .greater), (_, .comma), (_, .doubleColon), (.less, _),
        (.doubleColon, _), (_, .closeParen), (_, .openBracket), (.openBracket, _),
        (_, .closeBracket), (.openParen, _), (.star, _),
        (.word, .openParen), (.closeParen, .openParen):
        break
      default: text += " "
      }
      text += piece.text
      before = piece.kind
    }
    return text
  }

  private func kindBeyondLimit(_ at: Int) -> Kind { at < tokens.count ? tokens[at].kind : .end }

  private func pastBeyondLimit(_ at: Int, _ end: Int) -> Int {
    min(end, max(at + 1, Int(tokens[at].value) + 1))
  }

  /// Returns true if the model leaves this token out of a type.
  private func isNoise(_ at: Int) -> Bool {
    guard tokens[at].kind == .word, let word = Word(rawValue: tokens[at].value) else {
      return false
    }
    return word.isQualifier
  }

  /// Returns true for names in capitals: `FOUNDATION_EXPORT`, `NS_INLINE`.
  static func isMacroName(_ name: String) -> Bool {
    var hasUnderscore = false
    var letters = 0
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"): break
      case UInt8(ascii: "_"): hasUnderscore = true
      default: return false
      }
    }
    return hasUnderscore && letters > 1
  }
}

extension ObjectiveCWord {
  /// True if the word can be beside a type.
  var isQualifier: Bool {
    switch self {
    case .static, .extern, .inline, .const, .volatile, .register, .constexpr, .thread_local,
      .mutable, .virtual, .explicit, .typename, .__block, .__weak, .__strong,
      .__unsafe_unretained, .__autoreleasing, .__kindof, .__covariant, .__contravariant,
      .__inline, .__inline__, .__thread, .__const, .__restrict, .restrict, ._Nonnull, ._Nullable,
      ._Null_unspecified, .__nonnull, .__nullable, .nonnull, .nullable, .null_unspecified,
      .null_resettable, .inout, .out, .bycopy, .byref, .oneway, .__unused, ._Noreturn, .__bridge,
      .__bridge_transfer, .__bridge_retained, .__extension__, .__volatile__, .__attribute__,
      .__attribute, .__declspec, .alignas, ._Alignas, .IBOutlet, .IBInspectable,
      .IBOutletCollection, .friend:
      true
    default: false
    }
  }

  /// True if the word takes parentheses that belong to a type.
  var takesParens: Bool {
    switch self {
    case .__attribute__, .__attribute, .__declspec, .alignas, ._Alignas, .IBOutletCollection: true
    default: false
    }
  }

  /// True for the words of types that can have several words.
  var isNumeric: Bool {
    switch self {
    case .char, .short, .int, .long, .float, .double, .signed, .unsigned, .bool, ._Bool,
      .__signed:
      true
    default: false
    }
  }

  /// True if the word may be a name, because the language does not reserve it.
  var isName: Bool {
    switch self {
    case .if, .else, .for, .in, .while, .do, .switch, .case, .default, .return, .break, .continue,
      .goto, .asm, .__asm, .__asm__, .typedef, .self, .super, .nil, .Nil, .NULL, .nullptr, .YES,
      .NO, .true, .false, .TRUE, .FALSE, .sizeof, .alignof, ._Alignof, .__alignof__, .new, .delete,
      .operator, .throw, .this, .static_assert, ._Static_assert:
      false
    default: !isNumeric && !isQualifier
    }
  }
}
