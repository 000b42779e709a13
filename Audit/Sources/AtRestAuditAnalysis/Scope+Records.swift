import AtRestAuditModel

extension Scope {
  /// A value that is written to a name or to a part of it.
  package struct Binding {
    package enum Part {
      case whole
      /// `name.property = value`
      case property(String)
      /// `name[key] = value`, `[name setObject:value forKey:key]`
      case element(Expression)
      /// `request.setValue(value, forHTTPHeaderField: key)`
      case header(Expression)
      /// `name.append(value)`, `for x in value`, `name += value`
      case some
      /// `let (name, other) = value`, `case .success(let name) = value`
      case pieces([Piece])
    }

    package let part: Part
    package let value: Expression
    package let offset: Int32
  }

  /// A call with its callee and arguments.
  package struct Call {
    package let expression: Expression
    /// The last name of the callee: `set` in `defaults.set(…)`, `NSLog`.
    package let name: String
    /// The expression before the name.
    package let receiver: Expression?
    package let arguments: [Argument]

    package init(
      expression: Expression, name: String, receiver: Expression?, arguments: [Argument]
    ) {
      self.expression = expression
      self.name = name
      self.receiver = receiver
      self.arguments = arguments
    }

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
}
