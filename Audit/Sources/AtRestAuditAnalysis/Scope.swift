import AtRestAuditModel
import AtRestFormats

/// A region of code in which names have the same meaning: the body of a function or accessor, the
/// initial values of a type's properties, or the code outside of both.
///
/// Only ``ScopeBuilder`` writes a scope, before it is shared. It is read-only from then on.
package final class Scope: @unchecked Sendable {
  package let file: SourceFile
  /// The type that the scope belongs to.
  package let owner: String?
  /// The function whose body the scope is.
  package let function: Function?
  /// The enclosing scope of a nested function.
  let parent: Scope?
  /// The values that are written to names and to their parts, in their order in the code.
  package fileprivate(set) var bindings: [String: [Binding]] = [:]
  package fileprivate(set) var calls: [Call] = []
  package fileprivate(set) var assignments: [Assignment] = []
  /// The keys under which entries of a dictionary are read, by the name of the dictionary.
  fileprivate(set) var reads: [String: [Expression]] = [:]
  /// Local variables.
  package fileprivate(set) var variables: [Variable] = []
  /// Comparisons with `==` and `!=`.
  package fileprivate(set) var comparisons: [Expression] = []
  /// Expressions that are compared without an operator: patterns of cases, arguments of `isEqual`.
  fileprivate(set) var patterns: [Expression] = []
  package fileprivate(set) var dictionaries: [Expression] = []
  /// Sums of strings or numbers.
  package fileprivate(set) var sums: [Expression] = []
  package fileprivate(set) var strings: [Expression] = []
  package fileprivate(set) var mentions: [String: [Expression]] = [:]
  package fileprivate(set) var returns: [Expression] = []
  /// The names of the constants that are used as names: as keys, headers, columns or identifiers.
  var names: Set<String> = []
  /// The conditions under which parts of the scope are compiled, as written.
  fileprivate(set) var conditions: Set<String> = []
  /// The build conditions of mentions, for the mentions that have one.
  private(set) var conditionsOfMentions: [ObjectIdentifier: String] = [:]
  /// The closures whose parameters the scope knows something about, by the names that they bind.
  /// Those without a list of parameters are under `$`.
  var handlers: [String: [Handler]] = [:]
  /// The code that runs under conditions.
  var branches: [Branch] = []
  /// The conditions without which the rest of the code does not run.
  var guards: [Guard] = []
  /// All names in the expressions of the file. Only the first scope of a file in Swift has them.
  fileprivate(set) var references: Set<String> = []
  /// Local variables by name, for their types.
  package fileprivate(set) var declared: [String: Variable] = [:]

  package init(file: SourceFile, owner: String?, function: Function?, parent: Scope?) {
    self.file = file
    self.owner = owner
    self.function = function
    self.parent = parent
  }

  fileprivate func note(read key: Expression, of name: String) {
    reads[name, default: []].append(key)
  }

  /// Returns true if an expression is part of a comparison in this scope.
  package func compares(_ expression: Expression) -> Bool {
    comparisons.contains { $0.contains(expression) }
      || patterns.contains { $0.contains(expression) }
  }

  /// Returns true if a name is a pattern of a case, as in code that translates one enum into
  /// another.
  package func matches(_ name: String) -> Bool {
    patterns.contains { $0.bare.lastName == name }
  }

  /// Returns the parameter with this name, or nil if there is none.
  func parameter(_ name: String) -> Parameter? {
    function?.parameters.first { $0.name == name }
  }

  /// Returns the condition under which a mention is compiled, or nil.
  package func condition(of mention: Expression) -> String? {
    conditionsOfMentions[ObjectIdentifier(mention)]
  }

  fileprivate func note(mention: Expression, of name: String, condition: String?) {
    mentions[name, default: []].append(mention)
    conditionsOfMentions[ObjectIdentifier(mention)] = condition
  }

  package func location(of range: Range<Int32>) -> Location {
    Location(
      path: file.path, start: file.lines.position(of: range.lowerBound),
      end: file.lines.position(of: range.upperBound))
  }
}

extension Expression {
  /// The name at the root of `name` or `self.name`, under which its bindings are recorded.
  package var path: String? {
    switch kind {
    case .name(let name): name
    case .member(let base, let name):
      switch base?.kind {
      case .name("self"), .name("weakSelf"), .name("Self"): name
      default: nil
      }
    case .cast(let inner, _), .prefix("*", let inner): inner.path
    default: nil
    }
  }

  /// The last name of the expression: `text` in `self.field.text`.
  package var lastName: String? {
    switch kind {
    case .name(let name), .member(_, let name): name
    case .call(let callee, _): callee.lastName
    case .cast(let inner, _), .prefix(_, let inner), .index(let inner, _): inner.lastName
    default: nil
    }
  }

  /// The expression without casts and `&`.
  package var bare: Expression {
    switch kind {
    case .cast(let inner, _), .prefix("&", let inner): inner.bare
    default: self
    }
  }

  /// The text of a string without interpolation.
  package var literal: String? {
    guard case .string(let pieces) = kind else { return nil }
    switch pieces.count {
    case 0: return ""
    case 1: if case .text(let text) = pieces[0] { return text } else { return nil }
    default: return nil
    }
  }

  /// The value of a number in any base.
  var integer: Int? {
    guard case .number(let text) = kind else { return nil }
    var digits = text.filter { $0 != "_" }.lowercased()
    while let last = digits.last, last == "u" || last == "l" { digits.removeLast() }
    if digits.hasPrefix("0x") { return Int(digits.dropFirst(2), radix: 16) }
    if digits.hasPrefix("0b") { return Int(digits.dropFirst(2), radix: 2) }
    return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0.rounded()) }
  }

  /// True for `self` and the names that stand for it.
  var isSelf: Bool {
    switch kind {
    case .name("self"), .name("weakSelf"), .name("strongSelf"), .name("Self"), .name("this"): true
    default: false
    }
  }

  /// True if the expression is `nil` or `NULL`.
  package var isNull: Bool { if case .null = bare.kind { true } else { false } }
}

/// Walks the code of a file once and records what the rules need.
///
/// Code that is only compiled for debugging or the simulator does not ship and is left out.
package struct ScopeBuilder {
  private(set) var scopes: [Scope] = []
  private let file: SourceFile
  private let interest: Set<String>
  private let isSwift: Bool
  private var references: Set<String> = []
  /// The condition of the code that is being walked.
  private var condition: String?
  /// The value of the last pattern.
  private var shared: Expression?

  /// - Parameter interest: The names whose mentions are recorded in every scope.
  package static func scopes(of file: SourceFile, interest: Set<String>) -> [Scope] {
    var builder = ScopeBuilder(file: file, interest: interest)
    let outside = Scope(file: file, owner: nil, function: nil, parent: nil)
    builder.scopes.append(outside)
    builder.walk(file.statements, in: outside)
    for variable in file.variables { builder.walk(property: variable, owner: nil, in: outside) }
    for function in file.functions { builder.walk(function, owner: nil, parent: nil) }
    for type in file.types { builder.walk(type) }
    outside.references = builder.references
    return builder.scopes
  }

  private init(file: SourceFile, interest: Set<String>) {
    self.file = file
    self.interest = interest
    isSwift = file.language == .swift
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
        let pieces = variable.pieces
        bind(variable.name, pieces.isEmpty ? .whole : .pieces(pieces), value, in: scope)
        // The names of a pattern share one value.
        if pieces.isEmpty || shared !== value { walk(value, in: scope) }
        shared = pieces.isEmpty ? nil : value
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
      let first = scope.calls.count
      walk(body, in: scope)
      scope.note(conditions, of: first..<scope.calls.count, body, otherwise: otherwise)
      if let otherwise { walk(otherwise, in: scope) }
    case .loop(let names, let sequence, let body):
      for name in names { bind(name, .some, sequence, in: scope) }
      walk(sequence, in: scope)
      walk(body, in: scope)
    case .selection(let subject, let cases):
      walk(subject, in: scope)
      for branch in cases {
        scope.patterns += branch.patterns
        for pattern in branch.patterns where pattern.literal != nil {
          scope.comparisons.append(
            Expression(.binary(subject, operator: "==", pattern), pattern.range))
        }
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

  /// Returns the property that an Objective-C setter sets, such as `body` for `setBody`, or nil for
  /// any other method.
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
      if isSwift { references.insert(name) }
      if interest.contains(name) { scope.note(mention: expression, of: name, condition: condition) }
    case .member(let base, let name):
      if isSwift { references.insert(name) }
      if interest.contains(name) { scope.note(mention: expression, of: name, condition: condition) }
      if let base { walk(base, in: scope) }
    case .call(let callee, let arguments):
      // A preview is code for the editor.
      if case .name("#Preview") = callee.kind { return }
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
        let call = Scope.Call(
          expression: expression, name: name, receiver: receiver, arguments: arguments)
        scope.calls.append(call)
        scope.noteHandlers(of: call)
        if let key = call.keyOfEntry, let root = receiver?.bare.path {
          scope.note(read: key, of: root)
        }
        note(mutation: call, in: scope)
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
        scope.noteNames(in: arguments, of: name)
      }
      walk(callee, in: scope)
      walk(arguments, in: scope)
    case .index(let base, let arguments):
      if let root = base.bare.path, let key = arguments.first?.value {
        scope.note(read: key, of: root)
      }
      for argument in arguments { scope.note(name: argument.value) }
      // `Bundle.main.infoDictionary?["Key"]` reads like a call.
      if base.lastName == "infoDictionary" {
        scope.calls.append(
          Scope.Call(
            expression: expression, name: "infoDictionary", receiver: base, arguments: arguments))
      }
      walk(base, in: scope)
      walk(arguments, in: scope)
    case .array(let elements), .other(let elements):
      for element in elements { walk(element, in: scope) }
    case .dictionary(let pairs):
      scope.dictionaries.append(expression)
      for pair in pairs {
        scope.note(name: pair.key)
        if pair.key.lastName?.hasPrefix("kSecAttr") == true { scope.note(name: pair.value) }
        walk(pair.key, in: scope)
        walk(pair.value, in: scope)
      }
    case .tuple(let arguments): walk(arguments, in: scope)
    case .closure(let closure): walk(closure.body, in: scope)
    case .assignment(let target, let sign, let value):
      note(assignment: expression, target, sign, value, in: scope)
      if case .index(let base, let arguments) = target.kind {
        // An entry that is written is not read.
        for argument in arguments { scope.note(name: argument.value) }
        walk(base, in: scope)
        walk(arguments, in: scope)
      } else {
        walk(target, in: scope)
      }
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

  func note(
    assignment: Expression, _ target: Expression, _ sign: String, _ value: Expression,
    in scope: Scope
  ) {
    scope.noteHandler(value, assignedTo: target)
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
    // `(user, self.token) = (first, second)`
    case .tuple(let targets):
      for (index, target) in targets.enumerated() {
        if case .tuple(let values) = value.kind, values.count == targets.count {
          note(assignment: assignment, target.value, sign, values[index].value, in: scope)
        } else if let name = target.value.path {
          bind(name, .pieces([.element(index)]), value, in: scope)
        }
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

  func bind(
    _ name: String, _ part: Scope.Binding.Part, _ value: Expression, in scope: Scope
  ) {
    // In `guard let self` and `if let x`, the name is bound to itself.
    if case .name(name) = value.kind { return }
    scope.bindings[name, default: []].append(
      Scope.Binding(part: part, value: value, offset: value.range.lowerBound))
  }
}
