import AtRestAuditAnalysis
import AtRestAuditModel

/// Items of the keychain: how they are protected, where they go, when they are wiped.
enum KeychainChecks {
  static func add(to set: inout CheckSet) {
    set.onCall(["SecItemAdd"]) { call, scope, pass in
      guard let query = call[0] else { return }
      added(query, by: call, scope, pass)
    }
    set.onCall(["SecItemUpdate"]) { call, scope, pass in
      guard let change = call[1], let entries = pass.inspector.dictionary(change, in: scope) else {
        return
      }
      travels(entries, pass)
    }
    set.onCall(["SecKeyCreateRandomKey", "SecKeyGeneratePair"]) { call, scope, pass in
      guard let query = call[0] else { return }
      generated(query, by: call, scope, pass)
    }
    set.onMention([
      "kSecAttrAccessibleAlways", "kSecAttrAccessibleAlwaysThisDeviceOnly",
      "kSecAttrAccessibleAlwaysPrivate", "accessibleAlways", "accessibleAlwaysThisDeviceOnly",
    ]) { mention, scope, pass in
      if scope.compares(mention) { return }
      pass.report(
        .keychainAccessibleAlways, at: mention, in: scope,
        "\(mention.lastName ?? "Always") lets the item be read while the device is locked, even "
          + "before its first unlock")
    }
    set.onMention(["always", "alwaysThisDeviceOnly"]) { mention, scope, pass in
      // `.accessibility(.always)`, `withAccessibility: .always`
      let given = scope.calls.contains { call in
        call.arguments.contains { argument in
          argument.value === mention
            && (call.name.lowercased().contains("accessib")
              || argument.label?.lowercased().contains("accessib") == true
              || argument.label == "withAccess")
        }
      }
      guard given else { return }
      pass.report(
        .keychainAccessibleAlways, at: mention, in: scope,
        "the item can be read while the device is locked, even before its first unlock")
    }
    set.onCall(["synchronizable"]) { call, scope, pass in
      guard let flag = call[0], pass.inspector.isTrue(flag, in: scope),
        isKeychain(call.receiver, scope, pass)
      else { return }
      pass.report(
        .keychainSynchronizable, at: call.expression, in: scope,
        "the item goes to iCloud Keychain and from there to the user's other devices")
    }
    set.onAssignment(["synchronizable", "isSynchronizable"]) { assignment, scope, pass in
      guard pass.inspector.isTrue(assignment.value, in: scope),
        isKeychain(assignment.target, scope, pass)
      else { return }
      pass.report(
        .keychainSynchronizable, at: assignment.expression, in: scope,
        "the item goes to iCloud Keychain and from there to the user's other devices")
    }
    set.onScope(bothInOneQuery)
    set.onScope(wrappers)
    set.onProject(notWipedAtFirstLaunch)
    set.onProject(notWipedAtLogout)
  }

  /// Whether something is a wrapper of the keychain, by its type, its name or what it is made of.
  private static func isKeychain(
    _ receiver: Expression?, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    let type = receiver.flatMap { pass.inspector.type(of: $0, in: scope) } ?? scope.owner ?? ""
    return [type, receiver?.written ?? ""].contains {
      let name = $0.lowercased()
      return name.contains("keychain") || name.contains("valet")
    }
  }

  // MARK: Queries

  private static func added(
    _ query: Expression, by call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    guard let entries = pass.inspector.dictionary(query, in: scope) else { return }
    let itemClass = entries["kSecClass"].map { $0.value.bare.lastName ?? "" } ?? ""
    if itemClass == "kSecClassCertificate" { return }
    let accessible = entries["kSecAttrAccessible"]
    let control = entries["kSecAttrAccessControl"]
    if accessible == nil, control == nil, entries.isComplete {
      pass.report(
        .keychainDefaultAccessibility, at: call.expression, in: scope,
        "the item is added without kSecAttrAccessible; the default lets it into backups and onto "
          + "other devices", trail: entries.trail)
    }
    travels(entries, pass)
    if let accessible, let control, !areAlternatives(accessible, control) {
      excluding(accessible.value, in: accessible.scope, pass)
    }
    if control == nil, entries.isComplete, claimsBiometry(entries, scope, pass) {
      pass.report(
        .keychainNoAccessControl, at: call.expression, in: scope,
        "the item is said to be behind biometry and has no kSecAttrAccessControl, so nothing asks "
          + "for it")
    }
  }

  /// Whether an item moves to other devices: in backups, or through iCloud.
  private static func travels(_ entries: DictionaryFacts, _ pass: Pass) {
    if let accessible = entries["kSecAttrAccessible"] {
      moves(accessible.value, in: accessible.scope, pass)
    }
    if let flag = entries["kSecAttrSynchronizable"] {
      if pass.inspector.isTrue(flag.value, in: flag.scope) {
        pass.report(
          .keychainSynchronizable, at: flag.value, in: flag.scope,
          "the item goes to iCloud Keychain and from there to the user's other devices")
      }
    }
  }

  /// Whether an accessibility lets an item into backups.
  private static func moves(_ accessibility: Expression, in scope: Scope, _ pass: Pass) {
    let names = pass.inspector.names(in: accessibility, scope)
    guard names.contains(where: moving.contains) else { return }
    pass.report(
      .keychainNotThisDeviceOnly, at: accessibility, in: scope,
      "the item is in backups and moves to other devices; its ThisDeviceOnly form does not")
  }

  private static let moving: Set<String> = [
    "kSecAttrAccessibleWhenUnlocked", "kSecAttrAccessibleAfterFirstUnlock",
    "whenUnlocked", "afterFirstUnlock", "accessibleWhenUnlocked", "accessibleAfterFirstUnlock",
  ]

  private static func generated(
    _ query: Expression, by call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    guard let entries = pass.inspector.dictionary(query, in: scope), entries.isComplete,
      let attributes = entries["kSecPrivateKeyAttrs"],
      let inner = pass.inspector.dictionary(attributes.value, in: attributes.scope),
      inner.isComplete,
      let permanent = inner["kSecAttrIsPermanent"] ?? entries["kSecAttrIsPermanent"]
    else { return }
    if case .boolean(false) = permanent.value.bare.kind { return }
    if inner["kSecAttrAccessible"] == nil, inner["kSecAttrAccessControl"] == nil,
      entries["kSecAttrAccessible"] == nil, entries["kSecAttrAccessControl"] == nil
    {
      pass.report(
        .keychainDefaultAccessibility, at: call.expression, in: scope,
        "the private key is kept without kSecAttrAccessible or kSecAttrAccessControl")
    }
  }

  private static func claimsBiometry(
    _ entries: DictionaryFacts, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    var texts = [scope.function?.name ?? "", scope.owner ?? ""]
    for key in ["kSecAttrAccount", "kSecAttrService", "kSecAttrLabel"] {
      if let entry = entries[key] {
        texts.append(entry.value.lastName ?? "")
        texts.append(pass.inspector.constant(entry.value, in: entry.scope)?.text ?? "")
      }
    }
    return texts.contains { text in
      let words = Words.split(text)
      return words.contains {
        ["biometric", "biometrics", "biometry", "touchid", "faceid"].contains($0)
      }
        || zip(words, words.dropFirst()).contains { ($0 == "touch" || $0 == "face") && $1 == "id" }
    }
  }

  private static func bothInOneQuery(_ scope: Scope, _ pass: Pass) {
    for dictionary in scope.dictionaries {
      guard case .dictionary(let pairs) = dictionary.kind else { continue }
      let keys = pairs.map { $0.key.bare.lastName }
      guard keys.contains("kSecAttrAccessControl"),
        let index = keys.firstIndex(of: "kSecAttrAccessible")
      else { continue }
      excluding(pairs[index].value, in: scope, pass)
    }
    for bindings in scope.bindings.values {
      var accessible: Scope.Binding?
      var control: Scope.Binding?
      for binding in bindings {
        guard case .element(let key) = binding.part else { continue }
        if key.bare.lastName == "kSecAttrAccessible" { accessible = binding }
        if key.bare.lastName == "kSecAttrAccessControl" { control = binding }
      }
      if let accessible, let control,
        scope.function?.body?.parts(accessible.offset, control.offset) != true
      {
        excluding(accessible.value, in: scope, pass)
      }
    }
  }

  private static func excluding(_ accessible: Expression, in scope: Scope, _ pass: Pass) {
    pass.report(
      .keychainAccessibilityAndAccessControl, at: accessible, in: scope,
      "kSecAttrAccessible and kSecAttrAccessControl exclude each other: the item is refused, or one "
        + "of the two is not what protects it")
  }

  /// Whether a query has the one or the other, and never both.
  private static func areAlternatives(
    _ first: DictionaryFacts.Entry, _ second: DictionaryFacts.Entry
  ) -> Bool {
    first.scope === second.scope
      && first.scope.function?.body?.parts(
        first.value.range.lowerBound, second.value.range.lowerBound) == true
  }

  // MARK: Wrappers

  /// Wrappers in wide use whose default lets an item leave the device.
  private static func wrappers(_ scope: Scope, _ pass: Pass) {
    for call in scope.calls {
      if let given = call["withAccess"] ?? call["withAccessibility"] ?? call["accessibility"]
        ?? (["accessibility", "setAccessibilityType"].contains(call.name) ? call[0] : nil),
        call.name != "SecItemAdd"
      {
        moves(given, in: scope, pass)
      }
      guard let receiver = call.receiver else {
        if call.name == "Keychain", pass.project.imports.contains("KeychainAccess"),
          pass.project.calls["accessibility"] == nil
        {
          pass.report(
            .keychainDefaultAccessibility, at: call.expression, in: scope,
            "items of this Keychain are kept without an accessibility of their own")
        }
        continue
      }
      switch call.name {
      case "saveData", "updateData":
        guard call["forUserAccount"] != nil, receiver.lastName == "Locksmith" else { continue }
        pass.report(
          .keychainDefaultAccessibility, at: call.expression, in: scope,
          "Locksmith keeps the item without an accessibility of its own")
      case "setString", "setData":
        guard call["forKey"] != nil,
          pass.inspector.type(of: receiver, in: scope) == "UICKeyChainStore",
          !pass.project.hasAssignment(to: "accessibility")
        else { continue }
        pass.report(
          .keychainDefaultAccessibility, at: call.expression, in: scope,
          "UICKeyChainStore keeps the item without an accessibility of its own")
      case "set":
        guard call["forKey"] != nil, call["withAccess"] == nil, call["withAccessibility"] == nil,
          let type = pass.inspector.type(of: receiver, in: scope).map(TypeName.plain),
          type == "KeychainSwift" || type == "KeychainWrapper"
        else { continue }
        pass.report(
          .keychainDefaultAccessibility, at: call.expression, in: scope,
          "\(type) keeps the item without an accessibility of its own")
      case "setPassword", "setPasswordData":
        guard call["forService"] != nil, call["account"] != nil,
          let type = pass.inspector.type(of: receiver, in: scope).map(TypeName.plain),
          type == "SSKeychain" || type == "SAMKeychain",
          pass.project.calls["setAccessibilityType"] == nil
        else { continue }
        pass.report(
          .keychainDefaultAccessibility, at: call.expression, in: scope,
          "\(type) keeps the item without an accessibility unless setAccessibilityType is called")
      default: break
      }
    }
  }

  // MARK: The life of items

  private static let writers = ["SecItemAdd", "SecItemUpdate"]
  private static let deleters: Set<String> = [
    "SecItemDelete", "removeAllKeys", "removeAll", "deletePasswordForService", "deleteItem",
    "removeObject", "removeAllItems", "clear", "deletePassword", "delete", "resetKeychain", "wipe",
    "deleteAllKeys", "removeAllObjects", "clearKeychain", "wipeKeychain", "deleteAll",
  ]

  private static func writesKeychain(_ project: ProjectFacts) -> Bool {
    writers.contains { project.calls[$0] != nil }
      || ["Keychain", "KeychainSwift", "KeychainWrapper", "Valet"].contains {
        project.calls[$0] != nil
      }
      || project.calls["setPassword"]?.contains { $0.call["forService"] != nil } == true
  }

  private static func notWipedAtFirstLaunch(_ pass: Pass) {
    let project = pass.project
    guard writesKeychain(project) else { return }
    // Somewhere a flag is asked for that is only there after the first launch, and items are deleted.
    for scopes in project.scopes {
      for scope in scopes
      where scope.strings.contains(where: { isFirstLaunch($0.literal) })
        || scope.calls.contains(where: { isFirstLaunch($0.name) })
        || isFirstLaunch(scope.function?.name) || scope.mentionsName(isFirstLaunch)
      {
        if deletes(scope, pass, depth: 0) { return }
      }
    }
    guard let launch = launchFunction(project) else { return }
    pass.report(
      .keychainNotWipedFirstLaunch, at: launch.0, in: launch.1,
      "items of the keychain outlive the app's removal, and nothing wipes them at the first launch")
  }

  private static func isFirstLaunch(_ text: String?) -> Bool {
    guard let text, 8..<60 ~= text.utf8.count else { return false }
    let letters = text.utf8.map { $0 | 0x20 }.filter { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
    let name = String(decoding: letters, as: UTF8.self)
    return [
      "firstlaunch", "firstrun", "hasrunbefore", "haslaunched", "freshinstall", "launchedbefore",
      "isfirsttime", "firstopen", "alreadylaunched", "notfirst", "installed", "reinstall",
      "hasbeenlaunched", "firststart", "runbefore",
    ].contains { name.contains($0) }
  }

  private static func notWipedAtLogout(_ pass: Pass) {
    let project = pass.project
    guard writesKeychain(project) else { return }
    for name in project.functions.keys.sorted() where isLogout(name) {
      for declared in project.functions[name] ?? [] {
        guard let body = declared.function.body, !body.statements.isEmpty,
          endsSession(declared.scope), !deletes(declared.scope, pass, depth: 0)
        else { continue }
        // One that hands on to a function outside of the project is not judged.
        if declared.scope.calls.contains(where: {
          if cleaners.contains($0.name) || isDefaults($0.receiver) { return false }
          let words = Words.split($0.name)
          return words.contains("logout") || words.contains("signout")
            || words.contains("clear") || words.contains("remove") || words.contains("delete")
            || words.contains("reset") || words.suffix(2) == ["log", "out"]
            || words.suffix(2) == ["sign", "out"]
        }) {
          continue
        }
        let start = declared.function.nameOffset
        pass.report(
          .keychainNotWipedLogout,
          at: start..<(start + Int32(clamping: declared.function.name.utf8.count)),
          in: declared.scope.file,
          "\(declared.function.name) leaves the items of the keychain to whoever logs in next")
      }
    }
  }

  /// Whether a function of this name logs out: `logout`, `signOutUser`, `didTapLogOutButton`.
  private static func isLogout(_ name: String) -> Bool {
    guard name.utf8.count < 40, name.lowercased().contains("out") else { return false }
    var words = Words.split(name)
    for (first, second) in [("log", "out"), ("sign", "out")] {
      if let index = words.firstIndex(of: first), index + 1 < words.count,
        words[index + 1] == second
      {
        words[index...(index + 1)] = [first + second]
      }
    }
    return words.contains { $0 == "logout" || $0 == "signout" }
      && words.allSatisfy(wordsOfLogout.contains)
  }

  /// Methods of the system that remove something else than items.
  private static let cleaners: Set<String> = [
    "removeFromSuperview", "removeObserver", "deleteCookie",
    "removeAllCachedResponses", "removeAllDeliveredNotifications", "removeFromParent",
    "removeAllPendingNotificationRequests", "removePersistentDomain", "resetStandardUserDefaults",
    "removeFirst", "removeLast", "removeItemAtPath", "removeItemAtURL", "removeData",
  ]

  private static func isDefaults(_ receiver: Expression?) -> Bool {
    let name = (receiver?.written ?? "").lowercased()
    return name.contains("defaults") || name.contains("preferences")
  }

  private static let wordsOfLogout: Set<String> = [
    "logout", "signout", "user", "perform", "do", "did", "tap", "tapped", "press", "pressed",
    "handle", "on", "button", "action", "clicked", "click", "account", "current", "confirm",
    "confirmed", "and", "now", "touched",
  ]

  /// Whether a function forgets a user, and does not only lock a screen.
  private static func endsSession(_ scope: Scope) -> Bool {
    func tells(_ name: String) -> Bool {
      Words.split(name).contains {
        ["user", "token", "session", "account", "credentials", "profile", "login", "root", "auth"]
          .contains($0)
      }
    }
    return scope.assignments.contains { tells($0.name) }
      || scope.calls.contains { call in
        tells(call.name) || call.receiver?.lastName.map(tells) == true
          || call["forKey"]?.literal.map(tells) == true
      }
  }

  /// Whether a function deletes items, itself or through functions of the project.
  private static func deletes(_ scope: Scope, _ pass: Pass, depth: Int) -> Bool {
    for call in scope.calls {
      if call.name == "SecItemDelete" { return true }
      let written = (call.receiver?.written ?? "").lowercased()
      if deleters.contains(call.name) || call.name.lowercased().contains("keychain"),
        written.contains("keychain") || written.contains("valet") || written.contains("locksmith")
          || call.name.lowercased().contains("keychain")
      {
        return true
      }
      guard depth < 3 else { continue }
      for declared in pass.inspector.functions(
        called: call.name, receiver: call.receiver, in: scope, arguments: call.arguments.count)
      where deletes(declared.scope, pass, depth: depth + 1) {
        return true
      }
    }
    return false
  }

  /// Where an app begins: its launch function, or its `App`.
  static func launchFunction(_ project: ProjectFacts) -> (Range<Int32>, SourceFile)? {
    for declared in project.functions["application"] ?? []
    where declared.function.parameters.contains(where: {
      $0.label == "didFinishLaunchingWithOptions"
    }) && declared.function.body != nil {
      let start = declared.function.range.lowerBound
      return (
        start..<(declared.function.nameOffset + 11), declared.scope.file
      )
    }
    return appDeclaration(project)
  }

  /// The declaration of an app's delegate or of its `App`, up to its name.
  static func appDeclaration(_ project: ProjectFacts) -> (Range<Int32>, SourceFile)? {
    for facts in project.types.values.sorted(by: { $0.name < $1.name }) {
      for (type, file) in facts.declarations where type.form != .extension {
        let isApp =
          type.attributes.contains { $0.name == "UIApplicationMain" || $0.name == "main" }
          || type.inherited.contains("UIApplicationDelegate")
          || (type.inherited.contains("App") && type.form == .struct)
        if isApp, file.path.hasSuffix("AppDelegate.h") == false {
          return (
            type.range.lowerBound..<(type.nameOffset + Int32(clamping: type.name.utf8.count)), file
          )
        }
      }
    }
    return nil
  }
}
