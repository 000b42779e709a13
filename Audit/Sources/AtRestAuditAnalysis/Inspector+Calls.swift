import AtRestAuditModel

extension Inspector {
  func sensitivity(
    ofCall callee: Expression, _ arguments: [Argument], _ expression: Expression, in scope: Scope,
    depth: Int
  ) -> Evidence? {
    guard let name = callee.lastName else {
      // `{ … }()`
      if case .closure(let closure) = callee.kind {
        return first(of: closure.body.results, in: scope, depth: depth + 1)
      }
      return first(of: arguments.map(\.value), in: scope, depth: depth + 1)
    }
    let receiver: Expression? = if case .member(let base?, _) = callee.kind { base } else { nil }
    if Self.makesSafe(name) || Self.projections.contains(name) { return nil }
    if let receiver, Self.isTranslation(receiver) { return nil }
    if let receiver, let found = cookies(name, of: receiver, in: scope) { return found }
    // A few characters of a secret identify it, as in `token.suffix(4)`.
    if name == "prefix" || name == "suffix", receiver != nil { return nil }
    if let receiver, Self.fieldTexts.contains(name),
      let found = sensitivity(ofField: receiver, in: scope)
    {
      return found
    }
    // A value is read back by its key: `defaults.string(forKey: "PIN")`, `keychain.get("token")`.
    if let key = Self.keyOfRead(name, arguments)
      ?? (receiver.map(Self.isKeychain) == true && arguments.first?.label == "for"
        ? arguments.first?.value : nil),
      let text = constant(key, in: scope)?.text
    {
      guard let found = SensitiveKind.ofKey(text) else { return nil }
      let isKeychain = receiver.map { Self.isKeychain($0) } == true
      guard isKeychain || isCredible(text, in: scope) else { return nil }
      return Evidence(
        sensitivity: found, name: "the value stored as \(text)",
        source: isKeychain ? .keychain : .entry, subject: text)
    }
    // `keychain.get(tokenKey)`
    if let key = Self.keyOfRead(name, arguments)?.bare.lastName, let receiver,
      Self.isKeychain(receiver), key.utf8.count > 3
    {
      let words = Words.split(key)
      let value = words.count > 1 && words.last == "key" ? words.dropLast() : words[...]
      if let found = SensitiveKind.ofName(value.joined(separator: "_")) {
        return Evidence(
          sensitivity: found, name: "the value stored as \(key)", source: .keychain, subject: key)
      }
    }
    if Self.giveResult.contains(name), let last = arguments.last?.value,
      case .closure(let closure) = last.kind
    {
      let given = arguments.dropLast().map(\.value).filter {
        if case .closure = $0.kind { false } else { name == "reduce" }
      }
      return first(of: given + closure.body.results, in: scope, depth: depth + 1)
    }
    if name == "URLQueryItem" || name == "queryItemWithName", arguments.count == 2 {
      return sensitivity(ofEntry: arguments[0].value, arguments[1].value, in: scope, depth: depth)
    }
    if let receiver,
      Self.views.contains(name) || Self.streams.contains(name)
        || Self.containers.contains(name)
    {
      if let found = sensitivity(of: receiver, in: scope, depth: depth + 1) {
        let isOther = found.name == Self.nameOfCookies && choosesOther(arguments, in: scope)
        return isOther ? nil : found
      }
    }
    if receiver != nil, name.hasPrefix("appending") || name.hasPrefix("stringByAppending"),
      let found = first(of: arguments.map(\.value), in: scope, depth: depth + 1)
    {
      return found
    }
    if Self.packs(arguments) || Self.makersOfURL.contains(name) || Self.publishers.contains(name)
      || Self.conversions.contains(name) || Self.factories.contains(name)
      || Self.containers.contains(name)
    {
      var before = ""
      for argument in arguments where argument.label != "encoding" {
        if let found = sensitivity(of: argument.value, in: scope, depth: depth + 1) {
          return found
        }
        // A format string names the values that follow it.
        if let text = argument.value.literal { before = text }
      }
      return formatted(before, arguments, in: scope)
    }
    let call = Scope.Call(
      expression: expression, name: name, receiver: receiver, arguments: arguments)
    let declared = functions(for: call, in: scope)
    let result = declared.first?.function.result
    if let result, isSilent(result) { return nil }
    // `.password(enforced: true)` is a case of an enum.
    let isCase: Bool = if case .member(nil, _) = callee.kind { declared.isEmpty } else { false }
    if !isCase, declared.isEmpty || declared.contains(where: { $0.function.result != nil }),
      let found = SensitiveKind.ofName(name), name.first?.isUppercase != true,
      arguments.count <= 2, !(receiver == nil && declared.isEmpty && arguments.isEmpty),
      result.map({ couldHold($0, named: name) }) ?? true, isCredible(name, in: scope)
    {
      return Evidence(
        sensitivity: found, name: "the result of \(name)", subject: name, type: result)
    }
    for function in declared where depth < 4 {
      for result in function.scope.returns.prefix(4) {
        if let found = sensitivity(of: result, in: function.scope, depth: depth + 4) {
          return found.through(
            function.scope.location(of: result.range), "is returned by \(name)")
        }
        // `secret.trimmed()`, `quoted(secret)`
        for origin in origins(of: result, in: function.scope) {
          let values: [Expression] =
            switch origin {
            case .receiver: receiver.map { [$0] } ?? []
            case .parameter(let index): Self.arguments(for: index, of: function.function, in: call)
            case .property, .shown: []
            }
          if let found = first(of: values, in: scope, depth: depth + 3) { return found }
        }
      }
    }
    // An object of the project that is created with a secret contains the secret.
    if name.first?.isUppercase == true, !isSilent(name) {
      for argument in arguments {
        if isEmpty(argument.value) || isFlag(argument.value, in: scope) { continue }
        guard let label = argument.label, let found = SensitiveKind.ofName(label),
          isCredible(label, owner: name, in: scope), !isProtected(argument.value, in: scope)
        else { continue }
        let type = type(of: argument.value, in: scope)
        if let type, !couldHold(type, named: label) { continue }
        return Evidence(
          sensitivity: found, name: "\(label) of \(name)", subject: label, owner: name, type: type
        )
        .supported(by: sensitivity(of: argument.value, in: scope, depth: depth + 2))
      }
    }
    return nil
  }

  /// Returns true for the arguments of `JSONSerialization.data(withJSONObject: …)`, which packs a value. Other
  /// functions are named `data` too.
  static func packs(_ arguments: [Argument]) -> Bool {
    arguments.first?.label == "withJSONObject" || arguments.first?.label == "fromPropertyList"
  }

  /// Returns evidence if a format string names a value as sensitive: `"password=%@"`.
  package func formatted(_ format: String, _ arguments: [Argument], in scope: Scope) -> Evidence? {
    guard format.contains("%") else { return nil }
    let parts = format.split(separator: "%", omittingEmptySubsequences: false)
    let values = arguments.map(\.value).drop { $0.literal == nil }.dropFirst()
    for (part, value) in zip(parts, values) {
      if let found = announced(by: String(part), value, in: scope) { return found }
    }
    return nil
  }

  /// Returns true for the texts of an app in its languages, which generated code names:
  /// `R.string.localizable`, `L10n.Backup`.
  private static func isTranslation(_ receiver: Expression) -> Bool {
    switch receiver.kind {
    case .name(let name): name == "L10n"
    case .member(let base?, let name): name == "localizable" || isTranslation(base)
    default: false
    }
  }

  /// Returns true for an object that wraps the keychain.
  static func isKeychain(_ receiver: Expression) -> Bool {
    let written = receiver.written.lowercased()
    return UseTable.keychains.contains { written.contains($0) }
  }

  private static func keyOfRead(_ name: String, _ arguments: [Argument]) -> Expression? {
    guard let first = arguments.first else { return nil }
    if let label = first.label {
      return ["forKey", "key", "forKeyPath", "account", "forHTTPHeaderField"].contains(label)
        && arguments.count <= 2 ? first.value : nil
    }
    return keyReaders.contains(name) ? first.value : nil
  }

  private static let keyReaders: Set<String> = [
    "stringForKey", "objectForKey", "valueForKey", "objectForKeyedSubscript", "dataForKey", "get",
    "getString", "getData", "objectForInfoDictionaryKey", "passwordForService",
  ]

  /// Returns true if the result of a function no longer reveals its argument.
  package static func makesSafe(_ name: String) -> Bool {
    let words = Words.split(name)
    return words.contains { safeWords.contains($0) } && !words.contains("decrypt")
      && !words.contains("unhash")
  }

  private static let safeWords: Set<String> = [
    "encrypt", "encrypted", "encrypting", "seal", "sealed", "hash", "hashed", "hashing", "sha256",
    "sha512", "sha", "md5", "sha1", "hmac", "digest", "bcrypt", "scrypt", "argon2", "pbkdf2",
    "mask", "masked", "redact", "redacted", "obfuscate", "obfuscated", "wrap", "wrapped",
    "encipher", "removing", "without", "stripping", "excluding",
    "ciphertext", "cipher", "protect", "protected", "authentication", "sign", "signature", "hkdf",
    "cccrypt", "derive", "fingerprint", "verify", "validate", "tokenize", "strength",
  ]

  /// Members that describe a value without revealing it.
  static let projections: Set<String> = [
    "count", "length", "isEmpty", "hash", "hashValue", "startIndex", "endIndex", "indices",
    "isSecureTextEntry", "isHidden", "isEnabled", "frame", "bounds", "delegate", "placeholder",
    "range", "expiresAt", "expirationDate", "error", "localizedDescription", "capacity", "debug",
    "isValid", "hasPrefix", "hasSuffix", "contains", "isEqual", "isEqualToString", "type", "kind",
    "class", "retainCount", "superview", "tag", "statusCode", "code", "isExpired",
    "becomeFirstResponder",
    "resignFirstResponder", "firstIndex", "index", "range of", "elementsEqual", "compare", "font",
    "textColor", "borderStyle", "layer", "rangeOfString", "distance",
  ]

  package static let fieldTexts: Set<String> = [
    "text", "attributedText", "stringValue", "attributedStringValue", "getText", "enteredText",
  ]

  /// Calls whose result contains their arguments.
  package static let containers: Set<String> = [
    "encode", "archivedData", "archivedDataWithRootObject", "dataWithJSONObject", "serialize",
    "dataWithPropertyList", "propertyList", "jsonString", "toJSON", "asDictionary", "toDictionary",
    "dictionaryWithObjectsAndKeys", "dictionaryWithObject", "dictionaryWithObjects",
    "arrayWithObjects", "arrayWithObject", "dictionaryWithDictionary", "arrayWithArray",
    "NSDictionary", "NSMutableDictionary", "NSArray", "NSMutableArray", "Dictionary",
    "initWithDictionary", "initWithObjectsAndKeys", "setWithObject", "NSAttributedString",
    "localizedUserNotificationString", "localizedUserNotificationStringForKey",
    "NSKeyedArchiver", "merging", "JSONSerialization", "queryItem", "URLQueryItem", "Optional",
    "stringByAppendingFormat", "stringByAppendingPathComponent", "NSItemProvider",
    "componentsJoinedByString",
    "joined", "AnyHashable", "AnyCodable", "jsonData", "toJSONString", "AttributedString",
  ]

  static let silentTypes: Set<String> = [
    "Bool", "BOOL", "bool", "Void", "void", "Error", "NSError", "OSStatus", "CGFloat", "CGRect",
    "Date", "NSDate", "TimeInterval", "IndexPath", "NSIndexPath", "Selector", "SEL", "Timer",
    "UIColor", "UIFont", "UIImage", "NSRange", "Never", "CGSize", "CGPoint", "URLResponse",
    "HTTPURLResponse", "NSObjectProtocol", "AnyCancellable", "DispatchQueue", "LAContext",
    "URLSessionTask", "dispatch_once_t", "CBLDatabase", "NotificationToken", "RLMNotificationToken",
    "SyntaxKind", "TokenSyntax", "LAError", "NSComparisonResult", "ComparisonResult",
    "Notification",
    "NSNotification", "UInt8", "DispatchWorkItem", "Cancellable", "UUID", "NSUUID",
    "ObjectIdentifier",
    "CKServerChangeToken", "NSPersistentHistoryToken", "HKQueryAnchor", "AXObserver",
  ]

  /// Properties of controls that store no data.
  static let appearance: Set<String> = [
    "placeholder", "delegate", "isSecureTextEntry", "secureTextEntry", "isHidden", "hidden", "text",
    "textColor", "font", "frame", "title", "isEnabled", "tag",
  ]
}
