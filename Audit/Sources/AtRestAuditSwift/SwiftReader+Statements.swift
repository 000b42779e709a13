import AtRestAuditModel
import SwiftSyntax

/// Reads statements of Swift.
enum StatementReader {
  static func block(_ items: CodeBlockItemListSyntax) -> Block {
    var statements: [Statement] = []
    for item in items {
      switch item.item {
      case .decl(let declaration): statements += read(declaration: declaration)
      case .stmt(let statement): statements += read(statement)
      case .expr(let expression): statements += read(expression: expression)
      }
    }
    return Block(statements)
  }

  static func read(declaration: DeclSyntax) -> [Statement] {
    switch declaration.kind {
    case .variableDecl:
      return DeclarationReader.variables(declaration.cast(VariableDeclSyntax.self))
        .map { .variable($0) }
    case .functionDecl:
      return DeclarationReader.function(declaration).map { [.function($0)] } ?? []
    case .ifConfigDecl:
      return clauses(of: declaration.cast(IfConfigDeclSyntax.self)).compactMap {
        condition, elements in
        guard case .statements(let items) = elements else { return nil }
        return .conditional(condition, block(items))
      }
    default:
      return DeclarationReader.type(declaration).map { [.type($0)] } ?? []
    }
  }

  static func read(expression node: ExprSyntax) -> [Statement] {
    switch node.kind {
    case .ifExpr: return [branch(node.cast(IfExprSyntax.self))]
    case .switchExpr: return [selection(node.cast(SwitchExprSyntax.self))]
    default: return [.expression(expression(node))]
    }
  }

  static func read(_ node: StmtSyntax) -> [Statement] {
    switch node.kind {
    case .expressionStmt:
      return read(expression: node.cast(ExpressionStmtSyntax.self).expression)
    case .returnStmt:
      return [.returns(node.cast(ReturnStmtSyntax.self).expression.map(expression))]
    case .guardStmt:
      let node = node.cast(GuardStmtSyntax.self)
      // A guard binds names for the code after it, so its first block is empty.
      let conditions = conditions(node.conditions)
      return [.branch(conditions, Block(), otherwise: block(node.body.statements))]
    case .whileStmt:
      let node = node.cast(WhileStmtSyntax.self)
      return [
        .branch(conditions(node.conditions), block(node.body.statements), otherwise: nil)
      ]
    case .repeatStmt:
      let node = node.cast(RepeatStmtSyntax.self)
      return [
        .block(block(node.body.statements)), .expression(expression(node.condition)),
      ]
    case .forStmt:
      let node = node.cast(ForStmtSyntax.self)
      var body = block(node.body.statements)
      // `for x in list where check(x) { … }` means `for x in list { if check(x) { … } }`.
      if let clause = node.whereClause {
        body = Block([
          .branch([.expression(expression(clause.condition))], body, otherwise: nil)
        ])
      }
      let bound = names(in: node.pattern)
      guard bound.contains(where: { !$0.pieces.isEmpty }) else {
        return [.loop(bound.map(\.name), expression(node.sequence), body)]
      }
      // `for (a, b) in list { … }` means `for x in list { let (a, b) = x; … }`.
      let whole = Expression(.name(written(node.pattern)), range(node.pattern))
      let variables = bound.map { Statement.variable(variable($0, whole)) }
      return [
        .loop(
          [written(node.pattern)], expression(node.sequence), Block(variables + body.statements))
      ]
    case .doStmt:
      let node = node.cast(DoStmtSyntax.self)
      return [.block(block(node.body.statements))]
        + node.catchClauses.map { .block(block($0.body.statements)) }
    case .deferStmt: return [.block(block(node.cast(DeferStmtSyntax.self).body.statements))]
    case .throwStmt:
      return [.expression(expression(node.cast(ThrowStmtSyntax.self).expression))]
    case .labeledStmt: return read(node.cast(LabeledStmtSyntax.self).statement)
    case .yieldStmt:
      let yielded = node.cast(YieldStmtSyntax.self).yieldedExpressions
      if case .single(let value) = yielded { return [.expression(expression(value))] }
      return []
    default: return []
    }
  }

  static func branch(_ node: IfExprSyntax) -> Statement {
    let otherwise: Block? =
      switch node.elseBody {
      case .ifExpr(let inner): Block([branch(inner)])
      case .codeBlock(let inner): block(inner.statements)
      case nil: nil
      }
    return .branch(conditions(node.conditions), block(node.body.statements), otherwise: otherwise)
  }

  static func selection(_ node: SwitchExprSyntax) -> Statement {
    let subject = expression(node.subject)
    var cases: [Statement.Case] = []
    func add(_ list: SwitchCaseListSyntax) {
      for element in list {
        switch element {
        case .switchCase(let node):
          var patterns: [Expression] = []
          var bindings: [Statement] = []
          if case .case(let label) = node.label {
            for item in label.caseItems {
              patterns.append(pattern(item.pattern))
              bindings += self.bindings(item.pattern, of: subject)
            }
          }
          cases.append(
            Statement.Case(patterns, Block(bindings + block(node.statements).statements)))
        case .ifConfigDecl(let node):
          for clause in node.clauses {
            if case .switchCases(let inner)? = clause.elements { add(inner) }
          }
        }
      }
    }
    add(node.cases)
    return .selection(subject, cases)
  }

  private static func conditions(_ list: ConditionElementListSyntax) -> [Statement] {
    list.flatMap { element -> [Statement] in
      switch element.condition {
      case .expression(let node): return [.expression(expression(node))]
      case .optionalBinding(let node):
        let value = node.initializer.map { expression($0.value) }
        return names(in: node.pattern).map { bound in
          .variable(
            Variable(
              name: bound.name, type: node.typeAnnotation.flatMap { bound.type(in: $0.type) },
              value: value ?? Expression(.name(bound.name), range(node.pattern)),
              pieces: bound.pieces, isConstant: true, range: range(node), nameOffset: bound.offset))
        }
      case .matchingPattern(let node):
        let value = expression(node.initializer.value)
        return [.expression(value)] + bindings(node.pattern, of: value)
      default: return []
      }
    }
  }

  private static func bindings(_ pattern: PatternSyntax, of value: Expression) -> [Statement] {
    names(in: pattern).map { .variable(variable($0, value, range(pattern))) }
  }

  private static func variable(
    _ bound: BoundName, _ value: Expression, _ range: Range<Int32>? = nil
  ) -> Variable {
    Variable(
      name: bound.name, value: value, pieces: bound.pieces, isConstant: true,
      range: range ?? value.range, nameOffset: bound.offset)
  }

  private static func pattern(_ node: PatternSyntax) -> Expression {
    node.as(ExpressionPatternSyntax.self).map { expression($0.expression) }
      ?? Expression(.other([]), range(node))
  }
}
