extension CodeUse {
  /// Gathers the names of all code of a project.
  public init(_ sources: [SourceFile]) {
    self.init()
    for source in sources {
      for name in source.imports {
        modules.insert(name.split(separator: "/").first.map(String.init) ?? name)
      }
      var walk = NameWalk(source: source)
      walk.look()
      names.formUnion(walk.names)
      for (category, places) in walk.categories { categories[category, default: []] += places }
    }
  }
}

/// Goes through the code of one file for the names that it mentions.
private struct NameWalk {
  let source: SourceFile
  var names: Set<String> = []
  var categories: [RequiredReason: [Location]] = [:]

  private static let reasons: [String: RequiredReason] = {
    var table: [String: RequiredReason] = [:]
    for category in RequiredReason.allCases {
      for name in category.names { table[name] = category }
    }
    return table
  }()

  mutating func look() {
    for type in source.types { look(at: type) }
    for function in source.functions { look(at: function) }
    for variable in source.variables { look(at: variable) }
    look(at: source.statements)
  }

  private mutating func add(_ name: String, _ range: Range<Int32>) {
    names.insert(name)
    guard let category = Self.reasons[name] else { return }
    categories[category, default: []].append(
      Location(
        path: source.path, start: source.lines.position(of: range.lowerBound),
        end: source.lines.position(of: range.upperBound)))
  }

  private mutating func look(at type: TypeDeclaration) {
    names.formUnion(type.inherited)
    for variable in type.variables + type.cases { look(at: variable) }
    for function in type.functions { look(at: function) }
    for inner in type.types { look(at: inner) }
  }

  private mutating func look(at function: Function) {
    names.insert(function.name)
    for parameter in function.parameters {
      if let label = parameter.label { names.insert(label) }
      if let type = parameter.type { names.insert(type) }
      if let value = parameter.value { look(at: value) }
    }
    if let body = function.body { look(at: body) }
  }

  private mutating func look(at variable: Variable) {
    for attribute in variable.attributes {
      add(attribute.name, variable.range)
      for argument in attribute.arguments { look(at: argument) }
    }
    if let type = variable.type { names.insert(type) }
    if let value = variable.value { look(at: value) }
    for accessor in variable.accessors { look(at: accessor) }
  }

  private mutating func look(at block: Block) {
    for statement in block.statements { look(at: statement) }
  }

  private mutating func look(at statement: Statement) {
    switch statement {
    case .expression(let expression), .returns(let expression?): look(at: expression)
    case .returns(nil): break
    case .variable(let variable): look(at: variable)
    case .branch(let conditions, let body, let otherwise):
      for condition in conditions { look(at: condition) }
      look(at: body)
      if let otherwise { look(at: otherwise) }
    case .loop(_, let sequence, let body):
      look(at: sequence)
      look(at: body)
    case .selection(let subject, let cases):
      look(at: subject)
      for one in cases {
        for pattern in one.patterns { look(at: pattern) }
        look(at: one.body)
      }
    case .block(let body), .conditional(_, let body): look(at: body)
    case .function(let function): look(at: function)
    case .type(let type): look(at: type)
    }
  }

  private mutating func look(at argument: Argument) {
    if let label = argument.label { names.insert(label) }
    look(at: argument.value)
  }

  private mutating func look(at expression: Expression) {
    switch expression.kind {
    case .name(let name): add(name, expression.range)
    case .member(let base, let name):
      add(name, expression.range)
      if let base { look(at: base) }
    case .string(let pieces):
      for case .value(let arguments) in pieces {
        for argument in arguments { look(at: argument) }
      }
    case .call(let function, let arguments), .index(let function, let arguments):
      look(at: function)
      for argument in arguments { look(at: argument) }
    case .tuple(let arguments):
      for argument in arguments { look(at: argument) }
    case .dictionary(let pairs):
      for pair in pairs {
        look(at: pair.key)
        look(at: pair.value)
      }
    case .closure(let closure): look(at: closure.body)
    case .assignment(let target, _, let value), .binary(let target, _, let value):
      look(at: target)
      look(at: value)
    case .prefix(_, let value): look(at: value)
    case .choice(let condition, let values):
      look(at: condition)
      for value in values { look(at: value) }
    case .cast(let value, let type):
      names.insert(type)
      look(at: value)
    case .array(let parts), .other(let parts):
      for part in parts { look(at: part) }
    case .number, .boolean, .null: break
    }
  }
}
