import AtRestAuditAnalysis
import AtRestAuditModel

/// Sensitive values in preferences, cookies, pasteboards, activities and notifications.
enum StorageChecks {
  static func add(to set: inout CheckSet) {
    set.onCall(["set", "setObject", "setValue", "setURL", "setString", "setData"]) {
      call, scope, pass in
      guard let key = call["forKey"] ?? call["forKeyPath"], let value = call[0],
        isDefaults(call.receiver, scope, pass)
      else { return }
      preference(value, key, at: call.expression, scope, pass)
    }
    set.onCall(["CFPreferencesSetAppValue", "CFPreferencesSetValue"]) { call, scope, pass in
      guard let key = call[0], let value = call[1] else { return }
      preference(value, key, at: call.expression, scope, pass)
    }
    set.onCall([
      "register", "registerDefaults", "setPersistentDomain", "setValuesForKeys",
      "setValuesForKeysWithDictionary",
    ]) { call, scope, pass in
      guard let value = call[0], isDefaults(call.receiver, scope, pass),
        let found = pass.inspector.sensitivity(of: value, in: scope)
      else { return }
      pass.report(
        .userDefaultsSensitive, found, at: call.expression, in: scope,
        "# is stored in UserDefaults, in clear")
    }
    set.onScope { scope, pass in
      // `defaults["token"] = value`, `Defaults[.token] = value`
      for (name, bindings) in scope.bindings {
        for binding in bindings {
          guard case .element(let key) = binding.part else { continue }
          let receiver = Expression(.name(name), key.range)
          guard name == "Defaults" || isDefaults(receiver, scope, pass) else { break }
          preference(binding.value, key, at: binding.value, scope, pass)
        }
      }
    }
    set.onType { type, file, pass in
      for variable in type.variables { wrapped(variable, file, pass) }
    }
    set.onCall(["setCookie", "setCookies"]) { call, scope, pass in
      guard let value = call[0], let found = cookie(value, scope, pass, depth: 0) else { return }
      pass.report(
        .cookies, found, at: call.expression, in: scope,
        "# goes into the cookie store, in clear in Cookies.binarycookies")
    }
    pasteboard(&set)
    activities(&set)
    large(&set)
  }

  // MARK: Preferences

  private static let defaultsTypes: Set<String> = [
    "UserDefaults", "NSUserDefaults", "NSUbiquitousKeyValueStore", "CFPreferences",
  ]

  private static func isDefaults(
    _ receiver: Expression?, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    guard let receiver else {
      return scope.owner.map { pass.project.type($0, is: defaultsTypes) } ?? false
    }
    if let type = pass.inspector.type(of: receiver, in: scope) {
      return pass.project.type(type, is: defaultsTypes)
    }
    let name = (receiver.lastName ?? "").lowercased()
    return name.hasSuffix("defaults") || name == "prefs" || name == "preferences"
  }

  private static func preference(
    _ value: Expression, _ key: Expression, at place: Expression, _ scope: Scope, _ pass: Pass
  ) {
    let inspector = pass.inspector
    if inspector.isEmpty(value) || inspector.isFlag(value, in: scope)
      || inspector.isProtected(value, in: scope)
    {
      return
    }
    if let found = inspector.sensitivity(ofEntry: key, value, in: scope) {
      pass.report(
        .userDefaultsSensitive, found, at: place, in: scope,
        "# is stored in UserDefaults, in clear")
      return
    }
    if let found = record(of: value, scope, pass) {
      pass.report(
        .userDefaultsSensitive, found, at: place, in: scope,
        "# is stored in UserDefaults, in clear")
      return
    }
    for given in inspector.callers(giving: value, under: key, in: scope) {
      pass.report(
        .userDefaultsSensitive, given.through(scope, place), at: given.call.expression,
        in: given.scope, "# is stored in UserDefaults, in clear")
    }
  }

  /// Why a value is sensitive that is a record of the project, or is made of one.
  static func record(
    of value: Expression, _ scope: Scope, _ pass: Pass, depth: Int = 0
  ) -> Evidence? {
    guard depth < 5 else { return nil }
    if let type = pass.inspector.type(of: value, in: scope), let found = record(type, pass) {
      return found
    }
    switch value.bare.kind {
    case .name(let name):
      guard case .local(let bindings, _, let home) = pass.inspector.meaning(of: name, in: scope),
        bindings.count == 1
      else { return nil }
      return record(of: bindings[0].value, home, pass, depth: depth + 1)
    case .call(let callee, let arguments):
      guard let name = callee.lastName,
        Inspector.containers.contains(name) || Inspector.conversions.contains(name)
          || Inspector.factories.contains(name), let inner = arguments.first?.value
      else { return nil }
      return record(of: inner, scope, pass, depth: depth + 1)
    case .array(let elements):
      return elements.first.flatMap { record(of: $0, scope, pass, depth: depth + 1) }
    default: return nil
    }
  }

  /// Why a record of the project is sensitive: by what it holds.
  static func record(_ type: String, _ pass: Pass) -> Evidence? {
    guard let facts = pass.project.types[TypeName.element(type) ?? TypeName.plain(type)] else {
      return nil
    }
    for (name, (variable, _)) in facts.variables.sorted(by: { $0.key < $1.key })
    where !variable.isStatic && variable.accessors.isEmpty {
      if let declared = variable.type, pass.inspector.isSilent(declared) { continue }
      if let found = Sensitivity.ofName(name), found.isSecret || found == .payment {
        return Evidence(sensitivity: found, name: "\(facts.name).\(name)", trail: [])
      }
    }
    return nil
  }

  /// `@AppStorage("token") var token`, and wrappers of the project's own over UserDefaults.
  private static func wrapped(_ variable: Variable, _ file: SourceFile, _ pass: Pass) {
    for attribute in variable.attributes {
      let name = attribute.name
      guard
        name == "AppStorage" || name == "SceneStorage" || name.contains("UserDefault")
          || name == "Default" || wrapsDefaults(name, pass)
      else { continue }
      if let type = variable.type, pass.inspector.isSilent(type) { continue }
      if case .boolean? = variable.value?.kind { continue }
      let key = attribute.arguments.first {
        $0.value.literal != nil && $0.label != "wrappedValue"
          && $0.label?.hasPrefix("default") != true
      }?.value.literal
      guard let found = key.flatMap(Sensitivity.ofKey) ?? Sensitivity.ofName(variable.name) else {
        continue
      }
      pass.report(
        .userDefaultsSensitive, at: variable.range, in: file,
        "\(found.noun) (\(variable.name)) is stored by @\(name), in clear")
    }
  }

  /// Whether a property wrapper of the project keeps its value in UserDefaults.
  private static func wrapsDefaults(_ name: String, _ pass: Pass) -> Bool {
    guard let facts = pass.project.types[name],
      facts.declarations.contains(where: { declaration in
        declaration.type.attributes.contains { $0.name == "propertyWrapper" }
      }),
      let accessors = facts.variables["wrappedValue"]?.variable.accessors
    else { return false }
    return accessors.contains { accessor in
      (pass.project.functions[accessor.name] ?? []).contains { declared in
        declared.function === accessor
          && declared.scope.calls.contains {
            $0["forKey"] != nil && $0.name.hasPrefix("set")
              && isDefaults($0.receiver, declared.scope, pass)
          }
      }
    }
  }

  private static func large(_ set: inout CheckSet) {
    set.onCall(["set", "setObject", "setValue"]) { call, scope, pass in
      guard call["forKey"] != nil, let value = call[0], isDefaults(call.receiver, scope, pass),
        let what = largeKind(value, scope, pass)
      else { return }
      pass.report(
        .userdefaultsLarge, at: call.expression, in: scope,
        "\(what) in UserDefaults: all of it is read into memory at each launch and written whole at "
          + "each change")
    }
  }

  private static func largeKind(
    _ value: Expression, _ scope: Scope, _ pass: Pass, depth: Int = 0
  ) -> String? {
    var value = value
    if case .name = value.kind,
      case .local(let bindings, _, _) = pass.inspector.meaning(of: value.path ?? "", in: scope),
      let first = bindings.first
    {
      value = first.value
    }
    guard depth < 4, case .call(let callee, let arguments) = value.bare.kind else { return nil }
    if case .member(let base?, let name) = callee.kind, Inspector.views.contains(name) {
      return largeKind(base, scope, pass, depth: depth + 1)
    }
    switch callee.lastName {
    case "pngData", "jpegData", "UIImagePNGRepresentation", "UIImageJPEGRepresentation":
      return "an image"
    case "Data", "NSData", "dataWithContentsOfFile", "dataWithContentsOfURL",
      "initWithContentsOfFile":
      return arguments.first?.label?.hasPrefix("contentsOf") == true
        || callee.lastName?.contains("WithContents") == true ? "a whole file" : nil
    default: return nil
    }
  }

  // MARK: Cookies

  private static func cookie(
    _ value: Expression, _ scope: Scope, _ pass: Pass, depth: Int
  ) -> Evidence? {
    guard depth < 4 else { return nil }
    if case .name(let name) = value.bare.kind,
      case .local(let bindings, _, let home) = pass.inspector.meaning(of: name, in: scope)
    {
      for binding in bindings {
        if let found = cookie(binding.value, home, pass, depth: depth + 1) { return found }
      }
    }
    if case .call(let callee, let arguments) = value.bare.kind {
      if callee.lastName == "HTTPCookie" || callee.lastName == "cookieWithProperties"
        || callee.lastName == "initWithProperties", let properties = arguments.first?.value,
        let entries = pass.inspector.dictionary(properties, in: scope)
      {
        return cookie(entries, pass)
      }
      let receiver: Expression? =
        if case .member(let base?, _) = callee.kind { base } else { nil }
      for declared in pass.inspector.functions(
        called: callee.lastName ?? "", receiver: receiver, in: scope, arguments: arguments.count)
      {
        for result in declared.scope.returns {
          if let found = cookie(result, declared.scope, pass, depth: depth + 1) { return found }
        }
      }
    }
    if case .array(let elements) = value.bare.kind {
      return elements.lazy.compactMap { cookie($0, scope, pass, depth: depth + 1) }.first
    }
    return pass.inspector.sensitivity(of: value, in: scope)
  }

  private static func cookie(_ entries: DictionaryFacts, _ pass: Pass) -> Evidence? {
    for key in ["value", "NSHTTPCookieValue"] {
      if let entry = entries[key],
        let found = pass.inspector.sensitivity(of: entry.value, in: entry.scope)
      {
        return found
      }
    }
    for key in ["name", "NSHTTPCookieName"] {
      guard let entry = entries[key],
        let text = pass.inspector.constant(entry.value, in: entry.scope)?.text
      else { continue }
      if let found = Sensitivity.ofKey(text) {
        return Evidence(sensitivity: found, name: "the cookie \(text)", trail: [])
      }
    }
    return nil
  }

  // MARK: The pasteboard

  private static func pasteboard(_ set: inout CheckSet) {
    set.onAssignment(["string", "strings", "items", "url", "setString"]) {
      assignment, scope, pass in
      guard let target = assignment.target,
        pass.inspector.type(of: target, in: scope).map(TypeName.plain) == "UIPasteboard"
          || (target.lastName ?? "").lowercased().contains("pasteboard")
      else { return }
      copied(assignment.value, at: assignment.expression, scope, pass)
    }
    set.onCall([
      "setString", "setValue", "setData", "setItems", "addItems", "setObject", "setObjects",
    ]) { call, scope, pass in
      guard let receiver = call.receiver, let value = call[0],
        (pass.inspector.type(of: receiver, in: scope).map(TypeName.plain) ?? "").hasSuffix(
          "Pasteboard")
          || (receiver.lastName ?? "").lowercased().contains("pasteboard")
      else { return }
      if let options = call["options"],
        pass.inspector.dictionary(options, in: scope).map({
          $0.keys.contains { $0.contains("localOnly") || $0.contains("LocalOnly") }
            && $0.keys.contains { $0.contains("xpiration") }
        }) == true
      {
        return
      }
      copied(value, at: call.expression, scope, pass)
    }
  }

  private static func copied(
    _ value: Expression, at place: Expression, _ scope: Scope, _ pass: Pass
  ) {
    let message = "# goes to the pasteboard, where every app and nearby device can read it"
    if let found = pass.inspector.sensitivity(of: value, in: scope) {
      pass.report(.pasteboard, found, at: place, in: scope, message)
      return
    }
    for given in pass.inspector.callers(giving: value, in: scope) {
      pass.report(
        .pasteboard, given.through(scope, place), at: given.call.expression, in: given.scope,
        message)
    }
  }

  // MARK: Activities and notifications

  private static func isActivity(
    _ target: Expression, at assignment: Scope.Assignment, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    if let type = pass.inspector.type(of: target, in: scope).map(TypeName.plain) {
      return type == "NSUserActivity" || type == "CSSearchableItemAttributeSet"
    }
    // `.userActivity("…") { activity in … }`
    return assignment.name == "userInfo"
      && scope.calls.contains {
        $0.name == "userActivity"
          && $0.expression.range.contains(assignment.expression.range.lowerBound)
      }
  }

  private static func activities(_ set: inout CheckSet) {
    set.onAssignment(["userInfo", "title", "webpageURL", "keywords", "contentDescription"]) {
      assignment, scope, pass in
      guard let target = assignment.target, isActivity(target, at: assignment, scope, pass),
        let found = pass.inspector.sensitivity(of: assignment.value, in: scope)
      else { return }
      pass.report(
        .userActivitySensitive, found, at: assignment.expression, in: scope,
        "# is in a user activity, which is indexed, stored and handed to other devices")
    }
    set.onCall(["addUserInfoEntries", "addUserInfoEntriesFromDictionary"]) { call, scope, pass in
      guard let value = call[0], let found = pass.inspector.sensitivity(of: value, in: scope) else {
        return
      }
      pass.report(
        .userActivitySensitive, found, at: call.expression, in: scope,
        "# is in a user activity, which is indexed, stored and handed to other devices")
    }
    set.onAssignment(["body", "title", "subtitle", "userInfo", "alertBody", "alertTitle"]) {
      assignment, scope, pass in
      guard let target = assignment.target,
        let type = pass.inspector.type(of: target, in: scope).map(TypeName.plain),
        type == "UNMutableNotificationContent" || type == "UILocalNotification"
          || type == "UNNotificationContent",
        let found = pass.inspector.sensitivity(of: assignment.value, in: scope)
      else { return }
      pass.report(
        .notificationSensitive, found, at: assignment.expression, in: scope,
        "# is in a notification, which is stored and shown on the locked screen")
    }
  }
}
