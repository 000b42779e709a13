import AtRestAuditModel
import AtRestFormats

/// Collects the uses of values as secrets in one file.
struct UseCollector {
  private(set) var uses: [SecretUse] = []
  private(set) var others: [SecretUse] = []
  /// The first use of what is read from preferences, by the key of the entry.
  private(set) var preferences: [String: Finding.Step] = [:]
  /// The keys of the preferences that are shown.
  private(set) var shown: Set<String> = []
  private let inspector: Inspector
  /// The words of names that may be secrets, and nil for other names.
  private var known: [String: [String]?] = [:]

  /// The names of all properties of the project's types.
  private let declared: Set<String>
  /// The places of the values that the scope keeps. Where a value is kept, it is not used.
  private var kept: [Range<Int32>] = []

  init(_ inspector: Inspector, declared: Set<String>) {
    self.inspector = inspector
    self.declared = declared
  }

  private mutating func words(of name: String) -> [String]? {
    if let found = known[name] { return found }
    let kind = SensitiveKind.ofName(name)
    let words = kind?.isSecret == true || kind == .payment ? WeakNames.words(of: name) : nil
    known[name] = words
    return words
  }

  // MARK: Values

  /// Calls `add` with the names that become a part of a value.
  private mutating func each(
    _ value: Expression, _ scope: Scope, depth: Int = 0,
    _ add: (_ words: [String], _ owner: String?) -> Void
  ) {
    guard depth < 6 else { return }
    switch value.bare.kind {
    case .name(let name):
      if let words = words(of: name) {
        let isLocal = scope.declared[name] != nil || scope.parameter(name) != nil
        let isProperty =
          !isLocal && scope.owner.flatMap { inspector.project.types[$0]?.variables[name] } != nil
        add(words, isProperty ? scope.owner : nil)
        // `let key = fields.key` says the same of the property.
        if isLocal, depth < 3 {
          for binding in (scope.bindings[name] ?? []).prefix(4) {
            guard case .member(_?, name) = binding.value.bare.kind else { continue }
            each(binding.value, scope, depth: depth + 3, add)
          }
        }
      } else if depth < 3 {
        for binding in (scope.bindings[name] ?? []).prefix(4) {
          if case .whole = binding.part { each(binding.value, scope, depth: depth + 3, add) }
        }
      }
    case .member(let base?, let name):
      if let words = words(of: name) {
        let owner = base.isSelf ? scope.owner : inspector.type(of: base, in: scope)
        add(words, owner.map(TypeName.plain))
      } else if Inspector.views.contains(name) || Inspector.fieldTexts.contains(name) {
        each(base, scope, depth: depth + 1, add)
      }
    case .call(let callee, let arguments):
      guard let name = callee.lastName else { return }
      if case .member(let base?, _) = callee.kind, Inspector.views.contains(name) || name == "data"
      {
        each(base, scope, depth: depth + 1, add)
      } else if Inspector.conversions.contains(name) || Inspector.factories.contains(name) {
        for argument in arguments { each(argument.value, scope, depth: depth + 1, add) }
      } else if let key = arguments.first?.value,
        Self.readers.contains(name) || Self.labelsOfReaders.contains(arguments[0].label ?? ""),
        let text = key.literal ?? inspector.constant(key, in: scope)?.text,
        let words = words(of: text)
      {
        add(words, nil)
      } else if arguments.count < 2, let words = words(of: name) {
        add(words, nil)
      }
    case .string(let pieces):
      for case .value(let arguments) in pieces {
        if let first = arguments.first { each(first.value, scope, depth: depth + 1, add) }
      }
    case .binary(let left, let sign, let right) where sign == "+" || sign == "??":
      each(left, scope, depth: depth + 1, add)
      each(right, scope, depth: depth + 1, add)
    case .choice(_, let values):
      for value in values { each(value, scope, depth: depth + 1, add) }
    case .prefix(_, let inner): each(inner, scope, depth: depth + 1, add)
    default: break
    }
  }

  private mutating func note(_ value: Expression, _ scope: Scope, _ role: String) {
    var found: [SecretUse] = []
    each(value, scope) { words, owner in
      found.append(
        SecretUse(
          words: words, owner: owner, file: scope.file.path,
          step: Finding.Step(scope.location(of: value.range), role)))
    }
    uses += found
    let step = Finding.Step(scope.location(of: value.range), role)
    for key in inspector.preferences(readBy: value, in: scope) {
      if let known = preferences[key], known.location <= step.location { continue }
      preferences[key] = step
    }
  }

  private mutating func noteOther(_ value: Expression, _ scope: Scope, _ role: String) {
    var found: [SecretUse] = []
    each(value, scope) { words, owner in
      guard WeakNames.contains(words) else { return }
      found.append(
        SecretUse(
          words: words, owner: owner, file: scope.file.path,
          step: Finding.Step(scope.location(of: value.range), role)))
    }
    others += found
    shown.formUnion(inspector.preferences(readBy: value, in: scope))
  }

  // MARK: Code

  mutating func collect(_ scope: Scope) {
    kept = inspector.placesOfKeptValues(in: scope)
    for call in scope.calls { collect(call, scope) }
    for assignment in scope.assignments { collect(assignment, scope) }
    for dictionary in scope.dictionaries {
      guard case .dictionary(let pairs) = dictionary.kind else { continue }
      for pair in pairs { collect(entry: pair.key, pair.value, scope) }
    }
    for bindings in scope.bindings.values {
      for binding in bindings {
        switch binding.part {
        case .element(let key): collect(entry: key, binding.value, scope)
        case .header(let key): collect(header: key, binding.value, scope)
        default: break
        }
      }
    }
    for string in scope.strings { collect(string, scope) }
    for comparison in scope.comparisons { collect(comparison: comparison, scope) }
    collectParameters(scope)
  }

  /// Collects the properties that a wrapper keeps in the keychain.
  mutating func collect(_ file: SourceFile) {
    for type in file.types { collect(type, file) }
  }

  private mutating func collect(_ type: TypeDeclaration, _ file: SourceFile) {
    for variable in type.variables {
      guard
        variable.attributes.contains(where: { attribute in
          let name = attribute.name.lowercased()
          return UseTable.keychains.contains { name.contains($0) }
        }), let words = words(of: variable.name)
      else { continue }
      let position = file.lines.position(of: variable.nameOffset)
      uses.append(
        SecretUse(
          words: words, owner: type.name, file: file.path,
          step: Finding.Step(
            Location(path: file.path, start: position, end: position), "is kept in the keychain")))
    }
    collectKeys(type, file)
    for inner in type.types { collect(inner, file) }
  }

  /// Collects the keys of a type beside which it keeps the passphrase of the key.
  private mutating func collectKeys(_ type: TypeDeclaration, _ file: SourceFile) {
    let names = Set(type.variables.map(\.name))
    for variable in type.variables {
      guard SensitiveKind.ofName(variable.name) == .key, let words = words(of: variable.name),
        names.contains(variable.name + "Passphrase") || names.contains(variable.name + "Password")
      else { continue }
      let position = file.lines.position(of: variable.nameOffset)
      uses.append(
        SecretUse(
          words: words, owner: type.name, file: file.path,
          step: Finding.Step(
            Location(path: file.path, start: position, end: position), "has a passphrase"),
          isOfOwner: true))
    }
  }

  private mutating func collect(_ call: Scope.Call, _ scope: Scope) {
    for row in UseTable.rows[call.name] ?? [] {
      let value: Expression? =
        switch row.place {
        case .label(let label): call[label]
        case .position(let position): call[position]
        }
      if let value { note(value, scope, row.role) }
    }
    if let key = call["forHTTPHeaderField"] ?? call["forHTTPHeader"], let value = call[0] {
      collect(header: key, value, scope)
    }
    if let key = call["name"], let value = call["value"],
      ["URLQueryItem", "HTTPHeader", "init"].contains(call.name)
    {
      collect(entry: key, value, scope)
      collect(header: key, value, scope)
    }
    if call.name == "setObject" || call.name == "setValue", let key = call["forKey"],
      let value = call[0]
    {
      collect(entry: key, value, scope)
    }
    if let receiver = call.receiver {
      let written = receiver.written.lowercased()
      if UseTable.keychains.contains(where: written.contains),
        Words.split(call.name).first.map(UseTable.stores.contains) == true
      {
        for argument in call.arguments where !Self.names.contains(argument.label ?? "") {
          note(argument.value, scope, "is stored in the keychain")
        }
      }
    }
    if call.arguments.contains(where: { $0.label != nil }), UseTable.isEntrance(call.name) {
      for argument in call.arguments {
        guard let label = argument.label, words(of: label) != nil else { continue }
        note(argument.value, scope, "is given to \(call.name)")
      }
    }
    collectForeign(call, scope)
    if call.name == "appendingPathComponent" || call.name == "stringByAppendingPathComponent",
      let value = call[0]
    {
      noteOther(value, scope, "is a part of a path")
    }
    if call.name.hasPrefix("isEqual"), let receiver = call.receiver, let other = call[0] {
      collect(compared: receiver, with: other, scope)
      collect(compared: other, with: receiver, scope)
    }
    if let text = call[0]?.literal, Self.isHeader(text),
      let value = call.arguments.dropFirst().first
    {
      // `[NSString stringWithFormat:@"Bearer %@", token]`
      note(value.value, scope, "is sent in a header")
    }
    if call.name == "Text" || call.name == "Label", let value = call[0] {
      noteOther(value, scope, "is shown")
    }
  }

  /// Returns true for the text of a header that lets somebody in, without its value.
  private static func isHeader(_ text: String) -> Bool {
    ["Bearer %@", "Basic %@", "Token token=%@"].contains { text.hasPrefix($0) }
  }

  /// Returns true for a text that begins as such a header: `"Bearer \(token)"`.
  private static func makesHeader(_ value: Expression) -> Bool {
    switch value.bare.kind {
    case .call(_, let arguments): arguments.first?.value.literal.map(isHeader) == true
    case .string(let pieces):
      if pieces.count > 1, case .text(let text)? = pieces.first {
        text.hasPrefix("Bearer ") || text.hasPrefix("Basic ")
      } else {
        false
      }
    default: false
    }
  }

  private static let readers: Set<String> = ["stringForKey", "objectForKey", "valueForKey", "get"]
  private static let labelsOfReaders: Set<String> = ["forKey", "key"]

  /// Collects the arguments whose labels are those of a secret, in calls of functions that the project
  /// does not declare: the framework says what the value is.
  private mutating func collectForeign(_ call: Scope.Call, _ scope: Scope) {
    guard inspector.project.functions[call.name] == nil, inspector.project.types[call.name] == nil,
      !Self.neutral.contains(call.name), call.arguments.count > 1
    else { return }
    for argument in call.arguments {
      guard let label = argument.label, let words = words(of: label), !WeakNames.contains(words)
      else { continue }
      note(argument.value, scope, "is given to \(call.name) as \(label)")
    }
  }

  private static let neutral: Set<String> = ["print", "NSLog", "init", "debug", "info", "log"]

  /// Labels of arguments that are names and not values.
  private static let names: Set<String> = [
    "forKey", "key", "forService", "service", "account", "forAccount", "accessGroup", "for", "as",
  ]

  private mutating func collect(header key: Expression, _ value: Expression, _ scope: Scope) {
    guard let text = key.literal ?? inspector.constant(key, in: scope)?.text ?? key.lastName,
      UseTable.isHeaderOfSecret(text)
    else { return }
    note(value, scope, "is sent in the header \(text)")
  }

  private mutating func collect(entry key: Expression, _ value: Expression, _ scope: Scope) {
    let name = key.bare.lastName ?? ""
    if let role = UseTable.properties[name] {
      note(value, scope, role)
      return
    }
    guard let text = key.literal,
      !kept.contains(where: { $0.contains(value.range.lowerBound) })
    else { return }
    if UseTable.isHeaderOfSecret(text), text.lowercased().contains("auth") {
      note(value, scope, "is sent as \(text)")
    } else if let kind = SensitiveKind.ofKey(text), kind.isSecret, !WeakNames.contains(text) {
      note(value, scope, "is sent as the parameter \(text)")
    }
  }

  private mutating func collect(_ assignment: Scope.Assignment, _ scope: Scope) {
    if let role = UseTable.properties[assignment.name] {
      note(assignment.value, scope, role)
    }
    if Self.makesHeader(assignment.value),
      words(of: assignment.name) != nil
    {
      note(
        Expression(.name(assignment.name), assignment.expression.range), scope,
        "becomes a header that lets somebody in")
    }
    if let base = fieldText(assignment.value), words(of: assignment.name) != nil,
      let found = inspector.sensitivity(ofField: base, in: scope), found.source == .secureField
    {
      note(
        Expression(.name(assignment.name), assignment.expression.range), scope,
        "is typed into a secure field")
    }
    // A property of a framework says what the value is.
    if let target = assignment.target, !target.isSelf, let words = words(of: assignment.name),
      !WeakNames.contains(words), !declared.contains(assignment.name)
    {
      note(assignment.value, scope, "is assigned to the property \(assignment.name)")
    }
    if assignment.name == "text" || assignment.name == "stringValue",
      let target = assignment.target?.lastName?.lowercased(), target.hasSuffix("label")
    {
      noteOther(assignment.value, scope, "is shown in a label")
    }
  }

  private func fieldText(_ value: Expression) -> Expression? {
    guard case .member(let base?, let name) = value.bare.kind, Inspector.fieldTexts.contains(name)
    else { return nil }
    return base
  }

  private mutating func collect(_ string: Expression, _ scope: Scope) {
    guard case .string(let pieces) = string.kind, pieces.count > 1 else { return }
    var before = ""
    for piece in pieces {
      switch piece {
      case .text(let text): before = text
      case .value(let arguments):
        defer { before = "" }
        guard let value = arguments.first?.value else { continue }
        if before.hasSuffix("Bearer ") || before.hasSuffix("Basic ") || before.hasSuffix("token ") {
          note(value, scope, "is sent in a header")
        } else if before.hasSuffix("="),
          let name = before.dropLast().split(whereSeparator: {
            $0 == "&" || $0 == "?" || $0 == " "
          }).last.map(String.init), let kind = SensitiveKind.ofKey(name), kind.isSecret,
          !WeakNames.contains(name)
        {
          note(value, scope, "is sent as the parameter \(name)")
        } else if before.hasSuffix("/") {
          noteOther(value, scope, "is a part of a path")
        }
      }
    }
  }

  /// Two secrets that are compared with each other: what was entered, and what is stored.
  private mutating func collect(comparison: Expression, _ scope: Scope) {
    guard case .binary(let left, _, let right) = comparison.kind else { return }
    collect(compared: left, with: right, scope)
    collect(compared: right, with: left, scope)
  }

  private mutating func collect(
    compared value: Expression, with other: Expression, _ scope: Scope
  ) {
    if other.literal?.isEmpty == false {
      noteOther(value, scope, "is compared with a text in the code")
    } else if fieldText(other) != nil, let name = value.lastName, words(of: name) != nil,
      fieldText(value) == nil, SensitiveKind.ofName(name) == .credential
    {
      note(value, scope, "is compared with what is typed")
    } else if let name = value.lastName, let other = other.lastName, words(of: name) != nil,
      words(of: other) != nil, SensitiveKind.ofName(name) == .credential,
      SensitiveKind.ofName(other) == .credential
    {
      note(value, scope, "is compared with what is stored")
    }
  }

  /// The parameters of functions that let somebody in.
  private mutating func collectParameters(_ scope: Scope) {
    guard let function = scope.function, UseTable.isEntrance(function.name) else { return }
    for parameter in function.parameters {
      for name in [parameter.label, parameter.name].compactMap(\.self) {
        guard let words = words(of: name) else { continue }
        let position = scope.file.lines.position(of: parameter.nameOffset)
        uses.append(
          SecretUse(
            words: words, owner: nil, file: scope.file.path,
            step: Finding.Step(
              Location(path: scope.file.path, start: position, end: position),
              "is a parameter of \(function.name)")))
      }
    }
  }
}
