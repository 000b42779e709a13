import AtRestAuditModel
import AtRestFormats

extension SourceFile {
  /// Returns the secrets that an expression writes: its strings and numbers, in any form. A rule that
  /// reports a value in code states it with this method.
  ///
  /// - Parameter parts: The texts that are the secret, if only a part of a string is, such as the
  ///   password of an address.
  package func secrets(in expression: Expression, parts: [String] = []) -> [Finding.Secret] {
    let location = location(of: expression.range)
    guard parts.isEmpty else { return parts.map { Finding.Secret($0, at: location) } }
    var secrets: [Finding.Secret] = []
    collect(expression, into: &secrets)
    return secrets.isEmpty ? [Finding.Secret("", at: location)] : secrets
  }

  /// Collects the secrets of an expression. The parsers have limited its depth.
  private func collect(_ expression: Expression, into secrets: inout [Finding.Secret]) {
    func collect(_ arguments: [Argument]) {
      for argument in arguments { self.collect(argument.value, into: &secrets) }
    }
    switch expression.kind {
    case .string(let pieces):
      for piece in pieces {
        switch piece {
        case .text(let text):
          guard text.contains(where: { !$0.isWhitespace }) else { continue }
          secrets.append(.init(text, at: location(of: expression.range)))
        case .value(let arguments): collect(arguments)
        }
      }
    case .number(let text): secrets.append(.init(text, at: location(of: expression.range)))
    case .array(let elements):
      let bytes = elements.compactMap { $0.bare.integer.flatMap(UInt8.init(exactly:)) }
      if let first = elements.first, let last = elements.last, bytes.count == elements.count {
        let range = first.range.lowerBound..<max(first.range.upperBound, last.range.upperBound)
        secrets.append(.init(bytes, at: location(of: range)))
      } else {
        for element in elements { self.collect(element, into: &secrets) }
      }
    case .dictionary(let pairs):
      for pair in pairs { self.collect(pair.value, into: &secrets) }
    case .call(let callee, let arguments):
      self.collect(callee, into: &secrets)
      collect(arguments)
    case .index(let base, let arguments):
      self.collect(base, into: &secrets)
      collect(arguments)
    case .tuple(let arguments): collect(arguments)
    case .member(let base?, _), .cast(let base, _), .prefix(_, let base):
      self.collect(base, into: &secrets)
    case .assignment(let left, _, let right), .binary(let left, _, let right):
      self.collect(left, into: &secrets)
      self.collect(right, into: &secrets)
    case .choice(let condition, let values):
      for part in [condition] + values { self.collect(part, into: &secrets) }
    case .other(let parts):
      for part in parts { self.collect(part, into: &secrets) }
    case .boolean, .null, .name, .member(nil, _), .closure: break
    }
  }
}

extension SourceFile {
  /// Returns the names of the types around a place, the outermost first.
  package func types(at offset: Int32) -> [String] {
    var names: [String] = []
    var inner = types
    while let type = inner.first(where: { $0.range.contains(offset) }) {
      names.append(type.name)
      inner = type.types
    }
    return names
  }
}
