import AtRestAudit

/// Writes the model as text that tests compare. It is similar to Swift, and shows every part.
///
/// Operations are in parentheses. A `~` precedes anything that was not understood. The condition
/// under which a declaration is compiled precedes it, as in `#DEBUG`.
enum ModelText {
  static func of(_ file: SourceFile) -> String {
    var parts = file.imports.map { "import \($0)" }
    parts += file.variables.map(of)
    parts += file.functions.map(of)
    parts += file.types.map(of)
    if !file.statements.statements.isEmpty { parts.append(lines(file.statements)) }
    parts += file.directives.map { "// \($0.line)\($0.followsCode ? "+" : "") \($0.text)" }
    parts += file.skipped.map { "!! \($0.line.map(String.init) ?? "-") \($0.reason)" }
    return parts.joined(separator: "\n")
  }

  // MARK: - Declarations

  static func of(_ type: TypeDeclaration) -> String {
    var text = attributes(type.attributes) + "\(type.form) \(type.name)"
    if !type.inherited.isEmpty { text += ": " + type.inherited.joined(separator: ", ") }
    let members =
      type.variables.map(of) + type.cases.map { "case " + of($0) } + type.functions.map(of)
      + type.types.map(of)
    return text + braces(members)
  }

  static func of(_ variable: Variable) -> String {
    var text = condition(variable.condition) + attributes(variable.attributes)
    if variable.isStatic { text += "static " }
    text += variable.isConstant ? "let " : "var "
    text += variable.name
    if let type = variable.type { text += ": \(type)" }
    if !variable.payload.isEmpty {
      text += "(\(variable.payload.map(of).joined(separator: ", ")))"
    }
    if let value = variable.value { text += " = \(of(value))" }
    text += variable.pieces.map(of).joined()
    if !variable.accessors.isEmpty { text += braces(variable.accessors.map(of)) }
    return text
  }

  private static func of(_ piece: Piece) -> String {
    switch piece {
    case .element(let index): ".\(index)"
    case .payload(of: let name, at: let index, among: let count): ".\(name).\(index)/\(count)"
    }
  }

  static func of(_ function: Function) -> String {
    var text = condition(function.condition) + attributes(function.attributes)
    if function.isStatic { text += "static " }
    text += "func \(function.name)(\(function.parameters.map(of).joined(separator: ", ")))"
    if let result = function.result { text += " -> \(result)" }
    if let body = function.body { text += " " + of(body) }
    return text
  }

  static func of(_ parameter: Parameter) -> String {
    var text = parameter.label.map { "\($0) " } ?? "_ "
    text += parameter.name
    if let type = parameter.type { text += ": \(type)" }
    if let value = parameter.value { text += " = \(of(value))" }
    return text
  }

  private static func condition(_ condition: String?) -> String {
    condition.map { "#\($0) " } ?? ""
  }

  private static func attributes(_ attributes: [Attribute]) -> String {
    attributes.map {
      $0.arguments.isEmpty ? "@\($0.name) " : "@\($0.name)(\(of($0.arguments))) "
    }.joined()
  }

  private static func braces(_ parts: [String]) -> String {
    parts.isEmpty ? " {}" : " { " + parts.joined(separator: "; ") + " }"
  }

  // MARK: - Statements

  static func of(_ block: Block) -> String { braces(block.statements.map(of)) }

  /// Returns the statements of a block, one per line.
  static func lines(_ block: Block) -> String {
    block.statements.map(of).joined(separator: "\n")
  }

  static func of(_ statement: Statement) -> String {
    switch statement {
    case .expression(let expression): return of(expression)
    case .variable(let variable): return of(variable)
    case .returns(let value): return value.map { "return \(of($0))" } ?? "return"
    case .branch(let conditions, let then, let otherwise):
      let text = "if \(conditions.map(of).joined(separator: ", "))" + of(then)
      return text + (otherwise.map { " else" + of($0) } ?? "")
    case .loop(let names, let sequence, let body):
      return "for \(names.joined(separator: ", ")) in \(of(sequence))" + of(body)
    case .selection(let subject, let cases):
      return "switch \(of(subject))"
        + braces(
          cases.map { "case \($0.patterns.map(of).joined(separator: ", ")):" + of($0.body) })
    case .block(let block): return "do" + of(block)
    case .conditional(let condition, let block): return "#if \(condition)" + of(block)
    case .function(let function): return of(function)
    case .type(let type): return of(type)
    }
  }

  // MARK: - Expressions

  static func of(_ expression: Expression) -> String {
    switch expression.kind {
    case .string(let pieces):
      return "\"" + pieces.map(of).joined() + "\""
    case .number(let text): return text
    case .boolean(let value): return "\(value)"
    case .null: return "nil"
    case .name(let name): return name
    case .member(let base, let name): return (base.map(of) ?? "") + ".\(name)"
    case .call(let callee, let arguments): return of(callee) + "(\(of(arguments)))"
    case .index(let base, let arguments): return of(base) + "[\(of(arguments))]"
    case .array(let elements): return "[" + elements.map(of).joined(separator: ", ") + "]"
    case .dictionary(let pairs):
      let text = pairs.map { "\(of($0.key)): \(of($0.value))" }.joined(separator: ", ")
      return pairs.isEmpty ? "[:]" : "[\(text)]"
    case .tuple(let arguments): return "(\(of(arguments)))"
    case .closure(let closure):
      let parameters = closure.parameters.joined(separator: ", ")
      let statements = closure.body.statements.map(of).joined(separator: "; ")
      let head = parameters.isEmpty ? "" : " \(parameters) in"
      return statements.isEmpty ? "{\(head) }" : "{\(head) \(statements) }"
    case .assignment(let target, let symbol, let value):
      return "\(of(target)) \(symbol) \(of(value))"
    case .binary(let left, let symbol, let right): return "(\(of(left)) \(symbol) \(of(right)))"
    case .prefix(let symbol, let operand): return symbol + of(operand)
    case .choice(let subject, let branches):
      return "(\(of(subject)) ? \(branches.map(of).joined(separator: " : ")))"
    case .cast(let value, let type): return "(\(of(value)) as \(type))"
    case .other(let parts): return "~(" + parts.map(of).joined(separator: ", ") + ")"
    }
  }

  static func of(_ arguments: [Argument]) -> String {
    arguments.map { ($0.label.map { "\($0): " } ?? "") + of($0.value) }.joined(separator: ", ")
  }

  static func of(_ piece: StringPiece) -> String {
    switch piece {
    case .text(let text): text.debugDescription.dropFirst().dropLast().description
    case .value(let arguments): "\\(\(of(arguments)))"
    }
  }
}
