import AtRestAudit

/// Collects all ranges of a model.
enum ModelRanges {
  static func of(_ file: SourceFile) -> [Range<Int32>] {
    var all: [Range<Int32>] = []
    for type in file.types { add(type, &all) }
    for function in file.functions { add(function, &all) }
    for variable in file.variables { add(variable, &all) }
    add(file.statements, &all)
    return all
  }

  private static func add(_ type: TypeDeclaration, _ all: inout [Range<Int32>]) {
    all.append(type.range)
    for variable in type.variables + type.cases { add(variable, &all) }
    for function in type.functions { add(function, &all) }
    for inner in type.types { add(inner, &all) }
  }

  private static func add(_ variable: Variable, _ all: inout [Range<Int32>]) {
    all.append(variable.range)
    if let value = variable.value { add(value, &all) }
    for accessor in variable.accessors { add(accessor, &all) }
  }

  private static func add(_ function: Function, _ all: inout [Range<Int32>]) {
    all.append(function.range)
    for parameter in function.parameters { if let value = parameter.value { add(value, &all) } }
    if let body = function.body { add(body, &all) }
  }

  private static func add(_ block: Block, _ all: inout [Range<Int32>]) {
    for statement in block.statements { add(statement, &all) }
  }

  private static func add(_ statement: Statement, _ all: inout [Range<Int32>]) {
    switch statement {
    case .expression(let expression): add(expression, &all)
    case .variable(let variable): add(variable, &all)
    case .returns(let value): if let value { add(value, &all) }
    case .branch(let conditions, let then, let otherwise):
      for condition in conditions { add(condition, &all) }
      add(then, &all)
      if let otherwise { add(otherwise, &all) }
    case .loop(_, let sequence, let body):
      add(sequence, &all)
      add(body, &all)
    case .selection(let subject, let cases):
      add(subject, &all)
      for one in cases {
        for pattern in one.patterns { add(pattern, &all) }
        add(one.body, &all)
      }
    case .block(let block), .conditional(_, let block): add(block, &all)
    case .function(let function): add(function, &all)
    case .type(let type): add(type, &all)
    }
  }

  private static func add(_ expression: Expression, _ all: inout [Range<Int32>]) {
    all.append(expression.range)
    switch expression.kind {
    case .string(let pieces):
      for case .value(let arguments) in pieces { for one in arguments { add(one.value, &all) } }
    case .number, .boolean, .null, .name: break
    case .member(let base, _): if let base { add(base, &all) }
    case .call(let base, let arguments), .index(let base, let arguments):
      add(base, &all)
      for argument in arguments { add(argument.value, &all) }
    case .array(let parts), .other(let parts): for part in parts { add(part, &all) }
    case .dictionary(let pairs):
      for pair in pairs {
        add(pair.key, &all)
        add(pair.value, &all)
      }
    case .tuple(let arguments): for argument in arguments { add(argument.value, &all) }
    case .closure(let closure): add(closure.body, &all)
    case .assignment(let left, _, let right), .binary(let left, _, let right):
      add(left, &all)
      add(right, &all)
    case .prefix(_, let operand), .cast(let operand, _): add(operand, &all)
    case .choice(let subject, let branches):
      add(subject, &all)
      for branch in branches { add(branch, &all) }
    }
  }
}
