import AtRestAuditAnalysis
import AtRestAuditModel

/// Checks of how keychain items are protected, and whether they leave the device.
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
    // `SecKeyCreateRandomKey([… kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, …]])`
    set.onCall(["SecKeyCreateRandomKey", "SecKeyGeneratePair"]) { call, scope, pass in
      guard let attributes = call[0].flatMap({ pass.inspector.dictionary($0, in: scope) }),
        attributes["kSecAttrTokenID"] == nil, let inner = attributes["kSecPrivateKeyAttrs"],
        let entries = pass.inspector.dictionary(inner.value, in: inner.scope)
      else { return }
      travels(entries, pass)
    }
    set.onCall(["SecAccessControlCreateWithFlags"]) { call, scope, pass in
      if let accessibility = call[1] {
        KeychainNotThisDeviceOnly.moves(accessibility, in: scope, pass)
      }
    }
    set.onScope(wrappers)
  }

  private static func added(
    _ query: Expression, by call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    guard let entries = pass.inspector.dictionary(query, in: scope) else { return }
    let itemClass = entries["kSecClass"].map { $0.value.bare.lastName ?? "" } ?? ""
    if itemClass == "kSecClassCertificate" { return }
    let accessible = entries["kSecAttrAccessible"]
    let control = entries["kSecAttrAccessControl"]
    if accessible.map({ isNeverGiven($0, pass) }) != false, control == nil, entries.isComplete,
      entries["kSecAttrSynchronizable"].map({ pass.inspector.isTrue($0.value, in: $0.scope) })
        != true
    {
      pass.report(
        .keychainDefaultAccessibility, at: call.expression, in: scope,
        "the item is added without kSecAttrAccessible, and the default allows it in backups and on "
          + "other devices", trail: entries.trail)
    }
    travels(entries, pass)
    if let accessible, let control, !areAlternatives(accessible, control),
      !KeychainAccessibilityAndAccessControl.removes(scope)
    {
      KeychainAccessibilityAndAccessControl.excluding(accessible.value, in: accessible.scope, pass)
    }
    if control == nil, entries.isComplete, claimsBiometry(entries, scope, pass) {
      pass.report(
        .keychainNoAccessControl, at: call.expression, in: scope,
        "names in the code say that biometry protects the item, but it has no "
          + "kSecAttrAccessControl, so biometry is not required")
    }
  }

  /// Reports an item that moves to other devices, in backups or through iCloud.
  private static func travels(_ entries: DictionaryFacts, _ pass: Pass) {
    if let flag = entries["kSecAttrSynchronizable"],
      pass.inspector.isTrue(flag.value, in: flag.scope)
    {
      pass.report(
        .keychainSynchronizable, at: flag.value, in: flag.scope,
        "iCloud Keychain copies the item to the user's other devices")
      // Such an item cannot be for this device only.
      return
    }
    if let accessible = entries["kSecAttrAccessible"] {
      KeychainNotThisDeviceOnly.moves(accessible.value, in: accessible.scope, pass)
    }
  }

  /// Returns true if an accessibility is a property that is nil unless somebody sets it, and nobody
  /// does.
  private static func isNeverGiven(_ entry: DictionaryFacts.Entry, _ pass: Pass) -> Bool {
    guard case .name(let name) = entry.value.bare.kind, let owner = entry.scope.owner,
      let variable = pass.project.types[owner]?.variables[name]?.variable,
      variable.value?.isNull == true
    else { return false }
    return !pass.project.labels.contains(name) && !pass.project.assigned.contains(name)
      && pass.inspector.writes(to: name, of: owner).isEmpty
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
    return texts.contains(where: namesBiometry)
  }

  /// Returns true if a text names a finger or a face as the protection.
  private static func namesBiometry(_ text: String) -> Bool {
    let words = Words.split(text)
    return words.contains {
      ["biometric", "biometrics", "biometry", "touchid", "faceid"].contains($0)
    }
      || zip(words, words.dropFirst()).contains { ($0 == "touch" || $0 == "face") && $1 == "id" }
  }

  /// Returns true if a query has either of two entries, but never both.
  private static func areAlternatives(
    _ first: DictionaryFacts.Entry, _ second: DictionaryFacts.Entry
  ) -> Bool {
    first.scope === second.scope
      && first.scope.function?.body?.parts(
        first.value.range.lowerBound, second.value.range.lowerBound) == true
  }

  /// Checks widely used wrappers whose default lets an item leave the device.
  private static func wrappers(_ scope: Scope, _ pass: Pass) {
    for call in scope.calls {
      if let given = call["withAccess"] ?? call["withAccessibility"] ?? call["accessibility"]
        ?? (["accessibility", "setAccessibilityType"].contains(call.name) ? call[0] : nil),
        call.name != "SecItemAdd", !isReading(call.name), !scope.isMigration,
        !isShared(call, scope), !isSalt(call, scope, pass)
      {
        KeychainNotThisDeviceOnly.moves(given, in: scope, pass)
      }
      if call.name == "Keychain", pass.project.imports.contains("KeychainAccess"),
        call.receiver == nil || call.receiver?.lastName == "KeychainAccess",
        !setsAccessibility(call, scope, pass)
      {
        pass.report(
          .keychainDefaultAccessibility, at: call.expression, in: scope,
          "items of this Keychain are stored without an explicit accessibility")
      }
      guard let receiver = call.receiver else { continue }
      claimed(call, receiver, scope, pass)
      switch call.name {
      case "saveData", "updateData":
        guard call["forUserAccount"] != nil, receiver.lastName == "Locksmith" else { continue }
        pass.report(
          .keychainDefaultAccessibility, at: call.expression, in: scope,
          "Locksmith stores the item without an explicit accessibility")
      case "setString", "setData":
        guard call["forKey"] != nil,
          pass.inspector.type(of: receiver, in: scope) == "UICKeyChainStore",
          !pass.project.hasAssignment(to: "accessibility")
        else { continue }
        pass.report(
          .keychainDefaultAccessibility, at: call.expression, in: scope,
          "UICKeyChainStore stores the item without an explicit accessibility")
      case "set":
        guard call["forKey"] != nil, call["withAccess"] == nil, call["withAccessibility"] == nil,
          let type = pass.inspector.type(of: receiver, in: scope).map(TypeName.plain),
          type == "KeychainSwift" || type == "KeychainWrapper"
        else { continue }
        pass.report(
          .keychainDefaultAccessibility, at: call.expression, in: scope,
          "\(type) stores the item without an explicit accessibility")
      case "setPassword", "setPasswordData":
        guard call["forService"] != nil, call["account"] != nil,
          let type = pass.inspector.type(of: receiver, in: scope).map(TypeName.plain),
          type == "SSKeychain" || type == "SAMKeychain",
          pass.project.calls["setAccessibilityType"] == nil
        else { continue }
        pass.report(
          .keychainDefaultAccessibility, at: call.expression, in: scope,
          "\(type) stores the item without an accessibility unless setAccessibilityType is called")
      default: break
      }
    }
  }

  /// Returns true if a Keychain gets an accessibility, in the same chain of calls or later, under its
  /// name.
  private static func setsAccessibility(
    _ call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    let all = (pass.project.calls["accessibility"] ?? []).filter { $0.scope.file === scope.file }
    if all.contains(where: { $0.scope === scope }) { return true }
    let names = Set(all.compactMap { $0.call.receiver?.path })
    let types = pass.project.types[scope.owner ?? ""]
    let holders = (types?.variables.values.map(\.variable) ?? []).filter {
      $0.range.contains(call.expression.range.lowerBound)
    }.map(\.name)
    return holders.contains(where: names.contains)
      || holders.isEmpty
        && scope.bindings.contains { name, bindings in
          names.contains(name) && bindings.contains { $0.value === call.expression }
        }
  }

  /// Returns true if the keychain of a call sends its items to iCloud, so that they cannot be for
  /// this device only.
  private static func isShared(_ call: Scope.Call, _ scope: Scope) -> Bool {
    scope.calls.contains {
      $0.name == "synchronizable" && $0[0].map(isFalse) != true
        && call.expression.range.overlaps($0.expression.range)
    }
  }

  private static func isFalse(_ value: Expression) -> Bool {
    if case .boolean(false) = value.bare.kind { true } else { false }
  }

  /// Returns true if a call stores a salt, which is no secret.
  private static func isSalt(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) -> Bool {
    guard let key = call["forKey"] ?? call["key"] else { return false }
    let names = [key.lastName ?? "", pass.inspector.constant(key, in: scope)?.text ?? ""]
    return names.contains { Words.split($0).contains("salt") }
  }

  /// Reports a wrapper that stores an item whose name promises biometry that nothing requires.
  private static func claimed(
    _ call: Scope.Call, _ receiver: Expression, _ scope: Scope, _ pass: Pass
  ) {
    guard ["set", "setPassword", "setString"].contains(call.name),
      call["authenticationPolicy"] == nil,
      call[0].map({ !pass.inspector.isFlag($0, in: scope) }) == true,
      let type = pass.inspector.type(of: receiver, in: scope).map(TypeName.plain),
      ["KeychainSwift", "KeychainWrapper", "SAMKeychain", "SSKeychain"].contains(type)
    else { return }
    let names = [call["forKey"], call["forService"], call["account"]].compactMap { $0 }
    let texts = names.flatMap { name -> [String] in
      let first: String? =
        if case .string(let pieces) = name.kind, case .text(let text)? = pieces.first { text } else
        {
          nil
        }
      return [name.written, pass.inspector.constant(name, in: scope)?.text ?? "", first ?? ""]
    }
    guard texts.contains(where: namesBiometry) else { return }
    pass.report(
      .keychainNoAccessControl, at: call.expression, in: scope,
      "names in the code say that biometry protects the item, but it has no "
        + "kSecAttrAccessControl, so biometry is not required")
  }

  private static let writers = ["SecItemAdd", "SecItemUpdate"]

  private static let deleters: Set<String> = [
    "SecItemDelete", "removeAllKeys", "removeAll", "deletePasswordForService", "deleteItem",
    "removeObject", "removeAllItems", "clear", "deletePassword", "delete", "resetKeychain", "wipe",
    "deleteAllKeys", "removeAllObjects", "clearKeychain", "wipeKeychain", "deleteAll",
  ]

  static func writesKeychain(_ project: ProjectFacts) -> Bool {
    writers.contains { project.calls[$0] != nil }
      || ["Keychain", "KeychainSwift", "KeychainWrapper", "Valet"].contains {
        project.calls[$0] != nil
      }
      || ["valet", "iCloudValet", "sharedGroupValet", "SimpleKeychain"].contains {
        project.calls[$0] != nil
      }
      || ["set", "setString", "setData", "saveData"].contains { name in
        project.calls[name]?.contains { call, _ in
          let written = call.receiver?.written ?? ""
          return ["KeychainWrapper", "UICKeyChainStore", "Locksmith"].contains {
            written.hasPrefix($0)
          }
        } == true
      }
      || project.calls["setPassword"]?.contains { $0.call["forService"] != nil } == true
  }

  /// Returns true if a function deletes items, directly or through functions of the project.
  static func deletes(_ scope: Scope, _ pass: Pass) -> Bool {
    var seen: Set<ObjectIdentifier> = []
    return deletes(scope, pass, depth: 0, &seen)
  }

  private static func deletes(
    _ scope: Scope, _ pass: Pass, depth: Int, _ seen: inout Set<ObjectIdentifier>
  ) -> Bool {
    guard seen.insert(ObjectIdentifier(scope)).inserted else { return false }
    for call in scope.calls {
      if call.name == "SecItemDelete" { return true }
      let written = (call.receiver?.written ?? "").lowercased()
      if isCleaning(call.name),
        Words.split(call.name + " " + written).contains(where: secretStores.contains)
      {
        return true
      }
      if deleters.contains(call.name) || call.name.lowercased().contains("keychain"),
        written.contains("keychain") || written.contains("valet") || written.contains("locksmith")
          || call.name.lowercased().contains("keychain")
      {
        return true
      }
      guard depth < 5 else { continue }
      var declared = pass.inspector.functions(
        called: call.name, receiver: call.receiver, in: scope, arguments: call.arguments.count)
      // A protocol may have several implementations, any of which may delete.
      if declared.isEmpty, isCleaning(call.name) {
        declared = Array((pass.project.functions[call.name] ?? []).prefix(8))
      }
      for declared in declared where deletes(declared.scope, pass, depth: depth + 1, &seen) {
        return true
      }
    }
    if deletesByProperty(scope, pass, depth: depth, &seen) { return true }
    if deletesByNotice(scope, pass, depth: depth, &seen) { return true }
    // `keychain["token"] = nil`
    return scope.bindings.contains { name, bindings in
      name.lowercased().contains("keychain") && bindings.contains { $0.value.isNull }
    }
  }

  /// Returns true if a function sets a property to nil whose wrapper then deletes an item.
  private static func deletesByProperty(
    _ scope: Scope, _ pass: Pass, depth: Int, _ seen: inout Set<ObjectIdentifier>
  ) -> Bool {
    for assignment in scope.assignments where assignment.value.isNull {
      guard
        case .property(let variable, _, _) = pass.inspector.meaning(of: assignment.name, in: scope)
      else { continue }
      for attribute in variable.attributes {
        let accessors =
          pass.project.types[TypeName.plain(attribute.name)]?.variables["wrappedValue"]?.variable
          .accessors ?? []
        for accessor in accessors where accessor.name == "set" {
          if let setter = pass.project.scope(of: accessor),
            deletes(setter, pass, depth: depth + 1, &seen)
          {
            return true
          }
        }
      }
    }
    return false
  }

  /// Returns true if a function posts a notification, and the code that observes it deletes items.
  private static func deletesByNotice(
    _ scope: Scope, _ pass: Pass, depth: Int, _ seen: inout Set<ObjectIdentifier>
  ) -> Bool {
    for call in scope.calls where call.name == "post" || call.name == "postNotificationName" {
      guard let name = (call["name"] ?? call[0])?.lastName else { continue }
      for observing in ["addObserver", "publisher", "addObserverForName", "notifications"] {
        for (observer, home) in pass.project.calls[observing] ?? []
        where observer.arguments.contains(where: { $0.value.lastName == name }) {
          if deletes(home, pass, depth: depth + 1, &seen) { return true }
        }
      }
    }
    return false
  }

  /// Returns true unless a file is part of an app for the Mac, the television or the watch.
  static func isForPhones(_ file: SourceFile) -> Bool {
    let others: Set<String> = [
      "Cocoa", "AppKit", "Cocoa/Cocoa.h", "WatchKit", "TVUIKit", "ClockKit",
    ]
    if !others.isDisjoint(with: file.imports), !file.imports.contains("UIKit") { return false }
    return !file.path.split(separator: "/").dropLast().contains { folder in
      let words = Words.split(String(folder))
      return !words.filter(
        ["mac", "macos", "osx", "tv", "tvos", "watch", "watchos", "watchkit"].contains
      )
      .isEmpty || words.suffix(2) == ["tv", "os"] || words.suffix(2) == ["mac", "os"]
    }
  }

  /// Returns true for functions that use an accessibility to find an item.
  static func isReading(_ name: String) -> Bool {
    guard let first = Words.split(name).first else { return false }
    return [
      "get", "string", "data", "object", "integer", "bool", "double", "float", "has", "read",
      "load", "fetch", "remove", "delete", "accessibility",
    ].contains(first) && name != "accessibility"
  }

  private static let secretStores: Set<String> = [
    "keychain", "secret", "secrets", "credential", "credentials", "valet", "wallet", "wallets",
    "passwords", "tokens",
  ]

  private static func isCleaning(_ name: String) -> Bool {
    Words.split(name).contains {
      ["clear", "wipe", "reset", "delete", "remove", "purge", "erase", "logout", "deauthenticate"]
        .contains($0)
    }
  }

  /// Returns the range of the declaration of the app delegate or of the `App`, up to its name, or
  /// nil if there is none.
  ///
  /// - Parameter onPhones: True to ignore apps for the Mac, the television and the watch.
  static func appDeclaration(
    _ project: ProjectFacts, onPhones: Bool = false
  ) -> (Range<Int32>, SourceFile)? {
    for facts in project.types.values.sorted(by: { $0.name < $1.name }) {
      for (type, file) in facts.declarations where type.form != .extension {
        let isApp =
          type.attributes.contains { $0.name == "UIApplicationMain" || $0.name == "main" }
          || type.inherited.contains("UIApplicationDelegate")
          || (type.inherited.contains("App") && type.form == .struct)
        if isApp, file.path.hasSuffix("AppDelegate.h") == false, !onPhones || isForPhones(file) {
          return (
            type.range.lowerBound..<(type.nameOffset + Int32(clamping: type.name.utf8.count)), file
          )
        }
      }
    }
    return nil
  }
}
