import AtRestAuditModel

/// The fields whose texts code sets, and those of which it may see what was typed.
struct FieldUses {
  private(set) var written: Set<InterfaceField.Outlet> = []
  private(set) var read: Set<InterfaceField.Outlet> = []
  private var owner = ""

  private static let texts: Set<String> = ["text", "attributedText"]
  private static let setters: Set<String> = ["setText", "setAttributedText"]
  /// Methods by which code learns of what is typed, or asks for it.
  private static let listeners: Set<String> = [
    "setDelegate", "addTarget", "becomeFirstResponder", "insertText",
  ]

  mutating func look(at type: TypeDeclaration) {
    owner = type.name
    for variable in type.variables {
      if let value = variable.value { look(at: value) }
      for accessor in variable.accessors { look(at: accessor.body) }
    }
    for function in type.functions { look(at: function.body) }
    for inner in type.types { look(at: inner) }
    owner = type.name
  }

  private mutating func look(at block: Block?) {
    for statement in block?.statements ?? [] { look(at: statement) }
  }

  private mutating func look(at statement: Statement) {
    switch statement {
    case .expression(let value), .returns(let value?): look(at: value)
    case .returns(nil), .type: break
    case .variable(let variable):
      if let value = variable.value { look(at: value, isGiven: true) }
    case .branch(let conditions, let body, let otherwise):
      for condition in conditions { look(at: condition) }
      look(at: body)
      look(at: otherwise)
    case .loop(_, let sequence, let body):
      look(at: sequence)
      look(at: body)
    case .selection(let subject, let cases):
      look(at: subject)
      for one in cases {
        for pattern in one.patterns { look(at: pattern, isGiven: true) }
        look(at: one.body)
      }
    case .block(let body), .conditional(_, let body): look(at: body)
    case .function(let function): look(at: function.body)
    }
  }

  /// - Parameter isGiven: True if the value goes to other code, which may look at a field.
  private mutating func look(at expression: Expression, isGiven: Bool = false) {
    if isGiven, let outlet = outlet(expression) { read.insert(outlet) }
    switch expression.kind {
    case .number, .boolean, .null, .name: break
    case .string(let pieces):
      for case .value(let arguments) in pieces { look(at: arguments) }
    case .member(let base, let name):
      if Self.texts.contains(name) || name == "rx", let outlet = outlet(base) {
        read.insert(outlet)
      }
      if let base { look(at: base) }
    case .call(let callee, let arguments):
      look(at: arguments)
      guard case .member(let base?, let name) = callee.kind else { return look(at: callee) }
      if let outlet = outlet(base) {
        if Self.setters.contains(name) {
          written.insert(outlet)
        } else if Self.texts.contains(name) || Self.listeners.contains(name) {
          read.insert(outlet)
        }
      }
      look(at: base)
    case .assignment(let target, let sign, let value):
      look(at: value, isGiven: true)
      guard case .member(let base, let name) = target.kind, let outlet = outlet(base) else {
        return look(at: target)
      }
      if Self.texts.contains(name), sign == "=" {
        written.insert(outlet)
      } else if sign != "=" || name == "delegate" {
        read.insert(outlet)
      }
    case .index(let base, let arguments):
      look(at: base)
      look(at: arguments)
    case .array(let parts): for part in parts { look(at: part, isGiven: true) }
    case .other(let parts): for part in parts { look(at: part, isGiven: true) }
    case .dictionary(let pairs):
      for pair in pairs {
        look(at: pair.key, isGiven: true)
        look(at: pair.value, isGiven: true)
      }
    case .tuple(let arguments): look(at: arguments)
    case .closure(let closure): look(at: closure.body)
    case .binary(let left, _, let right):
      look(at: left, isGiven: true)
      look(at: right, isGiven: true)
    case .prefix(_, let operand), .cast(let operand, _): look(at: operand, isGiven: isGiven)
    case .choice(let condition, let values):
      look(at: condition, isGiven: true)
      for value in values { look(at: value, isGiven: true) }
    }
  }

  private mutating func look(at arguments: [Argument]) {
    for argument in arguments { look(at: argument.value, isGiven: true) }
  }

  /// Returns the property of the type that an expression names: `self.field`, `_field`.
  private func outlet(_ expression: Expression?) -> InterfaceField.Outlet? {
    let name: String? =
      switch expression?.kind {
      case .name(let name), .member(_, let name): name
      default: nil
      }
    return name.map {
      InterfaceField.Outlet(owner: owner, name: $0.hasPrefix("_") ? String($0.dropFirst()) : $0)
    }
  }
}
