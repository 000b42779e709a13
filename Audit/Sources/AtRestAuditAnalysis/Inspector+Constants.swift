import AtRestAuditModel
import AtRestFormats

/// A value that is the same in every installation of an app.
package struct Constant {
  /// The text, if the constant is a string. A composed text contains only the parts that are known.
  package let text: String?
  package let integer: Int?
  /// The expression in which the constant is written.
  package let origin: Expression
  package let file: SourceFile
  /// The steps from the origin to the expression that was asked about.
  var trail: [Finding.Step] = []

  package var location: Location {
    Location(
      path: file.path, start: file.lines.position(of: origin.range.lowerBound),
      end: file.lines.position(of: origin.range.upperBound))
  }

  /// The secrets of a constant that is one.
  package var secrets: [Finding.Secret] { file.secrets(in: origin) }
}

extension Inspector {
  /// Returns the constant value of an expression, wherever the value is declared, or nil if the
  /// expression is not constant.
  package func constant(_ expression: Expression, in scope: Scope, depth: Int = 0) -> Constant? {
    guard depth < Self.furthest else { return nil }
    return effort.ask { findConstant(expression, in: scope, depth: depth) }
  }

  private func findConstant(
    _ expression: Expression, in scope: Scope, depth: Int
  ) -> Constant? {
    func found(text: String? = nil, integer: Int? = nil) -> Constant {
      Constant(text: text, integer: integer, origin: expression, file: scope.file)
    }
    switch expression.kind {
    case .string(let pieces):
      if let text = expression.literal { return found(text: text) }
      var text = ""
      for piece in pieces {
        switch piece {
        case .text(let part): text += part
        case .value(let arguments):
          guard let value = arguments.first?.value,
            let constant = constant(value, in: scope, depth: depth + 1)
          else { return nil }
          text += constant.text ?? ""
        }
      }
      return found(text: text)
    case .number: return found(integer: expression.integer)
    case .array(let elements):
      guard !elements.isEmpty else { return nil }
      for element in elements {
        guard constant(element, in: scope, depth: depth + 1) != nil else { return nil }
      }
      return found()
    case .cast(let inner, _), .prefix("&", let inner):
      return constant(inner, in: scope, depth: depth + 1)
    case .name(let name):
      switch meaning(of: name, in: scope, at: expression) {
      case .local(let bindings, _, let home):
        let whole = bindings.filter { if case .whole = $0.part { true } else { false } }
        guard whole.count == 1, bindings.count == 1,
          !home.fills(expression)
        else { return nil }
        return constant(whole[0].value, in: home, depth: depth + 1)
      case .parameter(let parameter, let home):
        return constant(parameter, in: home, depth: depth)
      case .property(let variable, let file, let owner):
        return constant(variable, in: file, owner: owner, depth: depth)
      case .global(let variable, let file):
        return constant(variable, in: file, owner: nil, depth: depth)
      case .closure, .unknown: return nil
      }
    case .member(let base?, let name):
      if case .property(let variable, let file, let owner) = member(name, of: base, in: scope) {
        return constant(variable, in: file, owner: owner, depth: depth)
      }
      guard Self.views.contains(name) else { return nil }
      return constant(base, in: scope, depth: depth + 1)
        ?? (name == "rawValue" ? nameOfCase(base, in: scope) : nil)
    case .call(let callee, let arguments):
      return constantCall(callee, arguments, whole: expression, in: scope, depth: depth)
    case .binary(let left, "+", let right):
      guard let first = constant(left, in: scope, depth: depth + 1),
        let second = constant(right, in: scope, depth: depth + 1)
      else { return nil }
      return found(text: (first.text ?? "") + (second.text ?? ""))
    case .binary(let left, "??", _): return constant(left, in: scope, depth: depth + 1)
    default: return nil
    }
  }

  /// Returns the implicit raw value of a case of a string enum, which is the name of the case, or
  /// nil for any other expression.
  private func nameOfCase(_ value: Expression, in scope: Scope) -> Constant? {
    guard case .member(let type?, let name) = value.kind, let enumeration = type.lastName,
      project.types[enumeration]?.inherited.contains("String") == true
    else { return nil }
    return Constant(text: name, integer: nil, origin: value, file: scope.file)
  }

  private func constantCall(
    _ callee: Expression, _ arguments: [Argument], whole: Expression, in scope: Scope, depth: Int
  ) -> Constant? {
    switch callee.kind {
    case .name(let name):
      // `Data("…".utf8)`, `UInt32(1000)`, `Array("…".utf8)`, `SymmetricKey(data: "…")`
      if Self.conversions.contains(name), let first = arguments.first, arguments.count <= 2,
        first.label.map({ !Self.labelsOfOthers.contains($0) }) ?? true
      {
        let value = first.value
        return constant(value, in: scope, depth: depth + 1)
      }
      if Self.translations.contains(name), let value = arguments.first?.value {
        return constant(value, in: scope, depth: depth + 1)
      }
      // `Data(count: 16)` consists of zeros. Buffers that are filled later are excluded above.
      if name == "Data" || name == "NSMutableData", arguments.count == 1,
        ["count", "length"].contains(arguments[0].label)
      {
        return Constant(text: nil, integer: nil, origin: whole, file: scope.file)
      }
      // `[UInt8](repeating: 0, count: 16)` and `Data(repeating: 0, count: 16)`
      if arguments.first?.label == "repeating",
        constant(arguments[0].value, in: scope, depth: depth + 1) != nil
      {
        return Constant(text: nil, integer: nil, origin: whole, file: scope.file)
      }
    case .member(let base?, let name):
      if Self.views.contains(name) { return constant(base, in: scope, depth: depth + 1) }
      if Self.factories.contains(name), let value = arguments.first?.value {
        return constant(value, in: scope, depth: depth + 1)
      }
    case .array, .index:
      if arguments.first?.label == "repeating",
        constant(arguments[0].value, in: scope, depth: depth + 1) != nil
      {
        return Constant(text: nil, integer: nil, origin: whole, file: scope.file)
      }
      if let value = arguments.first?.value, arguments.count == 1 {
        return constant(value, in: scope, depth: depth + 1)
      }
    default: break
    }
    let name = callee.lastName ?? ""
    let receiver: Expression? =
      if case .member(let base, _) = callee.kind { base } else { nil }
    for declared in functions(
      called: name, receiver: receiver, in: scope, arguments: arguments.count)
    where declared.scope.returns.count == 1 {
      return constant(declared.scope.returns[0], in: declared.scope, depth: depth + 3)
    }
    return nil
  }

  private func constant(
    _ parameter: Parameter, in scope: Scope, depth: Int
  ) -> Constant? {
    if let value = parameter.value {
      return constant(value, in: scope, depth: depth + 1)
    }
    // The callers determine the value if there are few of them and the function's name is unique.
    guard depth < 8, let values = given(for: parameter, in: scope) else { return nil }
    var first: Constant?
    for (value, home) in values {
      guard let constant = constant(value, in: home, depth: depth + 3) else { return nil }
      first = first ?? constant
    }
    return first
  }

  private func constant(
    _ variable: Variable, in file: SourceFile, owner: String?, depth: Int
  ) -> Constant? {
    guard let value = variable.value else {
      // The value may be assigned in an initialiser.
      guard let owner, depth < 6 else { return nil }
      let writes = writes(to: variable.name, of: owner)
      guard writes.count == 1 else { return nil }
      return constant(writes[0].value, in: writes[0].scope, depth: depth + 1)
    }
    if !variable.isConstant, let owner, !writes(to: variable.name, of: owner).isEmpty { return nil }
    return constant(
      value, in: scope(of: variable, in: file, owner: owner), depth: depth + 1)
  }

  /// Returns the argument that a call passes for a parameter, or nil if the call passes none.
  package static func argument(
    for index: Int, of function: Function, in call: Scope.Call
  ) -> Expression? {
    let parameter = function.parameters[index]
    if let label = parameter.label { return call[label] }
    // A parameter without a label is matched by its position among the unlabelled parameters.
    let place = function.parameters[..<index].count { $0.label == nil }
    let unlabelled = call.arguments.filter { $0.label == nil }
    return place < unlabelled.count ? unlabelled[place].value : nil
  }

  /// Initialisers and functions whose result contains the value of their argument.
  package static let conversions: Set<String> = [
    "Data", "NSData", "String", "NSString", "Array", "UInt8", "UInt32", "Int", "Int32", "UInt",
    "UInt64", "size_t", "CFString", "SymmetricKey", "NSMutableData", "uint", "CC_LONG", "UInt16",
    "CChar", "Substring", "ContiguousArray", "CFData", "NSNumber", "Int64", "CCOptions",
    "CCAlgorithm", "CCOperation", "CCPBKDFAlgorithm", "CCPseudoRandomAlgorithm", "strdup",
    "CCHmacAlgorithm", "NSMutableString", "SecureBytes", "ByteBuffer", "CFSTR",
    "Double", "Float", "CGFloat", "Decimal",
  ]

  /// Functions that return a localised text. Their key is usually the text itself.
  private static let translations: Set<String> = [
    "NSLocalizedString", "NSLocalizedStringFromTable", "LocalizedStringKey",
    "LocalizedStringResource",
  ]

  /// Labels of arguments that do not become the value of the result.
  private static let labelsOfOthers: Set<String> = [
    "count", "capacity", "minimumCapacity", "length", "contentsOf", "contentsOfFile", "format",
    "repeating", "describing",
  ]

  /// Members that are another view of the same value.
  package static let views: Set<String> = [
    "utf8", "utf8String", "data", "bytes", "utf16", "rawValue", "dataUsingEncoding", "UTF8String",
    "description",
    "unicodeScalars", "cString", "copy", "mutableCopy", "stringValue", "intValue", "integerValue",
    "dataValue", "withUnsafeBytes", "lowercased", "uppercased", "trimmingCharacters", "hexa",
    "hexToBytes", "utf8CString", "contiguousBytes", "cStringUsingEncoding", "byteArray", "array",
    "base64EncodedString", "base64EncodedData", "base64EncodedStringWithOptions", "asData",
    "toData",
    "replacingOccurrences", "first", "last", "joined", "unsafelyUnwrapped", "capitalized",
    "stringByReplacingOccurrencesOfString", "stringByTrimmingCharactersInSet", "lowercaseString",
    "uppercaseString", "padding", "prefix", "suffix", "reversed", "map", "compactMap", "filter",
    "addingPercentEncoding", "toBase64", "fromBase64", "wrappedValue", "projectedValue", "value",
    "stringByAddingPercentEncodingWithAllowedCharacters", "appending", "stringByAppendingString",
    "bridge", "unicode", "string",
  ]

  /// Class methods whose result contains the value of their argument.
  package static let factories: Set<String> = [
    "stringWithString", "dataWithBytes", "stringWithUTF8String", "initWithString", "initWithBytes",
    "dataWithData", "initWithData", "stringWithCString", "initWithBase64EncodedString",
    "initWithUTF8String", "numberWithInt", "numberWithInteger", "init", "initWithCString",
    "stringWithFormat", "initWithFormat", "localizedStringWithFormat",
  ]
}
