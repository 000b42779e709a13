import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let backgroundSnapshot = RuleID("background-snapshot")
}

/// Finds apps whose screen stays visible when the app is left.
enum BackgroundSnapshot: CodeRule {
  static let rule = Rule(
    .backgroundSnapshot, "Screen that stays visible when the app is left",
    severity: .medium, level: .required,
    consequence:
      "The system keeps a picture of the last screen on disk and shows it in the app switcher, "
      + "with everything that was on the screen.",
    remedy:
      "Cover the window in applicationWillResignActive(_:) or sceneWillResignActive(_:). In "
      + "SwiftUI, overlay the content while scenePhase is not .active.",
    references: .init(
      masvs: ["MSTG-STORAGE-9"], mastg: ["MASTG-TEST-0290"], cwe: [200]),
    bad: .init(
      "AppDelegate.swift",
      """
      import UIKit

      final class AppDelegate: UIResponder, UIApplicationDelegate {
        func applicationWillResignActive(_ application: UIApplication) { Store.shared.save() }
      }
      """),
    good: .init(
      "AppDelegate.swift",
      """
      import UIKit

      final class AppDelegate: UIResponder, UIApplicationDelegate {
        var window: UIWindow?
        let cover = UIView()

        func applicationWillResignActive(_ application: UIApplication) {
          window?.addSubview(cover)
        }
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onProject(snapshot)
    set.note(Array(signs))
  }

  private static let leaving = [
    "applicationDidEnterBackground", "applicationWillResignActive", "sceneDidEnterBackground",
    "sceneWillResignActive",
  ]

  /// Reports an app in which nothing covers the window when the app leaves the screen.
  private static func snapshot(_ pass: Pass) {
    let project = pass.project
    guard
      project.imports.contains("UIKit") || project.imports.contains("SwiftUI")
        || project.imports.contains("UIKit/UIKit.h")
    else { return }
    for name in leaving {
      for declared in project.functions[name] ?? []
      where covers(declared.scope, pass, depth: 0) { return }
    }
    for scopes in project.scopes {
      for scope in scopes {
        if scope.calls.contains(where: { observes($0) }) { return }
        if scope.calls.contains(where: { $0.name == "privacySensitive" }) { return }
      }
    }
    if usesScenePhase(project) { return }
    guard let (range, file) = KeychainChecks.appDeclaration(project, onPhones: true) else { return }
    pass.report(
      .backgroundSnapshot, at: range, in: file,
      severity: PrivateScreens.shown(by: project)
        ? .medium : asksForSecrets(project) ? .low : .note,
      "nothing covers the window when the app leaves the screen, and the system keeps a picture of "
        + "it on disk")
  }

  /// Returns true if an app has something to hide: it stores secrets or asks for them, or has a lock.
  private static func asksForSecrets(_ project: ProjectFacts) -> Bool {
    KeychainChecks.writesKeychain(project) || PrivateScreens.named(in: project)
      || !signs.isDisjoint(with: project.mentioned)
      || project.resources.fields.values.contains { $0.isSecure || $0.sensitivity != nil }
      || project.imports.contains {
        ["LocalAuthentication", "HealthKit", "LocalAuthentication/LocalAuthentication.h"].contains(
          $0)
      }
  }

  /// Names in code that stand for a field for a secret.
  private static let signs: Set<String> = [
    "SecureField", "isSecureTextEntry", "secureTextEntry", "UIImagePickerController",
    "CNContactStore", "CLLocationManager",
  ]

  private static func covers(_ scope: Scope, _ pass: Pass, depth: Int) -> Bool {
    let shown: Set<String> = [
      "isHidden", "hidden", "alpha", "effect", "window", "text", "rootViewController",
    ]
    if scope.assignments.contains(where: { shown.contains($0.name) }) { return true }
    return scope.calls.contains { call in
      covers(call)
        || depth < 2
          && pass.inspector.functions(
            called: call.name, receiver: call.receiver, in: scope, arguments: call.arguments.count
          ).contains { covers($0.scope, pass, depth: depth + 1) }
    }
  }

  private static func covers(_ call: Scope.Call) -> Bool {
    if [
      "addSubview", "insertSubview", "bringSubviewToFront", "makeKeyAndVisible", "present",
      "presentViewController", "ignoreSnapshotOnNextApplicationLaunch",
    ].contains(call.name) {
      return true
    }
    let words = Words.split(call.name) + Words.split(call.receiver?.written ?? "")
    return words.contains {
      [
        "blur", "hide", "cover", "obscure", "privacy", "mask", "overlay", "splash", "shield",
        "lock", "snapshot",
      ]
      .contains($0)
    }
  }

  private static func observes(_ call: Scope.Call) -> Bool {
    guard ["addObserver", "publisher", "onReceive", "notifications"].contains(call.name) else {
      return false
    }
    return call.arguments.contains { argument in
      let name =
        (argument.value.lastName ?? "") + (argument.value.firstArgument?.lastName ?? "")
        + argument.value.written
      return name.contains("willResignActive") || name.contains("didEnterBackground")
        || name.contains("WillResignActive") || name.contains("DidEnterBackground")
    }
  }

  private static func usesScenePhase(_ project: ProjectFacts) -> Bool {
    project.types.values.contains { facts in
      facts.variables.values.contains { entry in
        entry.variable.attributes.contains { attribute in
          attribute.name == "Environment" && entry.variable.name.lowercased().contains("scenephase")
        }
      }
    }
      && project.scopes.contains { scopes in
        scopes.contains { scope in
          scope.calls.contains {
            ["blur", "overlay", "privacySensitive", "redacted"].contains($0.name)
          }
        }
      }
  }
}
