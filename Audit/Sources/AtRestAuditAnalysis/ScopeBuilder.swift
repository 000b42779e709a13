import AtRestAuditModel
import AtRestFormats

/// Walks the code of a file once and records what the rules need.
///
/// Code that is only compiled for debugging or the simulator does not ship and is left out.
package struct ScopeBuilder {
  private(set) var scopes: [Scope] = []
  private let file: SourceFile
  private let interest: Set<String>
  /// The condition of the code that is being walked.
  private var condition: String?

  /// - Parameter interest: The names whose mentions are recorded everywhere.
  package static func scopes(of file: SourceFile, interest: Set<String>) -> [Scope] {
    var builder = ScopeBuilder(file: file, interest: interest)
    let outside = Scope(file: file, owner: nil, function: nil, parent: nil)
    builder.scopes.append(outside)
    builder.walk(file.statements, in: outside)
    for variable in file.variables { builder.walk(property: variable, owner: nil, in: outside) }
    for function in file.functions { builder.walk(function, owner: nil, parent: nil) }
    for type in file.types { builder.walk(type) }
    return builder.scopes
  }

  private init(file: SourceFile, interest: Set<String>) {
    self.file = file
    self.interest = interest
  }

  /// Returns true if code under this condition never ships.
  package static func isDebug(_ condition: String?) -> Bool {
    guard let condition, condition != "0" else { return condition == "0" }
    if condition.contains("||") { return false }
    return condition.split(separator: "&&").contains { part in
      let part = part.trimmingPrefix { $0 == " " || $0 == "(" }
      return part.hasPrefix("DEBUG") || part.hasPrefix("targetEnvironment(simulator)")
        || part.hasPrefix("TARGET_OS_SIMULATOR") || part.hasPrefix("TARGET_IPHONE_SIMULATOR")
        || part.hasPrefix("defined(DEBUG)") || part.hasPrefix("arch(i386)")
    }
  }

  /// Enters a condition and returns the previous one.
  private mutating func enter(_ inner: String?, in scope: Scope) -> String? {
    let outer = condition
    if let inner {
      condition = outer.map { BuildCondition.both($0, inner) } ?? inner
      scope.conditions.insert(inner)
    }
    return outer
  }

  // MARK: Declarations

  private mutating func walk(_ type: TypeDeclaration) {
    let scope = Scope(file: file, owner: type.name, function: nil, parent: nil)
    scopes.append(scope)
    for variable in type.variables { walk(property: variable, owner: type.name, in: scope) }
    for value in type.cases { if let value = value.value { walk(value, in: scope) } }
    for function in type.functions { walk(function, owner: type.name, parent: nil) }
    for inner in type.types { walk(inner) }
  }

  private mutating func walk(property: Variable, owner: String?, in scope: Scope) {
    guard !Self.isDebug(property.condition) else { return }
    let outer = enter(property.condition, in: scope)
    defer { condition = outer }
    for attribute in property.attributes {
      for argument in attribute.arguments { walk(argument.value, in: scope) }
    }
    if let value = property.value { walk(value, in: scope) }
    for accessor in property.accessors { walk(accessor, owner: owner, parent: nil) }
  }

  private mutating func walk(_ function: Function, owner: String?, parent: Scope?) {
    guard !Self.isDebug(function.condition) else { return }
    let scope = Scope(file: file, owner: owner, function: function, parent: parent)
    scopes.append(scope)
    let outer = enter(function.condition, in: scope)
    defer { condition = outer }
    for parameter in function.parameters {
      if let value = parameter.value { walk(value, in: scope) }
    }
    if let body = function.body {
      walk(body, in: scope)
      // A body of one expression returns its value.
      if body.statements.count == 1, case .expression(let value) = body.statements[0] {
        scope.returns.append(value)
      }
    }
  }

  // MARK: Statements

  private mutating func walk(_ block: Block, in scope: Scope) {
    for statement in block.statements { walk(statement, in: scope) }
  }

  private mutating func walk(_ statement: Statement, in scope: Scope) {
    switch statement {
    case .expression(let value): walk(value, in: scope)
    case .variable(let variable):
      scope.variables.append(variable)
      scope.declared[variable.name] = variable
      if let value = variable.value {
        bind(variable.name, .whole, value, in: scope)
        walk(value, in: scope)
      }
      for accessor in variable.accessors {
        if let body = accessor.body { walk(body, in: scope) }
      }
    case .returns(let value):
      if let value {
        scope.returns.append(value)
        walk(value, in: scope)
      }
    case .branch(let conditions, let body, let otherwise):
      for condition in conditions { walk(condition, in: scope) }
      walk(body, in: scope)
      if let otherwise { walk(otherwise, in: scope) }
    case .loop(let names, let sequence, let body):
      for name in names { bind(name, .some, sequence, in: scope) }
      walk(sequence, in: scope)
      walk(body, in: scope)
    case .selection(let subject, let cases):
      walk(subject, in: scope)
      for branch in cases {
        scope.patterns += branch.patterns
        for pattern in branch.patterns { walk(pattern, in: scope) }
        walk(branch.body, in: scope)
      }
    case .block(let block): walk(block, in: scope)
    case .conditional(let condition, let block):
      guard !Self.isDebug(condition) else { return }
      let outer = enter(condition, in: scope)
      walk(block, in: scope)
      self.condition = outer
    case .function(let function): walk(function, owner: scope.owner, parent: scope)
    case .type(let type): walk(type)
    }
  }

  // MARK: Expressions

  /// Returns the property that an Objective-C setter sets: `body` for `setBody`.
  private func setter(_ name: String) -> String? {
    guard file.language == .objectiveC, name.hasPrefix("set"), let first = name.dropFirst(3).first,
      first.isUppercase
    else { return nil }
    return first.lowercased() + name.dropFirst(4)
  }

  private static let comparing: Set<String> = [
    "isEqual", "isEqualToString", "CFEqual", "isEqualTo", "CFStringCompare",
  ]

  private mutating func walk(_ arguments: [Argument], in scope: Scope) {
    for argument in arguments { walk(argument.value, in: scope) }
  }

  private mutating func walk(_ expression: Expression, in scope: Scope) {
    switch expression.kind {
    case .number, .boolean, .null: break
    case .string(let pieces):
      scope.strings.append(expression)
      for case .value(let arguments) in pieces { walk(arguments, in: scope) }
    case .name(let name):
      if interest.contains(name) { scope.note(mention: expression, of: name, condition: condition) }
    case .member(let base, let name):
      if interest.contains(name) { scope.note(mention: expression, of: name, condition: condition) }
      if let base { walk(base, in: scope) }
    case .call(let callee, let arguments):
      var receiver: Expression?
      var name = ""
      switch callee.kind {
      case .name(let text): name = text
      case .member(let base, let text):
        name = text
        receiver = base
      default: break
      }
      if !name.isEmpty {
        scope.calls.append(
          Scope.Call(
            expression: expression, name: name, receiver: receiver, arguments: arguments))
        if let receiver, case .name(let target) = receiver.kind {
          note(mutation: name, of: target, arguments, at: expression, in: scope)
        }
        if let receiver, let property = setter(name), arguments.count == 1 {
          note(
            assignment: expression, Expression(.member(receiver, property), receiver.range), "=",
            arguments[0].value, in: scope)
        }
        if name == "CFDictionaryAddValue" || name == "CFDictionarySetValue", arguments.count == 3,
          let target = arguments[0].value.path
        {
          bind(target, .element(arguments[1].value), arguments[2].value, in: scope)
        }
        if Self.comparing.contains(name) { scope.patterns += arguments.map(\.value) }
      }
      walk(callee, in: scope)
      walk(arguments, in: scope)
    case .index(let base, let arguments):
      walk(base, in: scope)
      walk(arguments, in: scope)
    case .array(let elements), .other(let elements):
      for element in elements { walk(element, in: scope) }
    case .dictionary(let pairs):
      scope.dictionaries.append(expression)
      for pair in pairs {
        walk(pair.key, in: scope)
        walk(pair.value, in: scope)
      }
    case .tuple(let arguments): walk(arguments, in: scope)
    case .closure(let closure): walk(closure.body, in: scope)
    case .assignment(let target, let sign, let value):
      note(assignment: expression, target, sign, value, in: scope)
      walk(target, in: scope)
      walk(value, in: scope)
    case .binary(let left, let sign, let right):
      if sign == "==" || sign == "!=" { scope.comparisons.append(expression) }
      if sign == "+" { scope.sums.append(expression) }
      walk(left, in: scope)
      walk(right, in: scope)
    case .prefix(_, let operand), .cast(let operand, _): walk(operand, in: scope)
    case .choice(let condition, let values):
      walk(condition, in: scope)
      for value in values { walk(value, in: scope) }
    }
  }

  private func note(
    assignment: Expression, _ target: Expression, _ sign: String, _ value: Expression,
    in scope: Scope
  ) {
    switch target.kind {
    case .name(let name):
      scope.assignments.append(
        Scope.Assignment(expression: assignment, target: nil, name: name, value: value))
      bind(name, sign == "=" ? .whole : .some, value, in: scope)
    case .member(let base, let name):
      scope.assignments.append(
        Scope.Assignment(expression: assignment, target: base, name: name, value: value))
      if let root = base?.path {
        bind(root, .property(name), value, in: scope)
        if root == "self" || root == "weakSelf" { bind(name, .whole, value, in: scope) }
      }
    case .index(let base, let arguments):
      guard let key = arguments.first?.value else { return }
      if let root = base.path { bind(root, .element(key), value, in: scope) }
      // `activity.userInfo["key"] = value` adds an entry to a property.
      if case .member(let owner, let name) = base.kind {
        scope.assignments.append(
          Scope.Assignment(
            expression: assignment, target: owner, name: name,
            value: Expression(.dictionary([Pair(key, value)]), value.range)))
      }
    default: break
    }
  }

  private func note(
    mutation name: String, of target: String, _ arguments: [Argument], at call: Expression,
    in scope: Scope
  ) {
    guard let first = arguments.first?.value else { return }
    switch name {
    case "setObject", "setValue", "updateValue":
      if let key = arguments.dropFirst().first(where: { $0.label?.hasPrefix("forKey") == true }) {
        bind(target, .element(key.value), first, in: scope)
      }
    case "append", "add", "addObject", "insert", "appendString", "appendData", "appendFormat",
      "merge", "addEntriesFromDictionary", "addEntries", "addObjectsFromArray", "setDictionary",
      "setString":
      for argument in arguments {
        // The closure of `merge(other) { $1 }` is not merged itself.
        if case .closure = argument.value.kind { continue }
        bind(target, .some, argument.value, in: scope)
      }
    default: break
    }
  }

  private func bind(
    _ name: String, _ part: Scope.Binding.Part, _ value: Expression, in scope: Scope
  ) {
    // In `guard let self` and `if let x`, the name is bound to itself.
    if case .name(name) = value.kind { return }
    scope.bindings[name, default: []].append(
      Scope.Binding(part: part, value: value, offset: value.range.lowerBound))
  }
}
