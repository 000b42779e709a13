import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let keychainNotWipedFirstLaunch = RuleID("keychain-not-wiped-first-launch")
}

/// Finds apps whose keychain items remain after the app is removed.
enum KeychainNotWipedFirstLaunch: CodeRule {
  static let rule = Rule(
    .keychainNotWipedFirstLaunch, "Keychain items that remain after the app is removed",
    severity: .low, level: .required,
    consequence:
      "Anyone who is given or sold the device and installs the app again is logged in as the "
      + "previous person, whose items are still in the keychain.",
    remedy:
      "Keep a flag in UserDefaults, which is removed with the app. If the flag is missing at "
      + "launch, delete all items with SecItemDelete.",
    references: .init(masvs: ["MSTG-STORAGE-1"], cwe: [459]),
    bad: .init(
      "AppDelegate.swift",
      """
      class AppDelegate: UIResponder, UIApplicationDelegate {
        func application(
          _ application: UIApplication,
          didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
          return true
        }

        func save(_ item: [CFString: Any]) { SecItemAdd(item as CFDictionary, nil) }
      }
      """),
    good: .init(
      "AppDelegate.swift",
      """
      class AppDelegate: UIResponder, UIApplicationDelegate {
        func application(
          _ application: UIApplication,
          didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
          if !UserDefaults.standard.bool(forKey: "hasRunBefore") {
            SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary)
            UserDefaults.standard.set(true, forKey: "hasRunBefore")
          }
          return true
        }

        func save(_ item: [CFString: Any]) { SecItemAdd(item as CFDictionary, nil) }
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onProject(notWipedAtFirstLaunch)
  }

  private static func notWipedAtFirstLaunch(_ pass: Pass) {
    let project = pass.project
    guard KeychainChecks.writesKeychain(project) else { return }
    // Nothing is reported if a function checks for the first launch and deletes items.
    for scopes in project.scopes {
      for scope in scopes
      where scope.strings.contains(where: { isFirstLaunch($0.literal) })
        || scope.calls.contains(where: { isFirstLaunch($0.name) })
        || isFirstLaunch(scope.function?.name) || scope.mentionsName(isFirstLaunch)
      {
        if KeychainChecks.deletes(scope, pass) { return }
      }
    }
    // The launch deletes items under a condition of the project's own.
    for name in ["application", "init"] {
      for declared in project.functions[name] ?? []
      where declared.function.parameters.contains(where: {
        $0.label?.hasSuffix("FinishLaunchingWithOptions") == true
      }) || isApp(declared.scope.owner, project) {
        if wipesUnderFlag(declared.scope, pass, depth: 0) { return }
      }
    }
    guard let launch = launchFunction(project) else { return }
    pass.report(
      .keychainNotWipedFirstLaunch, at: launch.0, in: launch.1,
      "keychain items remain after the app is removed, and nothing deletes them at the first "
        + "launch")
  }

  /// Returns true if a type is the `App` of SwiftUI.
  private static func isApp(_ owner: String?, _ project: ProjectFacts) -> Bool {
    owner.flatMap { project.types[$0] }?.inherited.contains("App") == true
  }

  /// Returns true if a function reads a flag from UserDefaults and deletes items, or calls one that
  /// does.
  private static func wipesUnderFlag(_ scope: Scope, _ pass: Pass, depth: Int) -> Bool {
    let readsFlag = scope.calls.contains {
      ["bool", "object", "string", "integer", "value"].contains($0.name) && $0["forKey"] != nil
        || ["boolForKey", "objectForKey", "integerForKey"].contains($0.name)
    }
    if readsFlag, KeychainChecks.deletes(scope, pass) { return true }
    guard depth < 3 else { return false }
    return scope.calls.contains { call in
      pass.inspector.functions(
        called: call.name, receiver: call.receiver, in: scope, arguments: call.arguments.count
      ).contains { wipesUnderFlag($0.scope, pass, depth: depth + 1) }
    }
  }

  private static func isFirstLaunch(_ text: String?) -> Bool {
    guard let text, 8..<60 ~= text.utf8.count else { return false }
    let letters = text.utf8.map { $0 | 0x20 }.filter { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
    let name = String(decoding: letters, as: UTF8.self)
    return [
      "firstlaunch", "firstrun", "hasrunbefore", "haslaunched", "freshinstall", "launchedbefore",
      "firstopen", "alreadylaunched", "notfirst", "installed", "reinstall",
      "hasbeenlaunched", "firststart", "runbefore", "firsttime", "launchonce", "launchedonce",
    ].contains { name.contains($0) }
  }

  /// Returns the place where an app starts: its launch function, or else the declaration of its
  /// delegate or of its `App`. Returns nil if there is none.
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
    return KeychainChecks.appDeclaration(project)
  }
}
