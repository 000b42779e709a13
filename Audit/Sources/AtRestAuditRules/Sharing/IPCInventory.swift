import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let ipcInventory = RuleID("ipc-inventory")
}

/// Entry point for other apps.
enum IPCInventory: CodeRule {
  static let rule = Rule(
    .ipcInventory, "Entry point for other apps",
    severity: .note, level: .recommended,
    consequence:
      "Any app or web page can send what it likes through it; believed unchecked, it opens, "
      + "changes or gives away what the app keeps.",
    remedy:
      "Check every part of what arrives, ask the person before anything is done with it, and "
      + "prefer universal links to schemes of URLs.",
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

  static func add(to set: inout CheckSet) {
    set.onCall([
      "NSXPCConnection", "NSXPCListener", "xpc_connection_create",
      "xpc_connection_create_mach_service",
      "CFMessagePortCreateLocal", "CFMessagePortCreateRemote", "mach_msg", "NSMachPort",
      "NSFileCoordinator",
      "initWithServiceName", "initWithMachServiceName", "CFNotificationCenterGetDarwinNotifyCenter",
    ]) { call, scope, pass in
      pass.report(
        .ipcInventory, at: call.expression, in: scope, "\(call.name): a way to other processes")
    }
    set.onCall(["onOpenURL"]) { call, scope, pass in
      guard let receiver = call.receiver, let end = call.callee?.range.upperBound else { return }
      // The name, and not the view that it is called on.
      pass.report(
        .ipcInventory, at: max(receiver.range.upperBound, end - 9)..<end, in: scope.file,
        "URLs of the app's own scheme arrive here, from any app or page")
    }
    set.onType { type, file, pass in
      for function in type.functions where function.body != nil {
        let labels = function.parameters.map { $0.label ?? "" }
        guard function.name == "application" || function.name == "scene",
          labels.contains("open") || labels.contains("openURL") || labels.contains("handleOpenURL")
            || labels.contains("openURLContexts")
        else { continue }
        pass.report(
          .ipcInventory,
          at: function
            .nameOffset..<(function.nameOffset + Int32(clamping: function.name.utf8.count)),
          in: file, "URLs of the app's own scheme arrive here, from any app or page")
      }
    }
  }
}
