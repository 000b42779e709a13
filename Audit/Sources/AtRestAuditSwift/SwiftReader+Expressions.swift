import AtRestAuditModel
import SwiftSyntax

/// Reads an expression of Swift.
func expression(_ node: ExprSyntax) -> Expression {
  switch node.as(ExprSyntaxEnum.self) {
  case .declReferenceExpr(let inner):
    return Expression(.name(inner.baseName.plainText), range(node))
  case .memberAccessExpr(let inner):
    let name = inner.declName.baseName.plainText
    // `Int.self` and `x.self` are read as `Int` and `x`.
    if name == "self", let base = inner.base { return expression(base) }
    return Expression(.member(inner.base.map(expression), name), range(node))
  case .functionCallExpr(let inner): return call(inner)
  case .subscriptCallExpr(let inner):
    return Expression(
      .index(expression(inner.calledExpression), inner.arguments.map(argument)), range(node))
  case .stringLiteralExpr(let inner): return Expression(.string(pieces(inner)), range(node))
  case .simpleStringLiteralExpr(let inner):
    return Expression(
      .string(inner.segments.map { .text($0.content.text) }), range(node))
  case .integerLiteralExpr(let inner):
    return Expression(.number(inner.literal.text), range(node))
  case .floatLiteralExpr(let inner):
    return Expression(.number(inner.literal.text), range(node))
  case .booleanLiteralExpr(let inner):
    return Expression(.boolean(inner.literal.tokenKind == .keyword(.true)), range(node))
  case .nilLiteralExpr: return Expression(.null, range(node))
  case .arrayExpr(let inner):
    return Expression(.array(inner.elements.map { expression($0.expression) }), range(node))
  case .dictionaryExpr(let inner):
    guard case .elements(let list) = inner.content else {
      return Expression(.dictionary([]), range(node))
    }
    return Expression(
      .dictionary(list.map { Pair(expression($0.key), expression($0.value)) }), range(node))
  case .tupleExpr(let inner):
    if let only = inner.elements.first, inner.elements.count == 1, only.label == nil {
      return expression(only.expression)
    }
    return Expression(.tuple(inner.elements.map(argument)), range(node))
  case .closureExpr(let inner): return Expression(.closure(closure(inner)), range(node))
  case .sequenceExpr(let inner): return SequenceFolder.fold(inner)
  case .prefixOperatorExpr(let inner):
    let operand = expression(inner.expression)
    let text = inner.operator.text
    if text == "-", case .number(let digits) = operand.kind {
      return Expression(.number("-" + digits), range(node))
    }
    return Expression(.prefix(operator: text, operand), range(node))
  case .inOutExpr(let inner):
    return Expression(.prefix(operator: "&", expression(inner.expression)), range(node))
  case .postfixOperatorExpr(let inner): return expression(inner.expression)
  case .forceUnwrapExpr(let inner): return expression(inner.expression)
  case .optionalChainingExpr(let inner): return expression(inner.expression)
  case .tryExpr(let inner): return expression(inner.expression)
  case .awaitExpr(let inner): return expression(inner.expression)
  case .unsafeExpr(let inner): return expression(inner.expression)
  case .borrowExpr(let inner): return expression(inner.expression)
  case .consumeExpr(let inner): return expression(inner.expression)
  case .copyExpr(let inner): return expression(inner.expression)
  case .genericSpecializationExpr(let inner): return expression(inner.expression)
  case .asExpr(let inner):
    return Expression(.cast(expression(inner.expression), type: typeText(inner.type)), range(node))
  case .isExpr(let inner):
    return Expression(.cast(expression(inner.expression), type: typeText(inner.type)), range(node))
  case .infixOperatorExpr(let inner):
    return Expression(
      .binary(
        expression(inner.leftOperand), operator: written(inner.operator),
        expression(inner.rightOperand)), range(node))
  case .ternaryExpr(let inner):
    return Expression(
      .choice(
        expression(inner.condition),
        [expression(inner.thenExpression), expression(inner.elseExpression)]), range(node))
  case .superExpr: return Expression(.name("super"), range(node))
  case .typeExpr(let inner): return Expression(.name(typeText(inner.type)), range(node))
  case .discardAssignmentExpr: return Expression(.name("_"), range(node))
  case .macroExpansionExpr(let inner):
    var arguments = inner.arguments.map(argument)
    if let trailing = inner.trailingClosure {
      arguments.append(
        Argument(nil, Expression(.closure(closure(trailing)), range(trailing))))
    }
    let name = Expression(.name("#" + inner.macroName.text), range(inner.macroName))
    return arguments.isEmpty && inner.leftParen == nil
      ? Expression(.name("#" + inner.macroName.text), range(node))
      : Expression(.call(name, arguments), range(node))
  case .ifExpr(let inner):
    return Expression(
      .choice(
        Expression(.other([]), range(inner.conditions)), values(StatementReader.branch(inner))),
      range(node))
  case .switchExpr(let inner):
    return Expression(
      .choice(expression(inner.subject), values(StatementReader.selection(inner))), range(node))
  case .postfixIfConfigExpr(let inner):
    return inner.base.map(expression) ?? Expression(.other([]), range(node))
  case .keyPathExpr(let inner): return keyPath(inner)
  case .packElementExpr(let inner): return expression(inner.pack)
  case .packExpansionExpr(let inner): return expression(inner.repetitionPattern)
  default: return Expression(.other([]), range(node))
  }
}

func argument(_ node: LabeledExprSyntax) -> Argument {
  Argument(node.label?.plainText, expression(node.expression))
}

private func call(_ node: FunctionCallExprSyntax) -> Expression {
  var arguments = node.arguments.map(argument)
  if let trailing = node.trailingClosure {
    arguments.append(Argument(nil, Expression(.closure(closure(trailing)), range(trailing))))
  }
  for trailing in node.additionalTrailingClosures {
    arguments.append(
      Argument(
        trailing.label.plainText,
        Expression(.closure(closure(trailing.closure)), range(trailing.closure))))
  }
  return Expression(.call(expression(node.calledExpression), arguments), range(node))
}

private func closure(_ node: ClosureExprSyntax) -> Closure {
  let parameters: [String] =
    switch node.signature?.parameterClause {
    case .simpleInput(let list): list.map(\.name.plainText)
    case .parameterClause(let clause):
      clause.parameters.map { ($0.secondName ?? $0.firstName).plainText }
    case nil: []
    }
  return Closure(parameters: parameters, body: StatementReader.block(node.statements))
}

/// Reads a key path as the closure that it stands for: `\.user.name` as `{ $0.user.name }`.
private func keyPath(_ node: KeyPathExprSyntax) -> Expression {
  var value = Expression(.name("$0"), range(node))
  for part in node.components {
    switch part.component {
    case .property(let property):
      let name = property.declName.baseName.plainText
      if name != "self" { value = Expression(.member(value, name), range(node)) }
    case .subscript(let inner):
      value = Expression(.index(value, inner.arguments.map(argument)), range(node))
    default: break
    }
  }
  return Expression(
    .closure(Closure(parameters: [], body: Block([.expression(value)]))), range(node))
}

private func pieces(_ node: StringLiteralExprSyntax) -> [StringPiece] {
  var pieces: [StringPiece] = []
  var text = ""
  for segment in node.segments {
    switch segment {
    case .stringSegment(let segment): text += segment.content.text
    case .expressionSegment(let segment):
      if !text.isEmpty { pieces.append(.text(plain(text))) }
      text = ""
      pieces.append(.value(segment.expressions.map(argument)))
    }
  }
  if !text.isEmpty { pieces.append(.text(plain(text))) }
  return pieces

  func plain(_ text: String) -> String {
    node.openingPounds == nil && text.utf8.contains(0x5C) ? unescaped(text) : text
  }
}

/// Resolves the escapes of a string. An unknown escape becomes the character after its backslash.
func unescaped(_ text: String) -> String {
  var result = ""
  var rest = text.unicodeScalars[...]
  while let scalar = rest.popFirst() {
    guard scalar == "\\", let next = rest.popFirst() else {
      result.unicodeScalars.append(scalar)
      continue
    }
    switch next {
    case "n": result += "\n"
    case "t": result += "\t"
    case "r": result += "\r"
    case "0": result += "\0"
    case "u" where rest.first == "{":
      let digits = rest.dropFirst().prefix { $0 != "}" }
      if let value = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(value) {
        result.unicodeScalars.append(scalar)
      }
      rest = rest.dropFirst(digits.count + 2)
    case "\n": rest = rest.drop { $0 == " " || $0 == "\t" }
    default: result.unicodeScalars.append(next)
    }
  }
  return result
}

/// Returns the values that an `if` or `switch` may have: the last expression of each branch.
private func values(_ statement: Statement) -> [Expression] {
  func last(_ block: Block) -> [Expression] {
    switch block.statements.last {
    case .expression(let value): [value]
    case .some(let statement): values(statement)
    case nil: []
    }
  }
  switch statement {
  case .branch(_, let first, let otherwise): return last(first) + (otherwise.map(last) ?? [])
  case .selection(_, let cases): return cases.flatMap { last($0.body) }
  default: return []
  }
}

/// Folds operands and operators by the precedence that the standard library declares.
///
/// The folder of swift-syntax makes new nodes, which have lost their places in the file. Operators
/// that a project declares fold like a function call, as those do that declare no precedence.
private struct SequenceFolder {
  /// The maximum number of operands and operators that are folded. A longer sequence is a table, of
  /// which only the values matter.
  private static let longest = 400

  private let elements: [ExprSyntax]
  private var next = 0

  static func fold(_ node: SequenceExprSyntax) -> Expression {
    let elements = Array(node.elements)
    guard elements.count <= longest else {
      return Expression(.other(elements.map(expression)), range(node))
    }
    var folder = SequenceFolder(elements: elements)
    return folder.fold(.assignment)
  }

  private init(elements: [ExprSyntax]) { self.elements = elements }

  /// Folds the operators that bind at least as tightly as a precedence.
  private mutating func fold(_ lowest: Precedence) -> Expression {
    guard next < elements.count else { return Expression(.other([]), 0..<0) }
    var result = expression(elements[next])
    next += 1
    while next + 1 < elements.count {
      let sign = elements[next]
      let precedence = Precedence(sign)
      guard precedence >= lowest else { return result }
      next += 1
      switch precedence {
      case .assignment:
        let value = fold(precedence)
        result = Expression(
          .assignment(result, operator: written(sign), value), reach(result, value))
      case .ternary:
        let middle = sign.cast(UnresolvedTernaryExprSyntax.self).thenExpression
        let otherwise = fold(precedence)
        result = Expression(
          .choice(result, [expression(middle), otherwise]), reach(result, otherwise))
      case .cast:
        let type = elements[next]
        next += 1
        result = Expression(
          .cast(
            result, type: type.as(TypeExprSyntax.self).map { typeText($0.type) } ?? written(type)),
          result.range.lowerBound..<max(result.range.upperBound, range(type).upperBound))
      default:
        let operand = fold(precedence.ofRightOperand)
        result = Expression(
          .binary(result, operator: written(sign), operand), reach(result, operand))
      }
    }
    return result
  }

  private func reach(_ left: Expression, _ right: Expression) -> Range<Int32> {
    left.range.lowerBound..<max(left.range.upperBound, right.range.upperBound)
  }

  /// The precedence groups of the standard library, from the loosest to the tightest.
  private enum Precedence: Int, Comparable {
    case assignment, ternary, none, disjunction, conjunction, comparison, coalescing, cast, range
    case addition, multiplication, shift

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    init(_ sign: ExprSyntax) {
      switch sign.kind {
      case .assignmentExpr: self = .assignment
      case .unresolvedTernaryExpr: self = .ternary
      case .unresolvedAsExpr, .unresolvedIsExpr: self = .cast
      default:
        let text = sign.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
        self =
          Self.operators[text] ?? (text.hasSuffix("=") && text.count > 1 ? .assignment : .none)
      }
    }

    /// The loosest operators that belong to the right operand: `??` associates to the right, and
    /// nothing binds tighter than a shift.
    var ofRightOperand: Self {
      self == .coalescing || self == .shift ? self : Self(rawValue: rawValue + 1) ?? .shift
    }

    private static let operators: [String: Self] = {
      var table: [String: Self] = ["||": .disjunction, "&&": .conjunction, "??": .coalescing]
      for sign in ["==", "!=", "<", "<=", ">", ">=", "===", "!==", "~=", ".==", ".!="] {
        table[sign] = .comparison
      }
      for sign in ["...", "..<"] { table[sign] = .range }
      for sign in ["+", "-", "&+", "&-", "|", "^"] { table[sign] = .addition }
      for sign in ["*", "/", "%", "&*", "&/", "&%", "&"] { table[sign] = .multiplication }
      for sign in ["<<", ">>", "&<<", "&>>"] { table[sign] = .shift }
      return table
    }()
  }
}
