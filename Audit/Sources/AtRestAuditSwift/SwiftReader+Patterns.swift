import AtRestAuditModel
import SwiftSyntax

/// A name that a pattern binds.
struct BoundName {
  let name: String
  let offset: Int32
  let pieces: [Piece]

  /// Returns the type of the name if the whole pattern has a type as written: `Int` for `b` in
  /// `let (a, b): (String, Int)`.
  func type(in whole: TypeSyntax) -> String? {
    var type = whole
    for piece in pieces {
      guard case .element(let index) = piece,
        let elements = type.as(TupleTypeSyntax.self)?.elements, index < elements.count
      else { return nil }
      type = elements[elements.index(elements.startIndex, offsetBy: index)].type
    }
    return typeText(type)
  }
}

/// Returns the names that a pattern binds.
func names(in pattern: PatternSyntax, _ pieces: [Piece] = []) -> [BoundName] {
  switch pattern.kind {
  case .identifierPattern:
    let name = pattern.cast(IdentifierPatternSyntax.self).identifier
    return [BoundName(name: name.plainText, offset: offset(name), pieces: pieces)]
  case .tuplePattern:
    let elements = pattern.cast(TuplePatternSyntax.self).elements
    return elements.enumerated().flatMap { index, element in
      names(in: element.pattern, elements.count > 1 ? pieces + [.element(index)] : pieces)
    }
  case .valueBindingPattern:
    return names(in: pattern.cast(ValueBindingPatternSyntax.self).pattern, pieces)
  case .expressionPattern: return names(boundIn: Syntax(pattern), pieces)
  default: return []
  }
}

/// Returns the names that are bound within `case .some(let x)`.
private func names(boundIn node: Syntax, _ pieces: [Piece]) -> [BoundName] {
  if let inner = node.as(PatternExprSyntax.self) { return names(in: inner.pattern, pieces) }
  if let call = node.as(FunctionCallExprSyntax.self), let name = name(ofCase: call.calledExpression)
  {
    let arguments = call.arguments
    return arguments.enumerated().flatMap { index, argument in
      names(
        boundIn: Syntax(argument.expression),
        pieces + [.payload(of: name, at: index, among: arguments.count)])
    }
  }
  if let tuple = node.as(TupleExprSyntax.self), tuple.elements.count > 1 {
    return tuple.elements.enumerated().flatMap { index, element in
      names(boundIn: Syntax(element.expression), pieces + [.element(index)])
    }
  }
  return node.children(viewMode: .sourceAccurate).flatMap { names(boundIn: $0, pieces) }
}

private func name(ofCase callee: ExprSyntax) -> String? {
  callee.as(MemberAccessExprSyntax.self)?.declName.baseName.plainText
    ?? callee.as(DeclReferenceExprSyntax.self)?.baseName.plainText
}
