import AtRestAuditModel

/// The contents of a dictionary, according to the entries that the code reads from it.
extension Inspector {
  /// Returns evidence if the code reads a secret from a dictionary, or from what is parsed from a text:
  /// `json["access_token"]`.
  package func contents(of name: String, in scope: Scope, depth: Int = 0) -> Evidence? {
    guard depth < 4, !scope.reads.isEmpty else { return nil }
    for key in scope.reads[name] ?? [] {
      guard let text = constant(key, in: scope)?.text, let found = SensitiveKind.ofKey(text),
        found.isSecret, isCredible(text, in: scope)
      else { continue }
      return entry(text, found).through(
        scope.location(of: key.range), "is read from \(name)")
    }
    // `let user = json["user"]`, `let json = try JSONSerialization.jsonObject(with: data)`
    return scope.bindings.filter { inner, bindings in
      inner != name && bindings.contains { Self.source(of: $0.value) == name }
    }.keys.sorted().lazy.compactMap { contents(of: $0, in: scope, depth: depth + 1) }.first
  }

  /// Returns the evidence of what is read from a value, if it can be a dictionary, a text or data. An object
  /// that stores entries, such as preferences, does not show them.
  func contents(of name: String, _ type: String?, in scope: Scope) -> Evidence? {
    guard !scope.reads.isEmpty else { return nil }
    let value = Expression(.name(name), scope.reads[name]?.first?.range ?? 0..<0)
    if let type = type ?? self.type(of: value, in: scope),
      !type.hasPrefix("["), !Self.open.contains(TypeName.plain(type))
    {
      return nil
    }
    if Self.isKeychain(value) || isPreferences(value, in: scope) { return nil }
    return contents(of: name, in: scope)
  }

  /// Types of values that show all that they contain.
  private static let open: Set<String> = [
    "Dictionary", "NSDictionary", "NSMutableDictionary", "Any", "AnyObject", "id", "JSON", "String",
    "NSString", "Data", "NSData", "JSONDictionary", "JSONObject", "Parameters",
  ]

  /// Returns the name of the dictionary, text or data that a value is an entry or another form of.
  private static func source(of value: Expression, depth: Int = 0) -> String? {
    guard depth < 6 else { return nil }
    func inner(_ value: Expression?) -> String? {
      value.flatMap { $0.bare.path ?? source(of: $0, depth: depth + 1) }
    }
    switch value.bare.kind {
    case .index(let base, _): return inner(base)
    case .member(let base?, let name): return views.contains(name) ? inner(base) : nil
    case .binary(let left, "??", _): return inner(left)
    case .call(let callee, let arguments):
      guard let name = callee.lastName else { return nil }
      if parsers.contains(name) || conversions.contains(name) {
        return inner(arguments.first?.value)
      }
      guard case .member(let base?, _) = callee.kind else { return nil }
      return views.contains(name) || readers.contains(name) ? inner(base) : nil
    default: return nil
    }
  }

  /// Functions that make a dictionary from data.
  private static let parsers: Set<String> = [
    "jsonObject", "JSONObjectWithData", "JSON", "propertyList", "propertyListWithData",
  ]

  /// Methods that read the entry of a dictionary.
  static let readers: Set<String> = [
    "objectForKey", "valueForKey", "objectForKeyedSubscript", "valueForKeyPath", "stringForKey",
  ]
}

extension Scope.Call {
  /// The key of the entry that the call reads: `[json objectForKey:@"token"]`, `json.value(forKey: "token")`.
  var keyOfEntry: Expression? {
    guard let first = arguments.first, arguments.count == 1 else { return nil }
    return Inspector.readers.contains(name)
      || ["value", "object"].contains(name)
        && first.label == "forKey"
      ? first.value : nil
  }
}
