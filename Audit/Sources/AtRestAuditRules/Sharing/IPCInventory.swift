import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  package static let ipcInventory = RuleID("ipc-inventory")
}

/// Entry point for other apps.
enum IPCInventory: CodeRule {
  static let rule = Rule(
    .ipcInventory, "Entry point for other apps",
    severity: .note, level: .recommended,
    consequence:
      "Any app or web page can send arbitrary data to this entry point. If the app trusts the data "
      + "unchecked, the sender can open, change or obtain what the app stores.",
    remedy:
      "Check every part of the data that arrives, ask the person before acting on it, and prefer "
      + "universal links to URL schemes.",
    references: .init(
      masvs: ["MSTG-STORAGE-6", "MSTG-PLATFORM-3", "MSTG-PLATFORM-4"], cwe: [939]),
    bad: .init(
      "AppDelegate.swift",
      """
      final class AppDelegate: UIResponder, UIApplicationDelegate {
        func application(
          _ app: UIApplication, open url: URL,
          options: [UIApplication.OpenURLOptionsKey: Any] = [:]
        ) -> Bool { Router.shared.follow(url) }
      }
      """),
    good: .init(
      "AppDelegate.swift",
      """
      final class AppDelegate: UIResponder, UIApplicationDelegate {
        func show(_ url: URL) { UIApplication.shared.open(url) }
      }
      """))

  /// Returns true for types to which the system passes URLs.
  private static func isDelegate(_ type: TypeDeclaration, _ project: ProjectFacts) -> Bool {
    type.name.contains("Delegate")
      || project.type(
        type.name, is: ["UIApplicationDelegate", "UIWindowSceneDelegate", "UIResponder"])
      || project.types[type.name]?.declarations.contains { declaration in
        declaration.type.attributes.contains { $0.name == "UIApplicationMain" || $0.name == "main" }
      } == true
  }

  static func add(to set: inout CheckSet) {
    set.onCall([
      "NSXPCConnection", "NSXPCListener", "xpc_connection_create",
      "xpc_connection_create_mach_service",
      "CFMessagePortCreateLocal", "CFMessagePortCreateRemote", "mach_msg", "NSMachPort",
      "initWithServiceName", "initWithMachServiceName", "CFNotificationCenterGetDarwinNotifyCenter",
    ]) { call, scope, pass in
      let isRemoved = scope.calls.contains {
        $0.name.hasPrefix("CFNotificationCenterRemove")
          && $0.expression.range.contains(call.expression.range.lowerBound)
      }
      if isRemoved { return }
      pass.report(
        .ipcInventory, at: call.expression, in: scope,
        "\(call.name) communicates with other processes")
    }
    set.onCall(["onOpenURL"]) { call, scope, pass in
      guard let receiver = call.receiver, let end = call.callee?.range.upperBound,
        !pass.project.resources.lacksURLSchemes
      else { return }
      // The finding marks the name `onOpenURL`, not the view on which it is called.
      pass.report(
        .ipcInventory, at: max(receiver.range.upperBound, end - 9)..<end, in: scope.file,
        "URLs with the app's own scheme arrive here, from any app or web page")
    }
    set.onType { type, file, pass in
      for function in type.functions where function.body != nil {
        let labels = function.parameters.map { $0.label ?? "" }
        guard function.name == "application" || function.name == "scene",
          labels.contains("open") || labels.contains("openURL") || labels.contains("handleOpenURL")
            || labels.contains("openURLContexts"),
          isDelegate(type, pass.project), !pass.project.resources.lacksURLSchemes,
          // The system passes URLs to the scenes of an app that has some.
          function.name == "scene" || !pass.project.resources.declaresScenes
        else { continue }
        pass.report(
          .ipcInventory,
          at: function
            .nameOffset..<(function.nameOffset + Int32(clamping: function.name.utf8.count)),
          in: file, "URLs with the app's own scheme arrive here, from any app or web page")
      }
    }
  }
}
