import AtRestAuditAnalysis
import AtRestAuditModel

/// Sensitive values that leave the app: in URLs, to others, through shared places.
enum SharingChecks {
  static func add(to set: inout CheckSet) {
    urls(&set)
    thirdParties(&set)
    shared(&set)
    ipc(&set)
  }

  // MARK: URLs

  private static func urls(_ set: inout CheckSet) {
    set.onScope { scope, pass in
      for string in scope.strings { query(string, scope.file, pass) }
    }
    set.onFile { file, pass in
      for variable in file.variables {
        if let value = variable.value { query(value, file, pass) }
      }
    }
    set.onScope { scope, pass in
      for sum in scope.sums { appended(sum, scope, pass) }
    }
    set.onCall(["map", "compactMap", "flatMap"]) { call, scope, pass in
      guard let items = call.receiver, let last = call.arguments.last?.value,
        case .closure = last.kind,
        let item = scope.calls.first(where: {
          $0.name == "URLQueryItem" && last.range.contains($0.expression.range.lowerBound)
        }),
        let entries = pass.inspector.dictionary(items, in: scope),
        let name = entries.keys.sorted().first(where: {
          $0.last != "s" && Sensitivity.ofKey($0)?.isSecret == true
        }), let found = Sensitivity.ofKey(name)
      else { return }
      pass.report(
        .sensitiveInUrl, at: item.expression, in: scope,
        "\(found.noun) (\(name)) is part of a URL, which caches, logs and servers keep")
    }
    set.onCall(["URLQueryItem", "queryItemWithName"]) { call, scope, pass in
      guard
        let name = (call["name"] ?? call[0]).flatMap({
          pass.inspector.constant($0, in: scope)?.text
        }),
        let value = call["value"], let found = Sensitivity.ofKey(name), found.isSecret,
        name.last != "s",
        !pass.inspector.isEmpty(value), !makesOneTimePasswords(scope, pass)
      else { return }
      pass.report(
        .sensitiveInUrl, at: call.expression, in: scope,
        "\(found.noun) (\(name)) is part of a URL, which caches, logs and servers keep")
    }
  }

  /// `base + "?token=" + value`
  private static func appended(_ sum: Expression, _ scope: Scope, _ pass: Pass) {
    guard case .binary(let left, _, let value) = sum.kind, value.literal == nil,
      !pass.inspector.isEmpty(value)
    else { return }
    let before: Expression =
      if case .binary(_, "+", let last) = left.kind { last } else { left }
    guard let text = before.literal, text.last == "=",
      let start = text.lastIndex(where: { $0 == "?" || $0 == "&" })
    else { return }
    let name = String(text[text.index(after: start)...].dropLast())
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }),
      name.last != "s", let found = Sensitivity.ofKey(name), found.isSecret
    else { return }
    report(found, name, before, scope.file, pass)
  }

  /// Whether a URL is one of those in which authenticators keep what they make passwords of, and which
  /// no server gets.
  private static func makesOneTimePasswords(_ scope: Scope, _ pass: Pass) -> Bool {
    scope.assignments.contains {
      $0.name == "scheme" && pass.inspector.constant($0.value, in: scope)?.text == "otpauth"
    }
  }

  /// `https://…?user=%@&password=%@`
  private static func query(_ string: Expression, _ file: SourceFile, _ pass: Pass) {
    guard case .string(let pieces) = string.kind, string.firstText?.hasPrefix("otpauth:") != true
    else { return }
    var isQuery = false
    var before: String?
    for piece in pieces {
      switch piece {
      case .text(let text):
        before = nil
        guard text.utf8.contains(0x3D) else { continue }
        if text.contains("?") || text.hasPrefix("&") { isQuery = true }
        guard isQuery else { continue }
        let parameters = text.split { $0 == "?" || $0 == "&" }
        for (index, parameter) in parameters.enumerated() {
          guard let equals = parameter.firstIndex(of: "=") else { continue }
          let name = String(parameter[..<equals])
          let value = parameter[parameter.index(after: equals)...]
          guard name.utf8.count < 40,
            name.allSatisfy({ $0.isLetter || $0 == "_" || $0 == "-" || $0.isNumber })
          else { continue }
          if index == parameters.count - 1, value.isEmpty { before = name }
          if let found = Sensitivity.ofKey(name), found.isSecret, !value.isEmpty, name.last != "s" {
            report(found, name, string, file, pass)
            return
          }
        }
      case .value:
        if let name = before, name.last != "s", let found = Sensitivity.ofKey(name), found.isSecret
        {
          report(found, name, string, file, pass)
          return
        }
        before = nil
      }
    }
  }

  private static func report(
    _ found: Sensitivity, _ name: String, _ string: Expression, _ file: SourceFile, _ pass: Pass
  ) {
    pass.report(
      .sensitiveInUrl, at: string.range, in: file,
      "\(found.noun) (\(name)) is part of a URL, which caches, logs and servers keep")
  }

  // MARK: Third parties

  /// Calls of software that reports to others, by the type that they are made on.
  private static let services: [String: String] = [
    "Analytics": "Firebase Analytics", "FIRAnalytics": "Firebase Analytics",
    "Crashlytics": "Crashlytics", "FIRCrashlytics": "Crashlytics", "Mixpanel": "Mixpanel",
    "MixpanelInstance": "Mixpanel", "Amplitude": "Amplitude", "SEGAnalytics": "Segment",
    "Flurry": "Flurry", "FlurryAnalytics": "Flurry", "AppEvents": "Facebook",
    "FBSDKAppEvents": "Facebook",
    "AppsFlyerLib": "AppsFlyer", "Adjust": "Adjust", "SentrySDK": "Sentry", "Intercom": "Intercom",
    "OneSignal": "OneSignal", "Bugsnag": "Bugsnag", "NewRelic": "New Relic", "Appsee": "Appsee",
    "Leanplum": "Leanplum", "Braze": "Braze", "Appboy": "Braze", "Branch": "Branch",
    "CleverTap": "CleverTap", "Countly": "Countly", "Heap": "Heap", "PostHogSDK": "PostHog",
    "Localytics": "Localytics", "MSAnalytics": "App Center", "Singular": "Singular",
    "GAI": "Google Analytics",
    "Instabug": "Instabug", "FullStory": "FullStory", "FS": "FullStory", "UXCam": "UXCam",
    "Smartlook": "Smartlook",
    "Zendesk": "Zendesk", "Kochava": "Kochava", "Moengage": "MoEngage", "Rollbar": "Rollbar",
    "Raygun": "Raygun", "Datadog": "Datadog", "DatadogRUM": "Datadog", "Pendo": "Pendo",
    "CleverTapSDK": "CleverTap",
  ]

  private static func thirdParties(_ set: inout CheckSet) {
    set.onCall([
      "logEvent", "logEventWithName", "track", "trackEvent", "identify", "setUserID", "setUserId",
      "setUser", "setUserProperty",
      "setCustomValue", "setCustomerUserID", "setUserEmail", "setUserProperties", "setUserName",
      "setUserIdentifier", "log", "record", "recordError", "setObjectValue", "people", "set",
      "send", "logPurchase",
      "registerUser", "setAttributes", "setCustomAttribute", "updateUser", "addAttribute",
      "setEmail", "setTag",
      "capture", "addBreadcrumb", "setContext", "setExtra", "registerSuperProperties", "alias",
      "logPageView",
      "setPhoneNumber", "loginUser", "setCustomKeysAndValues",
    ]) { call, scope, pass in
      guard let receiver = call.receiver, let service = service(receiver, scope, pass) else {
        return
      }
      for argument in call.arguments {
        if let found = pass.inspector.sensitivity(of: argument.value, in: scope)
          ?? argument.label.flatMap(Sensitivity.ofName).map({
            Evidence(sensitivity: $0, name: argument.label ?? "", trail: [])
          })
        {
          pass.report(
            .thirdPartySharing, found, at: call.expression, in: scope, "# is given to \(service)"
          )
          return
        }
      }
      for argument in call.arguments {
        pass.inspector.eachValue(arrivingIn: argument.value, in: scope) { value, outer, home in
          guard let found = pass.inspector.sensitivity(of: value, in: home) else { return false }
          pass.report(
            .thirdPartySharing, found, at: outer.expression, in: home,
            "# is given to \(outer.name), which gives it to \(service)")
          return true
        }
      }
    }
    set.onAssignment([
      "email", "username", "userId", "userID", "userEmail", "customerUserID", "phone", "name",
    ]) {
      assignment, scope, pass in
      guard let target = assignment.target,
        let service = service(target, scope, pass) ?? sentryUser(target, scope, pass),
        let found = pass.inspector.sensitivity(of: assignment.value, in: scope)
          ?? Sensitivity.ofName(assignment.name).map({
            Evidence(sensitivity: $0, name: assignment.name, trail: [])
          })
      else { return }
      pass.report(
        .thirdPartySharing, found, at: assignment.expression, in: scope,
        "# is given to \(service)")
    }
  }

  private static func service(_ receiver: Expression, _ scope: Scope, _ pass: Pass) -> String? {
    var current: Expression? = receiver
    for _ in 0..<5 {
      guard let expression = current else { return nil }
      switch expression.kind {
      case .name(let name):
        guard pass.project.types[name] == nil else { return nil }
        return services[name]
          ?? pass.inspector.type(of: expression, in: scope).flatMap { services[TypeName.plain($0)] }
      case .member(let base, let name):
        if let found = services[name], pass.project.types[name] == nil { return found }
        current = base
      case .call(let callee, _): current = callee
      default: return nil
      }
    }
    return nil
  }

  private static func sentryUser(_ target: Expression, _ scope: Scope, _ pass: Pass) -> String? {
    guard pass.project.imports.contains("Sentry"),
      pass.inspector.type(of: target, in: scope).map(TypeName.plain) == "User"
    else { return nil }
    return "Sentry"
  }

  // MARK: Shared containers

  private static func shared(_ set: inout CheckSet) {
    set.onCall(["UserDefaults", "initWithSuiteName"]) { call, scope, pass in
      guard let suite = call["suiteName"] ?? (call.name == "initWithSuiteName" ? call[0] : nil)
      else { return }
      let name = pass.inspector.constant(suite, in: scope)?.text
      guard name?.hasPrefix("group.") ?? true else { return }
      pass.report(
        .sharedContainer, at: call.expression, in: scope,
        "preferences of \(name.map { "the group " + $0 } ?? "a group") are read and written by every app "
          + "and extension in it")
    }
    set.onCall([
      "containerURL", "containerURLForSecurityApplicationGroupIdentifier",
    ]) { call, scope, pass in
      guard call["forSecurityApplicationGroupIdentifier"] != nil || call.name != "containerURL"
      else { return }
      pass.report(
        .sharedContainer, at: call.expression, in: scope,
        "files of the group are read and written by every app and extension in it")
    }
  }

  // MARK: Other processes

  private static func ipc(_ set: inout CheckSet) {
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
