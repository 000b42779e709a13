import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  package static let thirdPartySharing = RuleID("third-party-sharing")
}

/// Personal data that is sent to a third-party service.
enum ThirdPartySharing: CodeRule {
  static let rule = Rule(
    .thirdPartySharing, "Personal data that is sent to a third-party service",
    severity: .medium, level: .required,
    consequence:
      "The value is copied to computers that you do not run, and kept as long as their owners "
      + "like, together with what other apps report about the same person.",
    remedy:
      "Leave the value out, or send a random identifier that only your app can link to the "
      + "person.",
    references: .init(masvs: ["MSTG-STORAGE-4"], cwe: [359]),
    bad: .init(
      "Signup.swift",
      """
      import FirebaseAnalytics

      func done(email: String) {
        Analytics.logEvent("signup", parameters: ["email": email])
      }
      """),
    good: .init(
      "Signup.swift",
      """
      import FirebaseAnalytics

      func done(email: String) {
        Analytics.logEvent("signup", parameters: ["valid": email.contains("@")])
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["setValue", "updateChildValues", "setData", "addDocument"]) { call, scope, pass in
      guard let value = call[0] ?? call["data"], let receiver = call.receiver,
        pass.project.imports.contains(where: { $0.hasPrefix("Firebase") }),
        call["forKey"] == nil,
        ["child", "childByAutoId", "reference", "document", "collection"].contains(
          receiver.lastName)
          || ["DatabaseReference", "DocumentReference", "CollectionReference"].contains(
            pass.inspector.type(of: receiver, in: scope).map(TypeName.plain)),
        let found = pass.inspector.sensitivity(of: value, in: scope), found.sensitivity.isSecret
      else { return }
      pass.report(
        .thirdPartySharing, found, at: call.expression, in: scope, "# is sent to Firebase")
    }
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
      "setPhoneNumber", "loginUser", "setCustomKeysAndValues", "addMetadata", "leaveBreadcrumb",
      "setUserPropertyString", "updateUserAttributes", "notify",
    ]) { call, scope, pass in
      guard let receiver = call.receiver,
        let service = service(receiver, scope, pass) ?? sentryScope(receiver, scope)
      else { return }
      for argument in call.arguments {
        if let found = pass.inspector.sensitivity(of: argument.value, in: scope)
          ?? argument.label.flatMap(SensitiveKind.ofName).map({
            Evidence(sensitivity: $0, name: argument.label ?? "", trail: [])
          })
        {
          pass.report(
            .thirdPartySharing, found, at: call.expression, in: scope, "# is sent to \(service)"
          )
          return
        }
      }
      for argument in call.arguments {
        pass.inspector.eachValue(arrivingIn: argument.value, in: scope) { arrival in
          guard let found = pass.inspector.sensitivity(of: arrival.value, in: arrival.scope) else {
            return false
          }
          pass.report(
            .thirdPartySharing, found, at: arrival.place, in: arrival.scope,
            "# is passed to \(arrival.name), which sends it to \(service)")
          return true
        }
      }
    }
    set.onAssignment([
      "email", "username", "userId", "userID", "userEmail", "customerUserID", "phone", "name",
      "message", "data",
    ]) {
      assignment, scope, pass in
      guard let target = assignment.target,
        let service = service(target, scope, pass) ?? sentryUser(target, scope, pass),
        let found = pass.inspector.sensitivity(of: assignment.value, in: scope)
          ?? SensitiveKind.ofName(assignment.name).map({
            Evidence(sensitivity: $0, name: assignment.name, trail: [])
          })
      else { return }
      pass.report(
        .thirdPartySharing, found, at: assignment.expression, in: scope,
        "# is sent to \(service)")
    }
  }

  /// The names of third-party services by the type on which their functions are called.
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

  private static func service(_ receiver: Expression, _ scope: Scope, _ pass: Pass) -> String? {
    var current: Expression? = receiver
    for _ in 0..<5 {
      guard let expression = current else { return nil }
      switch expression.kind {
      case .name(let name):
        guard pass.project.types[name] == nil else { return nil }
        if let found = services[name] { return found }
        // A project may call its own type Analytics.
        let type = pass.inspector.type(of: expression, in: scope).map(TypeName.plain)
        return type.flatMap { pass.project.types[$0] == nil ? services[$0] : nil }
      case .member(let base, let name):
        if let found = services[name], pass.project.types[name] == nil { return found }
        current = base
      case .call(let callee, _): current = callee
      default: return nil
      }
    }
    return nil
  }

  /// Returns the service if a receiver is the scope that Sentry gives to a closure.
  private static func sentryScope(_ receiver: Expression, _ scope: Scope) -> String? {
    ["scope", "$0"].contains(receiver.lastName) && scope.file.imports.contains("Sentry")
      ? "Sentry" : nil
  }

  private static func sentryUser(_ target: Expression, _ scope: Scope, _ pass: Pass) -> String? {
    guard pass.project.imports.contains("Sentry"),
      let type = pass.inspector.type(of: target, in: scope),
      ["Sentry.User", "Sentry.Breadcrumb", "Breadcrumb", "SentryBreadcrumb", "SentryUser"]
        .contains(type) || type == "User" && pass.project.types["User"] == nil
    else { return nil }
    return "Sentry"
  }
}
