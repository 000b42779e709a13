import AtRestAuditModel

extension Inspector {
  /// Returns true if a name shows a secret by itself, or if a use of the value supports it.
  func isCredible(_ name: String, owner: String? = nil, in scope: Scope) -> Bool {
    guard uses != nil, WeakNames.contains(name, of: owner) else { return true }
    return isWitnessed(name, owner: owner, in: scope)
  }

  /// Returns true if the code uses a value of this name as a secret.
  func isWitnessed(_ name: String, owner: String? = nil, in scope: Scope) -> Bool {
    uses?.witness(
      for: name, owner: owner.map(TypeName.plain), file: scope.file.path) != nil
  }

  /// Returns true if values of a type can be a secret of this name: texts, data, keys, and records.
  /// Truth values, numbers, dates, controls, enums and addresses cannot, but a PIN can be a number, and a
  /// coordinate is one.
  package func couldHold(_ type: String, named name: String) -> Bool {
    if isSilent(type) { return false }
    let plain = TypeName.plain(type)
    if type.hasSuffix(".Type") || plain == "URL" || plain == "NSURL" { return false }
    guard Self.numbers.contains(plain) else { return true }
    return WeakNames.words(of: name).last.map { Self.numericSecrets.contains($0) } == true
  }

  static let numbers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Double", "Float", "NSInteger", "NSUInteger", "int", "uint", "long", "NSNumber", "Decimal",
    "CFIndex", "size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "int32_t", "int64_t",
  ]

  private static let numericSecrets: Set<String> = [
    "pin", "passcode", "cvv", "cvc", "ssn", "latitude", "longitude",
  ]
}

extension Expression {
  /// The type that declares the property which an expression names, or nil.
  func owner(in scope: Scope, _ inspector: Inspector) -> String? {
    switch bare.kind {
    case .member(let base?, _):
      base.isSelf ? scope.owner : inspector.type(of: base, in: scope).map(TypeName.plain)
    case .name(let name):
      if case .property(_, _, let owner) = inspector.meaning(of: name, in: scope) {
        owner
      } else {
        nil
      }
    default: nil
    }
  }
}
