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
  /// The conditions under which parts of the scope are compiled, as written.
  fileprivate(set) var conditions: Set<String> = []
  /// The conditions of those mentions that are compiled under one.
  private(set) var conditionsOfMentions: [ObjectIdentifier: String] = [:]
  /// Local variables by name, for their types.
  package fileprivate(set) var declared: [String: Variable] = [:]

  package init(file: SourceFile, owner: String?, function: Function?, parent: Scope?) {
    self.file = file
    self.owner = owner
    self.function = function
    self.parent = parent
  }

  /// A value that is written to a name or to a part of it.
  package struct Binding {
    package enum Part {
      case whole
      /// `name.property = value`
      case property(String)
      /// `name[key] = value`, `[name setObject:value forKey:key]`
      case element(Expression)
      /// `name.append(value)`, `for x in value`, `name += value`
      case some
    }

    package let part: Part
    package let value: Expression
    package let offset: Int32
  }

  /// A call with its parts.
  package struct Call {
    package let expression: Expression
    /// The last name of the callee: `set` in `defaults.set(…)`, `NSLog`.
    package let name: String
    /// The expression before the name.
    package let receiver: Expression?
    package let arguments: [Argument]

    /// The callee: `defaults.set` in `defaults.set(…)`.
    package var callee: Expression? {
      if case .call(let callee, _) = expression.kind { callee } else { nil }
    }

    package subscript(label: String) -> Expression? { arguments.first { $0.label == label }?.value }

    /// The argument at a position, regardless of its label.
    package subscript(position: Int) -> Expression? {
      position < arguments.count ? arguments[position].value : nil
    }
  }

  /// `target.name = value`, or `name = value` without a target.
  package struct Assignment {
    package let expression: Expression
    package let target: Expression?
    package let name: String
    package let value: Expression
  }

  /// Returns true if an expression is only compared here, and not used otherwise.
  package func compares(_ expression: Expression) -> Bool {
    comparisons.contains { $0.contains(expression) }
      || patterns.contains { $0.contains(expression) }
  }

  /// Returns the parameter with this name.
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

  /// True if the expression is `nil` or `NULL`.
  package var isNull: Bool { if case .null = bare.kind { true } else { false } }
}
