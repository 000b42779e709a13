import AtRestAuditAnalysis
import AtRestAuditModel

/// Checks of text fields that code creates.
enum InterfaceChecks {
  static func add(to set: inout CheckSet) {
    set.onCall(["TextField", "TextEditor"]) { call, scope, pass in
      guard call.receiver == nil, scope.file.language == .swift else { return }
      pass.silently(scope.isForDevelopers) { swiftUI(call, scope, pass) }
    }
    set.onType { type, file, pass in
      pass.silently(Scope.isForDevelopers(type.name)) { fields(of: type, file, pass) }
    }
    set.onScope { scope, pass in
      pass.silently(scope.isForDevelopers) { fields(in: scope, pass) }
    }
    set.onCall(["addTextField", "addTextFieldWithConfigurationHandler"]) { call, scope, pass in
      pass.silently(scope.isForDevelopers) { alert(call, scope, pass) }
    }
  }

  private static func swiftUI(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) {
    let title = call[0].flatMap { pass.inspector.constant($0, in: scope)?.text }
    let binding = (call["text"] ?? call["value"])?.bare
    let bound = binding?.lastName.map { $0.hasPrefix("$") ? String($0.dropFirst()) : $0 }
    let caption =
      title.map { $0.contains(where: \.isLetter) } == true
      ? title : label(beside: call, bound, scope, pass)
    let found =
      bound.flatMap(SensitiveKind.ofField)
      ?? caption.flatMap { namesIdentifier($0) ? nil : SensitiveKind.ofCaption($0) }
    guard let found else { return }
    // A modifier of a form holds for all of its fields.
    let modifiers = scope.calls.filter {
      $0.receiver?.rootCall === call.expression
        || $0.name.hasPrefix("autocorrection") || $0.name == "disableAutocorrection"
        ? $0.receiver?.range.contains(call.expression.range.lowerBound) == true : false
    }
    if isOneTime([bound ?? "", title ?? ""], scope) { return }
    let name = bound.flatMap { SensitiveKind.ofField($0) == nil ? nil : $0 } ?? caption ?? "this"
    // The eye beside a field shows what is typed as long as the person wants.
    let isAlternative = scope.calls.contains {
      $0.name == "SecureField" && ($0["text"] ?? $0["value"])?.bare.lastName == binding?.lastName
    }
    if isAlternative || modifiers.contains(where: hides) { return }
    if call.name == "TextField",
      isHidden(found, name)
        || call.name == "TextField"
          && caption.map({ SensitiveKind.ofCaption($0) != nil && isHidden(found, $0) }) == true
    {
      pass.report(
        .secureTextEntryMissing, at: call.expression, in: scope,
        severity: found == .payment ? .low : nil,
        "\(found.noun) (\(name)) is typed into a TextField, which shows it")
      return
    }
    guard found != .personal, found != .location,
      !modifiers.contains(where: { isPlain($0) || isPlainModifier($0, scope, pass) })
    else { return }
    pass.report(
      .autocorrectionNotDisabled, at: call.expression, in: scope,
      severity: severity(found, name),
      "\(found.noun) (\(name)) is typed into a field with autocorrection, so the keyboard learns "
        + "it")
  }

  /// Returns true for a modifier by which nothing of the field is seen, because another view shows dots.
  private static func hides(_ modifier: Scope.Call) -> Bool {
    switch modifier.name {
    case "opacity": return isNone(modifier[0])
    case "frame": return isNone(modifier["width"]) || isNone(modifier["height"])
    case "hidden": return modifier.arguments.isEmpty
    case "foregroundColor", "foregroundStyle": return modifier[0].map(isClear) ?? false
    default: return false
    }
  }

  private static func isNone(_ value: Expression?) -> Bool {
    guard case .number(let text)? = value?.bare.kind else { return false }
    return text == "0" || text.hasPrefix("0.0")
  }

  /// Returns true for a colour that shows nothing: `.clear`, `Color.clear`, `[UIColor clearColor]`.
  private static func isClear(_ color: Expression) -> Bool {
    switch color.bare.kind {
    case .member(_, let name): name == "clear" || name == "clearColor"
    case .call(let callee, let arguments):
      arguments.isEmpty && ["clear", "clearColor"].contains(callee.lastName)
        || callee.lastName == "opacity" && arguments.first.map { isNone($0.value) } == true
    default: false
    }
  }

  /// Returns low for digits, codes and numbers, of which a keyboard learns little, and nil for secrets.
  private static func severity(_ found: SensitiveKind, _ name: String) -> Severity? {
    let words = Words.split(name)
    return !found.isSecret || words.contains { ["code", "otp", "pin"].contains($0) } ? .low : nil
  }

  /// Returns true for a caption that asks for the identifier of something: `Token ID (optional)`.
  private static func namesIdentifier(_ caption: String) -> Bool {
    let words = Words.split(caption.prefix { $0 != "(" && $0 != ":" }.lowercased())
    guard let last = words.last, Vocabulary.otherThings.contains(last) else { return false }
    return WeakNames.contains(Array(words.dropLast())) || WeakNames.contains(words)
  }

  /// Returns the text of the label of a field: `LabeledContent("Password") { TextField("", …) }`, or
  /// `Text("Password")` right before it. Returns nil if there is none.
  private static func label(
    beside call: Scope.Call, _ bound: String?, _ scope: Scope, _ pass: Pass
  ) -> String? {
    let names = Words.split(bound ?? "")
    guard !names.contains(where: Vocabulary.plainSubjects.contains) else { return nil }
    let start = call.expression.range.lowerBound
    let around = scope.calls.filter {
      $0.name == "LabeledContent" && $0.expression.range.contains(start)
    }.min { $0.expression.range.count < $1.expression.range.count }
    if let title = around?[0] { return pass.inspector.constant(title, in: scope)?.text }
    let before = scope.calls.filter {
      ["Text", "TextField", "SecureField", "Toggle", "Button"].contains($0.name)
        && $0.receiver == nil && $0.expression.range.upperBound <= start
        && start - $0.expression.range.upperBound < 160
    }.max { $0.expression.range.upperBound < $1.expression.range.upperBound }
    guard let before, before.name == "Text", let text = before[0] else { return nil }
    return pass.inspector.constant(text, in: scope)?.text.flatMap { $0.count < 30 ? $0 : nil }
  }

  /// Returns true if a field is for a PIN or a code, and a text of the same screen says that it came
  /// in a message.
  private static func isOneTime(_ names: [String], _ scope: Scope) -> Bool {
    names.flatMap(Words.split).contains { ["pin", "code"].contains($0) }
      && scope.strings.contains { string in
        guard let text = string.firstText else { return false }
        return text.contains("SMS") || text.lowercased().contains("one-time")
      }
  }

  /// Returns true for a modifier of the project's own that turns autocorrection off.
  private static func isPlainModifier(
    _ modifier: Scope.Call, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    pass.inspector.functions(for: modifier, in: scope).contains { declared in
      declared.scope.calls.contains(where: isPlain)
    }
  }

  private static func isPlain(_ modifier: Scope.Call) -> Bool {
    switch modifier.name {
    case "autocorrectionDisabled", "disableAutocorrection":
      if case .boolean(false)? = modifier[0]?.kind { return false }
      return true
    case "keyboardType":
      return ["numberPad", "decimalPad", "phonePad", "asciiCapableNumberPad"].contains(
        modifier[0]?.lastName)
    case "textContentType":
      return ["password", "newPassword", "oneTimeCode"].contains(modifier[0]?.lastName)
    default: return false
    }
  }

  /// Returns true if a value must be hidden from anyone who looks over the shoulder.
  static func isHidden(_ sensitivity: SensitiveKind, _ name: String) -> Bool {
    let lower = name.lowercased()
    if Vocabulary.securityQuestions.contains(where: lower.contains) { return false }
    switch sensitivity {
    case .credential:
      let words = Words.split(name)
      return !words.contains("otp") && !words.contains("totp") && !words.contains("code")
        && !words.contains("answer") && !words.contains("question")
    case .payment:
      return Words.split(name).contains {
        ["cvv", "cvc", "csc", "cvv2", "cvc2", "pin"].contains($0)
      }
    default: return false
    }
  }

  /// Checks the fields that a type creates. Outlets are checked in their interface files.
  private static func fields(of type: TypeDeclaration, _ file: SourceFile, _ pass: Pass) {
    for variable in type.variables
    where !variable.attributes.contains(where: { $0.name == "IBOutlet" }) {
      let settings: [String: Expression]
      let range: Range<Int32>
      var home = file
      if let value = variable.value {
        guard let made = madeField(value) else { continue }
        let outer = self.settings(of: variable.name, in: type.name, pass)
        settings = self.settings(in: value, called: made.name).merging(outer) { first, _ in first }
        range = variable.nameOffset..<value.range.upperBound
      } else {
        let writes =
          pass.inspector.writes(to: variable.name, of: type.name)
          + pass.inspector.writes(to: "_" + variable.name, of: type.name)
        guard let made = writes.first(where: { madeField($0.value) != nil }) else { continue }
        let underscored = self.settings(of: "_" + variable.name, in: type.name, pass)
        settings = self.settings(of: variable.name, in: type.name, pass)
          .merging(underscored) { first, _ in first }
        range = made.value.range
        home = made.scope.file
      }
      let scope = pass.inspector.scope(of: variable, in: home, owner: type.name)
      guard let (found, name) = subject(variable.name, settings, scope, pass) else { continue }
      judge(found, name, settings, at: range, in: home, pass)
    }
  }

  /// Checks the fields that a function creates and puts on the screen.
  private static func fields(in scope: Scope, _ pass: Pass) {
    guard scope.function != nil else { return }
    for variable in scope.variables {
      guard let value = variable.value, madeField(value) != nil else { continue }
      var settings: [String: Expression] = [:]
      gather(variable.name, in: scope, pass, to: &settings)
      guard let (found, name) = subject(variable.name, settings, scope, pass) else { continue }
      judge(
        found, name, settings, at: variable.nameOffset..<value.range.upperBound,
        in: scope.file, pass)
    }
  }

  /// Returns what a field is for, and the text that says so: its name, its content type or its
  /// placeholder.
  private static func subject(
    _ name: String, _ settings: [String: Expression], _ scope: Scope, _ pass: Pass
  ) -> (SensitiveKind, String)? {
    if let found = SensitiveKind.ofField(name) {
      // A screen for a password and a code has one field for both, and its caption says which.
      let texts = settings["placeholder"].map { $0.texts } ?? []
      return texts.contains(where: isOfCode) ? nil : (found, name)
    }
    switch settings["textContentType"]?.lastName {
    case "password", "newPassword", "UITextContentTypePassword", "UITextContentTypeNewPassword":
      return (.credential, name)
    case "creditCardNumber": return (.payment, name)
    default: break
    }
    let words = Words.split(name)
    guard !words.contains(where: Vocabulary.plainSubjects.contains),
      let placeholder = settings["placeholder"] ?? settings["placeholderString"],
      let text = pass.inspector.constant(placeholder, in: scope)?.text,
      !namesIdentifier(text), let found = SensitiveKind.ofCaption(text),
      found.isSecret
    else { return nil }
    return (found, text)
  }

  /// Returns true for a caption, or the key of one, that asks for a code which came in a message.
  private static func isOfCode(_ text: String) -> Bool {
    let words = Words.split(text).joined(separator: " ")
    return Vocabulary.oneTimePhrases.contains(where: words.contains)
  }

  /// Checks a field in an alert. Its placeholder shows what the field is for.
  private static func alert(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) {
    guard let setup = call.arguments.last?.value, case .closure(let closure) = setup.kind else {
      return
    }
    let name = closure.parameters.first ?? "$0"
    var settings: [String: Expression] = [:]
    for assignment in scope.assignments
    where setup.range.contains(assignment.expression.range.lowerBound)
      && assignment.target?.path == name
    {
      settings[assignment.name] = assignment.value
    }
    guard
      let text = settings["placeholder"].flatMap({ pass.inspector.constant($0, in: scope)?.text }),
      !namesIdentifier(text), let found = SensitiveKind.ofCaption(text)
    else { return }
    let start = max(call.receiver?.range.upperBound ?? 0, call.expression.range.lowerBound)
    judge(
      found, text, settings, at: start..<max(start + 1, setup.range.upperBound), in: scope.file,
      pass)
  }

  private static func judge(
    _ found: SensitiveKind, _ name: String, _ settings: [String: Expression],
    at range: Range<Int32>, in file: SourceFile, _ pass: Pass
  ) {
    // A field of the project's own has a switch of its own.
    if settings.keys.contains(where: { $0.lowercased().contains("password") }) { return }
    let secure = settings["isSecureTextEntry"] ?? settings["secureTextEntry"]
    if case .boolean(true)? = secure?.kind { return }
    // The hidden field receives the text, and another view shows dots.
    if case .boolean(true)? = (settings["isHidden"] ?? settings["hidden"])?.kind { return }
    if settings["textColor"].map(isClear) == true { return }
    if isHidden(found, name) {
      // Code decides while it runs, unless it says no in so many words.
      if let secure, !secure.isFalse { return }
      pass.report(
        .secureTextEntryMissing, at: range, in: file,
        severity: file.imports.contains("AppKit") || file.imports.contains("Cocoa")
          || found == .payment ? .low : nil,
        "\(found.noun) (\(name)) is typed into a field that shows it")
    } else if found != .personal, found != .location, !file.imports.contains("AppKit"),
      !file.imports.contains("Cocoa"),
      !["no", "UITextAutocorrectionTypeNo"].contains(settings["autocorrectionType"]?.lastName),
      ![
        "numberPad", "decimalPad", "phonePad", "asciiCapableNumberPad", "UIKeyboardTypeNumberPad",
        "UIKeyboardTypeDecimalPad", "UIKeyboardTypePhonePad", "UIKeyboardTypeASCIICapableNumberPad",
      ].contains(settings["keyboardType"]?.lastName)
    {
      pass.report(
        .autocorrectionNotDisabled, at: range, in: file, severity: severity(found, name),
        "\(found.noun) (\(name)) is typed into a field with autocorrection, so the keyboard learns "
          + "it")
    }
  }

  /// Returns true for an expression that creates a text field.
  static func makesField(_ value: Expression) -> Bool { madeField(value) != nil }

  /// Returns true for the name of a type of text fields: `UITextField`, `SkyFloatingLabelTextField`.
  private static func isField(_ name: String) -> Bool {
    name == "UITextView"
      || name.hasSuffix("TextField") && name != "TextField" && !name.contains("Secure")
        && name.first?.isUppercase == true
  }

  /// Recognises an expression that creates a text field: `UITextField()`,
  /// `[[UITextField alloc] init]`, or a closure that creates one.
  ///
  /// - Returns: The name of the field within the closure, if there is one. Any other expression
  ///   returns nil.
  private static func madeField(_ value: Expression) -> (name: String?, Void)? {
    guard case .call(let callee, let arguments) = value.kind,
      // `NSTextField(labelWithString: "Password")`
      arguments.first?.label?.lowercased().contains("label") != true
    else { return nil }
    switch callee.kind {
    case .name(let name) where isField(name): return (nil, ())
    case .member(let base?, let name) where name.hasPrefix("init") || name == "new":
      if case .name(let type) = base.kind, isField(type) { return (nil, ()) }
      guard case .call(let inner, _) = base.kind, case .member(let type?, "alloc") = inner.kind,
        case .name(let name) = type.kind, isField(name)
      else { return nil }
      return (nil, ())
    default: break
    }
    guard case .closure(let closure) = callee.kind else { return nil }
    for case .variable(let variable) in closure.body.statements {
      if let inner = variable.value, madeField(inner) != nil { return (variable.name, ()) }
    }
    return nil
  }

  private static func settings(in value: Expression, called name: String?) -> [String: Expression] {
    // An initialiser of the project's own: `UITextField(placeholder: "Password", isSecureTextEntry: true)`
    if name == nil, case .call(_, let arguments) = value.kind {
      return Dictionary(
        arguments.compactMap { argument in
          argument.label.flatMap { $0.hasSuffix("ecureTextEntry") ? ($0, argument.value) : nil }
        }, uniquingKeysWith: { first, _ in first })
    }
    guard let name, case .call(let callee, _) = value.kind, case .closure(let closure) = callee.kind
    else { return [:] }
    var settings: [String: Expression] = [:]
    for case .expression(let expression) in closure.body.statements {
      if case .assignment(let target, _, let value) = expression.kind,
        case .member(let base?, let property) = target.kind, base.path == name
      {
        settings[property] = value
      }
    }
    return settings
  }

  /// Returns the properties that the methods of a type set on a field.
  private static func settings(
    of name: String, in type: String, _ pass: Pass
  ) -> [String: Expression] {
    var settings: [String: Expression] = [:]
    for declaration in pass.project.types[type]?.declarations ?? [] {
      for function in declaration.type.functions {
        if let scope = pass.project.scope(of: function) {
          gather(name, in: scope, pass, to: &settings)
        }
      }
    }
    return settings
  }

  private static func gather(
    _ name: String, in scope: Scope, _ pass: Pass, depth: Int = 0,
    to settings: inout [String: Expression]
  ) {
    // A button that shows the password sets the property to false, and something else to true.
    func set(_ property: String, _ value: Expression) {
      if settings[property] == nil || !value.isFalse { settings[property] = value }
    }
    for binding in scope.bindings[name] ?? [] {
      if case .property(let property) = binding.part { set(property, binding.value) }
    }
    for call in scope.calls {
      if call.name == "toggle", case .member(let field?, let property)? = call.receiver?.kind,
        field.path == name
      {
        set(property, call.expression)
      }
      // `[self.field setSecureTextEntry:YES]`
      if call.name.hasPrefix("set"), call.receiver?.path == name, call.arguments.count == 1 {
        let property = call.name.dropFirst(3)
        set(property.prefix(1).lowercased() + property.dropFirst(), call.arguments[0].value)
      }
      // `configure(passwordField)`
      guard depth < 2, call.arguments.contains(where: { $0.value.path == name }) else { continue }
      for declared in pass.inspector.functions(
        called: call.name, receiver: call.receiver, in: scope, arguments: call.arguments.count)
      {
        for (index, parameter) in declared.function.parameters.enumerated()
        where Inspector.argument(for: index, of: declared.function, in: call)?.path == name {
          gather(parameter.name, in: declared.scope, pass, depth: depth + 1, to: &settings)
        }
      }
    }
  }
}

extension Expression {
  /// The texts in an expression, also those that a function translates.
  fileprivate var texts: [String] {
    if let literal { return [literal] }
    guard case .call(_, let arguments) = bare.kind else { return [] }
    return arguments.compactMap(\.value.literal)
  }

  fileprivate var isFalse: Bool { if case .boolean(false) = bare.kind { true } else { false } }

  /// The call at the root of a chain of modifiers: `TextField(…)` in
  /// `TextField(…).padding().bold()`.
  var rootCall: Expression? {
    var current = self
    while case .call(let callee, _) = current.kind {
      guard case .member(let base?, _) = callee.kind else { return current }
      current = base
    }
    return nil
  }
}
