import AtRestAuditAnalysis
import AtRestAuditModel

/// Checks of biometric authentication that protects nothing, or too little.
enum BiometryChecks {
  static func add(to set: inout CheckSet) {
    set.onCall(["evaluatePolicy"]) { call, scope, pass in
      guard let policy = call[0] else { return }
      let names = pass.inspector.names(in: policy, scope)
      let isContext =
        call.receiver.flatMap { pass.inspector.type(of: $0, in: scope) }.map(TypeName.plain)
        == "LAContext"
      guard isContext || names.contains(where: { $0.contains("eviceOwnerAuthentication") }) else {
        return
      }
      // A context that is passed to the keychain or the Secure Enclave binds the result to a key.
      if usesContextForKeys(scope) || ownerUsesContextForKeys(scope, pass)
        || passesOn(call, scope, pass)
      {
        return
      }
      // A wrapper of the call is judged where it is used.
      if scope.function?.name == call.name, scope.owner == "LAContext" { return }
      // The call makes the system ask whether the app may use Face ID, and opens nothing.
      if (scope.owner ?? "").lowercased().contains("permission") { return }
      pass.report(
        .biometryWeak, at: call.expression, in: scope,
        severity: severity(of: call, scope, pass),
        "the result is a Boolean that no key depends on, so anyone who controls the process can "
          + "flip it")
      if names.contains("deviceOwnerAuthentication")
        || names.contains("LAPolicyDeviceOwnerAuthentication"),
        !isMeantForOwner(call, scope, pass)
      {
        pass.report(
          .biometryPasscodeFallback, at: policy, in: scope,
          "the device's passcode also passes this check, so a finger or face is not required")
      }
    }
    set.onCall(["SecAccessControlCreateWithFlags"]) { call, scope, pass in
      guard let flags = call[2] else { return }
      judge(flags, scope, pass)
    }
    // `SecureEnclaveValet.valet(with: identifier, accessControl: .userPresence)`,
    // `[keychain setAccessibility:x authenticationPolicy:y]`
    set.onCall(["valet", "sharedGroupValet", "setAccessibility"]) { call, scope, pass in
      guard let flags = call["accessControl"] ?? call["authenticationPolicy"] else { return }
      judge(flags, scope, pass)
    }
    // Wrappers: `.accessibility(.whenUnlocked, authenticationPolicy: .biometryAny)`
    set.onCall(["accessibility"]) { call, scope, pass in
      guard let flags = call["authenticationPolicy"] else { return }
      judge(flags, scope, pass)
    }
  }

  /// Returns true if the type of a scope also passes the context to other code, which reads the
  /// keychain with it.
  private static func passesOn(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) -> Bool {
    guard let context = call.receiver?.path,
      pass.project.mentioned.contains("kSecUseAuthenticationContext")
    else { return false }
    func passes(_ scope: Scope) -> Bool {
      scope.calls.contains { other in
        other.arguments.contains { $0.value.path == context }
          && !["debugPrint", "print"].contains(other.name)
      }
    }
    if passes(scope) { return true }
    guard case .property = pass.inspector.meaning(of: context, in: scope), let owner = scope.owner
    else { return false }
    return (pass.project.types[owner]?.declarations ?? []).flatMap(\.type.functions).contains {
      pass.project.scope(of: $0).map(passes) == true
    }
  }

  /// Returns medium if names in the function, its type and its file say that the check opens
  /// something secret, note if it only confirms a change of the settings, and otherwise low.
  private static func severity(
    of call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) -> Severity {
    let home =
      [scope.function?.name ?? "", scope.owner ?? "", ResourcePath.name(of: scope.file.path)]
    let isOfSettings =
      home.flatMap(Words.split).contains(where: changes.contains)
      || scope.calls.contains { $0.name == "toggle" }
    if isOfSettings { return .note }
    let names =
      home + scope.calls.flatMap { [$0.name, $0.receiver?.lastName ?? ""] }
      + scope.assignments.map(\.name)
    let isSecret = names.contains { name in
      let words = Words.split(name)
      return words.contains(where: subjects.contains)
        || SensitiveKind.ofName(name)?.isSecret == true && !words.contains("passcode")
    }
    return isSecret ? .medium : .low
  }

  /// Words for code that changes settings.
  private static let changes: Set<String> = [
    "settings", "setting", "preferences", "toggle", "kiosk", "enable", "activate",
  ]

  /// Words for things that a check may open.
  private static let subjects: Set<String> = [
    "vault", "wallet", "wallets", "database", "mnemonic", "seed", "keychain",
    "credential", "credentials", "secret", "secrets", "login", "logins", "account", "accounts",
    "payment", "transfer", "diary", "patient", "health",
  ]

  /// Returns true if names in the code say that the check is for the owner of the device, whom the
  /// passcode rightly admits, and say nothing of a finger or face.
  private static func isMeantForOwner(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) -> Bool {
    let reason = call["localizedReason"].flatMap { pass.inspector.constant($0, in: scope)?.text }
    let names = [scope.function?.name ?? "", scope.owner ?? "", reason ?? ""]
      .map { $0.lowercased().filter(\.isLetter) }
    func say(_ words: String...) -> Bool {
      names.contains { name in words.contains(where: name.contains) }
    }
    return say("deviceowner", "passcode", "deviceauth", "permission")
      && !say("biometr", "touchid", "faceid", "fingerprint")
  }

  private static func judge(_ flags: Expression, _ scope: Scope, _ pass: Pass) {
    let names = pass.inspector.names(in: flags, scope)
    func has(_ endings: String...) -> Bool {
      names.contains { name in endings.contains { name.lowercased().hasSuffix($0) } }
    }
    if has("biometryany", "touchidany", "biometricany") {
      pass.report(
        .biometryAnyEnrolment, at: flags, in: scope,
        "a finger or face enrolled later can also open the item")
    }
    if has("userpresence") || (has("devicepasscode") && has("or")) {
      pass.report(
        .biometryPasscodeFallback, at: flags, in: scope,
        "the device's passcode also opens the item, so a finger or face is not required")
    }
  }

  private static let keyNames: Set<String> = [
    "kSecUseAuthenticationContext", "SecKeyCreateSignature", "SecKeyCreateDecryptedData",
    "authenticationContext", "kSecAttrAccessControl",
  ]

  private static func usesContextForKeys(_ scope: Scope) -> Bool {
    scope.calls.contains { call in
      keyNames.contains(call.name)
        || call.arguments.contains { $0.label == "authenticationContext" }
    } || scope.mentions.keys.contains { keyNames.contains($0) }
      || scope.dictionaries.contains { dictionary in
        guard case .dictionary(let pairs) = dictionary.kind else { return false }
        return pairs.contains { keyNames.contains($0.key.bare.lastName ?? "") }
      }
      || scope.bindings.values.contains { bindings in
        bindings.contains {
          if case .element(let key) = $0.part {
            keyNames.contains(key.bare.lastName ?? "")
          } else {
            false
          }
        }
      }
  }

  /// Returns true if a method of the same type passes a context to the keychain.
  private static func ownerUsesContextForKeys(_ scope: Scope, _ pass: Pass) -> Bool {
    guard let owner = scope.owner, let facts = pass.project.types[owner] else { return false }
    let functions = facts.declarations.flatMap(\.type.functions)
    return functions.contains { function in
      guard let scope = pass.project.scope(of: function), usesContextForKeys(scope) else {
        return false
      }
      return scope.calls.contains {
        $0.name == "SecItemCopyMatching" || $0.name.hasPrefix("SecKeyCreate")
      }
    }
  }
}
