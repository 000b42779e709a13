import AtRestAuditAnalysis
import AtRestAuditModel

/// The checks for secrets that are literals in code.
enum LiteralChecks {
  static func add(to set: inout CheckSet) {
    set.onScope { scope, pass in
      let isStandIn =
        StandIns.contains(scope.owner ?? "") || StandIns.contains(scope.function?.name ?? "")
      pass.silently(isStandIn) { look(at: scope, pass) }
    }
    set.onType { type, file, pass in
      for variable in type.variables { declared(variable, file, owner: type.name, pass) }
      // A raw value is usually the name of its case, or a number of it.
      // The token of an enum of programs on a chain is one of them.
      for value in type.cases
      where !WeakNames.contains(value.name)
        && value.value?.literal.map({
          $0.contains(where: \.isNumber) && !$0.allSatisfy(\.isNumber)
        })
          == true
      {
        declared(value, file, owner: type.name, pass)
      }
    }
    set.onFile { file, pass in
      for variable in file.variables { declared(variable, file, owner: nil, pass) }
    }
  }

  private static func look(at scope: Scope, _ pass: Pass) {
    for variable in scope.variables { declared(variable, scope.file, owner: scope.owner, pass) }
    for assignment in scope.assignments { assigned(assignment, scope, pass) }
    for call in scope.calls {
      given(call, scope, pass)
      compared(call, scope, pass)
    }
    for dictionary in scope.dictionaries { entered(dictionary, scope, pass) }
    for comparison in scope.comparisons {
      compared(comparison, scope, pass)
      LiteralLists.compared(comparison, scope, pass)
    }
    for call in scope.calls { LiteralLists.contained(call, scope, pass) }
    for string in scope.strings { known(string, scope, pass) }
    if let function = scope.function, scope.returns.count == 1,
      let text = scope.returns[0].literal
    {
      judge(function.name, text, at: scope.returns[0], from: nil, scope.file, pass)
    }
    for parameter in scope.function?.parameters ?? [] {
      guard let value = parameter.value, let text = value.literal else { continue }
      judge(parameter.name, text, at: value, from: parameter.nameOffset, scope.file, pass)
    }
  }

  private static func declared(
    _ variable: Variable, _ file: SourceFile, owner: String?, _ pass: Pass
  ) {
    let text = variable.value.flatMap(text)
    guard text != nil || variable.value.map(isBytes) == true || !variable.accessors.isEmpty,
      !ScopeBuilder.isDebug(variable.condition)
    else { return }
    let isStandIn =
      StandIns.contains(variable.name)
      || owner.map {
        StandIns.contains($0) || namesKeys($0) || Words.split($0).first == "test"
      } == true
    pass.silently(isStandIn) { judge(variable, text, file, pass) }
  }

  private static func judge(
    _ variable: Variable, _ text: String?, _ file: SourceFile, _ pass: Pass
  ) {
    if let text = variable.value?.literal, pass.project.names.contains(variable.name),
      Literal.isNameLike(text) || Literal.form(of: text) != .random && text.first?.isLetter == true
    {
      return
    }
    if let value = variable.value {
      if let text {
        judge(variable.name, text, at: value, from: variable.nameOffset, file, pass)
      } else if let sensitivity = SensitiveKind.ofName(variable.name), sensitivity == .key,
        isBytes(value)
      {
        pass.report(
          .hardcodedKey, at: variable.nameOffset..<value.range.upperBound, in: file,
          "the key \(variable.name) is in the code and the same in every installation",
          secrets: file.secrets(in: value))
      }
    }
    // `var clientSecret: String { switch self { case .production: return "…" } }`
    if let getter = variable.accessors.first(where: { $0.name == "get" }),
      let scope = pass.project.scope(of: getter), 2...12 ~= scope.returns.count
    {
      for value in scope.returns {
        guard let text = value.literal, text.utf8.count >= 12, text.contains(where: \.isNumber)
        else { continue }
        judge(variable.name, text, at: value, from: nil, file, pass)
      }
    }
    // `var apiKey: String { "…" }`
    if let getter = variable.accessors.first(where: { $0.name == "get" }),
      let statement = getter.body?.statements.first, getter.body?.statements.count == 1
    {
      switch statement {
      case .expression(let value), .returns(let value?):
        if let text = value.literal {
          judge(variable.name, text, at: value, from: value.range.lowerBound, file, pass)
        }
      default: break
      }
    }
  }

  /// Returns true for types whose constants are names: `CodingKeys`, `DefaultsKey`, `Headers`.
  private static func namesKeys(_ type: String) -> Bool {
    guard let last = Words.split(type).last else { return false }
    return ["key", "keys", "header", "headers", "names", "identifiers", "columns"].contains(last)
      && SensitiveKind.ofName(type) == nil
  }

  private static func assigned(_ assignment: Scope.Assignment, _ scope: Scope, _ pass: Pass) {
    guard let text = text(of: assignment.value) else { return }
    var name = assignment.name
    if Inspector.fieldTexts.contains(name), let field = assignment.target?.lastName {
      guard SensitiveKind.ofField(field) != nil, SensitiveKind.isField(field) else { return }
      judge(
        field, text, at: assignment.value, from: assignment.expression.range.lowerBound, scope.file,
        pass,
        sensitivity: SensitiveKind.ofField(field))
      return
    }
    if name.hasPrefix("_") { name.removeFirst() }
    judge(
      name, text, at: assignment.value, from: assignment.expression.range.lowerBound, scope.file,
      pass)
  }

  private static func given(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) {
    for argument in call.arguments {
      guard let text = text(of: argument.value) else { continue }
      if let label = argument.label, !keyLabels.contains(label) {
        // The secret key of a cloud's account is no key of a cipher.
        let isOfAccount =
          call.name.contains("Credentials") && SensitiveKind.ofName(label) == .key
        judge(
          label, text, at: argument.value, from: nil, scope.file, pass,
          sensitivity: isOfAccount ? .credential : nil)
      }
    }
    // `store("taoGi")`, if the parameter of the function is named like a password.
    if call.arguments.contains(where: { $0.label == nil && text(of: $0.value) != nil }) {
      for declared in pass.inspector.functions(
        called: call.name, receiver: call.receiver, in: scope, arguments: call.arguments.count)
      {
        for (index, parameter) in declared.function.parameters.enumerated()
        where parameter.label == nil {
          guard let value = Inspector.argument(for: index, of: declared.function, in: call),
            let text = text(of: value)
          else { continue }
          judge(parameter.name, text, at: value, from: nil, scope.file, pass)
        }
      }
    }
    // `request.setValue("Bearer abc…", forHTTPHeaderField: "Authorization")`,
    // `set("…", forKey: "PIN")`
    if let key = call["forKey"] ?? call["forHTTPHeaderField"] ?? call["forHTTPHeader"],
      let value = call[0], let text = text(of: value), call.arguments.count >= 2,
      let name = pass.inspector.constant(key, in: scope)?.text
    {
      judge(
        name, text, at: value, from: nil, scope.file, pass, sensitivity: SensitiveKind.ofKey(name))
    }
    // `setPassword:@"…" forService:…`, `savePassword("…")`
    if let value = call[0], call.arguments[0].label == nil, let text = text(of: value) {
      var words = Words.split(call.name)
      if let first = words.first, ["set", "save", "store", "update", "init"].contains(first) {
        words.removeFirst()
        if words.first == "with" { words.removeFirst() }
        let name = words.joined(separator: "_")
        if !words.isEmpty, call["forKey"] == nil {
          judge(name, text, at: value, from: nil, scope.file, pass)
        }
      }
    }
  }

  /// Labels of arguments that are names rather than values.
  private static let keyLabels: Set<String> = [
    "forKey", "key", "forService", "service", "named", "name", "identifier", "withIdentifier",
    "account",
    "forHTTPHeaderField", "of", "title", "message", "placeholder", "localizedKey", "comment",
    "prompt",
  ]

  private static func entered(_ dictionary: Expression, _ scope: Scope, _ pass: Pass) {
    guard case .dictionary(let pairs) = dictionary.kind else { return }
    for pair in pairs {
      guard let text = text(of: pair.value),
        let key = pass.inspector.constant(pair.key, in: scope)?.text
      else { continue }
      judge(
        key, text, at: pair.value, from: nil, scope.file, pass,
        sensitivity: SensitiveKind.ofKey(key))
    }
  }

  /// Reports a literal that is compared with a secret: `if password == "letmein"`.
  private static func compared(_ comparison: Expression, _ scope: Scope, _ pass: Pass) {
    guard case .binary(let left, _, let right) = comparison.kind else { return }
    for (value, other) in [(left, right), (right, left)] {
      guard let text = value.literal, text.utf8.count > 3, text.contains(where: \.isLetter),
        // A comparison without regard to case is one with a keyword.
        !["lowercased", "uppercased"].contains(other.lastName),
        let found = pass.inspector.sensitivity(of: other, in: scope),
        found.sensitivity.isSecret, found.trail.isEmpty
      else { continue }
      judge(
        other.lastName ?? "", text, at: value, from: nil, scope.file, pass,
        sensitivity: found.sensitivity, use: found.entered(at: comparison, in: scope))
    }
  }

  /// Reports a literal that is compared by a call: `[password isEqualToString:@"letmein"]`.
  private static func compared(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) {
    guard ["isEqualToString", "isEqual", "caseInsensitiveCompare"].contains(call.name),
      let receiver = call.receiver, let value = call[0], let text = value.literal,
      text.utf8.count > 3, text.contains(where: \.isLetter),
      let found = pass.inspector.sensitivity(of: receiver, in: scope), found.sensitivity.isSecret,
      found.trail.isEmpty
    else { return }
    judge(
      receiver.lastName ?? "", text, at: value, from: nil, scope.file, pass,
      sensitivity: found.sensitivity, use: found.entered(at: call.expression, in: scope))
  }

  /// Reports a string whose form, or that of one of its pieces, shows that it is a secret.
  private static func known(_ string: Expression, _ scope: Scope, _ pass: Pass) {
    guard case .string(let pieces) = string.kind else { return }
    for (index, piece) in pieces.enumerated() {
      guard case .text(let text) = piece else { continue }
      let known = Literal.known(text)
      if index == 0 { address(text, known, at: string, in: scope, pass) }
      if pieces.count == 1 { part(of: text, at: string, in: scope, pass) }
      if let known { report(known, in: text, at: string, scope, pass) }
    }
  }

  /// Reports an address with a password in it: `https://key:secret@example.org/orders/\(id)`. A token in an
  /// address is told by its form.
  private static func address(
    _ text: String, _ known: RecognisedSecret?, at string: Expression, in scope: Scope,
    _ pass: Pass
  ) {
    guard let password = Literal.password(inAddress: text),
      known == nil || Literal.known(password) == nil
    else { return }
    // `https://key:secret@sentry.example.org/7`
    let host = text.drop { $0 != "@" }.prefix { $0 != "/" }
    let isOfReports = Words.split(String(host)).contains(where: writeOnly.contains)
    pass.silently(StandIns.isDemonstration(path: scope.file.path)) {
      pass.report(
        .hardcodedCredential, at: string.range, in: scope.file,
        severity: isOfReports ? .low : nil,
        "a password is part of an address in the code",
        secrets: scope.file.secrets(in: string, parts: [password]), basis: Basis(.proved))
    }
  }

  /// Reports a secret in a longer text, such as a header or a connection string.
  private static func part(
    of text: String, at string: Expression, in scope: Scope, _ pass: Pass
  ) {
    guard text.utf8.count >= 12, let part = Literal.secretPart(of: text) else { return }
    let secrets = scope.file.secrets(in: string, parts: [part.value])
    pass.silently(StandIns.isDemonstration(path: scope.file.path)) {
      pass.report(
        .hardcodedCredential, at: string.range, in: scope.file,
        severity: part.isOfApp ? .low : .medium,
        "\(part.noun) is in the code, where anyone who has the app can read it",
        secrets: secrets, basis: Basis(.witnessed))
    }
  }

  private static func report(
    _ known: RecognisedSecret, in text: String, at string: Expression, _ scope: Scope,
    _ pass: Pass
  ) {
    // The address around a token can differ from place to place, and hold another secret.
    pass.conceal(scope.file.secrets(in: string, parts: [text]))
    let token = String(decoding: Array(text.utf8)[known.range], as: UTF8.self)
    let isLow =
      scope.isForDevelopers || known.isForTests || known.isRestricted
      || pass.isStandIn(string, scope) || known.kind == .webToken && Literal.isStatement(text)
    pass.report(
      known.kind == .privateKey ? .hardcodedKey : .hardcodedCredential, at: string.range,
      in: scope.file,
      severity: Literal.isPublished(token) ? .note : isLow ? .low : nil,
      "\(known.noun) is in the code",
      secrets: scope.file.secrets(in: string, parts: [token]),
      basis: Basis(.proved))
  }

  /// Returns the text of a literal, even if the literal is converted in place, or nil.
  private static func text(of value: Expression) -> String? {
    if let text = value.literal { return text }
    switch value.kind {
    case .cast(let inner, _): return text(of: inner)
    case .binary(let left, "+", let right):
      guard let first = text(of: left), let second = text(of: right) else { return nil }
      return first + second
    case .binary(_, "??", let standard): return text(of: standard)
    case .call(let callee, let arguments):
      switch callee.kind {
      case .name(let name) where Inspector.conversions.contains(name):
        return arguments.first.flatMap { text(of: $0.value) }
      case .member(let base?, "joined"):
        guard case .array(let parts) = base.kind, arguments.isEmpty else { return nil }
        let texts = parts.compactMap(\.literal)
        return texts.count == parts.count ? texts.joined() : nil
      case .member(let base?, let name) where Inspector.views.contains(name):
        return text(of: base)
      case .member(_, let name) where Inspector.factories.contains(name) && arguments.count == 1:
        return arguments.first.flatMap { text(of: $0.value) }
      default: return nil
      }
    case .member(let base?, let name) where Inspector.views.contains(name): return text(of: base)
    default: return nil
    }
  }

  /// Returns true for the name of a token that stands for a person or a server. A key of an API
  /// often only identifies the app.
  private static func isSecret(_ name: String) -> Bool {
    Words.split(name).contains {
      ["secret", "bearer", "authorization", "access", "auth", "refresh", "session", "jwt"]
        .contains($0)
    }
  }

  /// Returns true for the security code of every test card.
  private static func isOfTestCard(_ text: String, _ name: String) -> Bool {
    let letters = name.lowercased().filter(\.isLetter)
    return text == "123" && ["securitycode", "cvv", "cvc", "csc"].contains(where: letters.contains)
  }

  private static func isBytes(_ value: Expression) -> Bool {
    switch value.kind {
    case .array(let elements):
      let numbers = elements.compactMap { element -> String? in
        if case .number(let text) = element.bare.kind { text } else { nil }
      }
      // The same byte many times is a placeholder or a limit.
      return elements.count >= 8 && numbers.count == elements.count && Set(numbers).count >= 4
    case .cast(let inner, _): return isBytes(inner)
    case .call(let callee, let arguments):
      guard let name = callee.lastName, Inspector.conversions.contains(name) else { return false }
      return arguments.first.map { isBytes($0.value) } ?? false
    default: return false
    }
  }

  static func judge(
    _ name: String, _ text: String, at value: Expression, from start: Int32?, _ file: SourceFile,
    _ pass: Pass, sensitivity: SensitiveKind? = nil, use: Finding.Step? = nil
  ) {
    guard let sensitivity = sensitivity ?? SensitiveKind.ofName(name), text.utf8.count >= 3,
      !Literal.isHarmless(text), !Literal.isIdentifier(text, named: name),
      !Literal.isName(text, named: name, sensitivity), !Literal.isPublic(text)
    else { return }
    let rule: RuleID
    switch sensitivity {
    case .key: rule = .hardcodedKey
    case .token:
      if Literal.isNameOfToken(text) { return }
      rule = .hardcodedCredential
    case .credential:
      if isOfTestCard(text, name) { return }
      rule = .hardcodedCredential
    case .payment:
      guard text.filter(\.isNumber).count >= 3, !isOfTestCard(text, name)
      else { return }
      rule = .hardcodedCredential
    default: return
    }
    let secrets = file.secrets(in: value)
    let isStandIn =
      StandIns.isDemonstration(path: file.path)
      || pass.standIns(in: file).contains { $0.contains(value.range.lowerBound) }
    guard let weight = weigh(name, text, use, at: value, in: file, pass) else {
      pass.conceal(secrets)
      return
    }
    let first = start.map { min($0, value.range.lowerBound) } ?? value.range.lowerBound
    let most: Severity =
      if Pass.isOfApp(name) || opensContainer(name, file, pass)
        || Words.split(name).contains("default")
      {
        // What everybody has from the start opens what nobody has set up yet.
        .low
      } else {
        sensitivity == .token && !isSecret(name) ? .medium : .high
      }
    pass.silently(isStandIn) {
      pass.report(
        rule, at: first..<value.range.upperBound, in: file,
        severity: min(most, weight.limit, Rulebook.severity(of: rule)),
        "\(sensitivity.noun) (\(name)) is in the code, where anyone who has the app can read it",
        secrets: secrets, basis: weight.basis)
    }
  }

  /// Returns true if a constant opens a container for a key and its certificate (PKCS #12), which lies elsewhere.
  private static func opensContainer(_ name: String, _ file: SourceFile, _ pass: Pass) -> Bool {
    pass.project.calls.contains { call, places in
      call.contains("PKCS12")
        && places.contains { $0.scope.file === file && gives(name, $0.call, $0.scope) }
    }
  }

  /// Returns true if a call gets a value by its name, or a scope puts it into a dictionary.
  private static func gives(_ name: String, _ call: Scope.Call, _ scope: Scope) -> Bool {
    call.arguments.contains { $0.value.lastName == name }
      || scope.dictionaries.contains { dictionary in
        guard case .dictionary(let pairs) = dictionary.kind else { return false }
        return pairs.contains { $0.value.lastName == name }
      }
  }

  /// Words of names that say that everybody may know the value.
  private static let publicWords: Set<String> = ["pub", "public", "publishable"]

  /// Services to which an app reports. Their keys identify the app and read nothing.
  static let writeOnly: Set<String> = [
    "mixpanel", "bugsnag", "sentry", "amplitude", "segment", "fabric", "crashlytics", "appcenter",
    "adjust", "appsflyer", "giphy", "instabug", "flurry", "countly", "posthog", "dsn", "telemetry",
    "analytics", "elastic", "datadog",
  ]

  /// Returns true for the name of the key of an API, which identifies the app and is the same for everybody.
  static func isKeyOfApp(_ name: String) -> Bool {
    let words = WeakNames.words(of: name)
    return words.suffix(2) == ["api", "key"] || words.last == "apikey"
  }

  /// Returns true for a key whose name leaves open what it opens: that of a network or of a product can be
  /// known to everybody.
  static func isOpenKey(_ name: String) -> Bool {
    SensitiveKind.ofKey(name) == .key && WeakNames.contains(name)
  }

  /// Weighs a literal: its form and its name are independent, and a use supports the name.
  private static func weigh(
    _ name: String, _ text: String, _ use: Finding.Step?, at place: Expression,
    in file: SourceFile, _ pass: Pass
  ) -> Weight? {
    let words = Words.split(name)
    if words.contains(where: publicWords.contains) { return nil }
    let isOfApp =
      words.contains(where: writeOnly.contains) || isKeyOfApp(name)
      || file.types(at: place.range.lowerBound).contains {
        Words.split($0).contains(where: writeOnly.contains)
      }
    let isWeak = WeakNames.contains(name) || isOfApp
    let witness = use ?? pass.inspector.uses?.witness(for: name, owner: nil, file: file.path)
    let steps = witness.map { [$0] } ?? []
    let isOfKind = WeakNames.words(of: name).count > 1
    // `Bearer` announces a token.
    let isBearer = text.hasPrefix("Bearer ")
    switch Literal.form(of: isBearer ? String(text.dropFirst(7)) : text) {
    case .mixed where isBearer:
      return Weight(basis: Basis(.witnessed), limit: isOfApp ? .low : .medium)
    case .random:
      return Weight(
        basis: Basis(.witnessed, witnesses: steps),
        // `swapToken` can be a coin, and its random text the address at which everybody finds it.
        limit: isOfApp || witness == nil && (isOpenKey(name) || isWeak && isOfKind)
          ? .low : isWeak ? .medium : .high)
    case .mixed where !isWeak || witness != nil:
      return Weight(
        basis: Basis(.witnessed, witnesses: steps),
        limit: isOfApp ? .low : isWeak ? .medium : .high)
    // A word shows by its form that it is no random secret, so a use elsewhere says nothing about it.
    case .words where use != nil:
      return Weight(basis: Basis(.witnessed, witnesses: steps), limit: .medium)
    case .words where witness != nil:
      return Weight(basis: Basis(.witnessed, witnesses: steps), limit: .low)
    case .words where !isWeak: return Weight(basis: Basis(.named), limit: .low)
    default: return nil
    }
  }
}
