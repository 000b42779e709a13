import AtRestAuditAnalysis
import AtRestAuditModel

/// Parts of networking libraries that write requests to a log, with their headers or bodies.
enum RequestLoggers {
  static func add(to set: inout CheckSet) {
    set.onCall(["NetworkLoggerPlugin"]) { call, scope, pass in
      guard pass.project.types[call.name] == nil, sendsToken(pass), !isForDebugging(call, scope),
        showsRequests(call, scope, pass)
      else { return }
      let isLog = writesToLog(call, scope)
      pass.report(
        .logSensitive, at: call.expression.range, in: scope.file,
        severity: min(isLog ? .high : .low, pass.highest(in: scope)),
        "the headers of all requests, of which some carry a token, are "
          + (isLog ? "written to the log" : "printed to the console"), basis: Basis(.witnessed))
    }
    set.onCall(["startLogging"]) { call, scope, pass in
      guard let written = call.receiver?.written, written.contains("NetworkActivityLogger"),
        sendsToken(pass), !isForDebugging(call, scope),
        pass.project.values(assignedTo: "level").contains(where: isVerbose)
      else { return }
      // The logger of AFNetworking uses `NSLog`, and that of Alamofire prints.
      let isLog = written.hasPrefix("AFNetwork")
      pass.report(
        .logSensitive, at: call.expression.range, in: scope.file,
        severity: min(isLog ? .high : .low, pass.highest(in: scope)),
        "the headers and bodies of all requests, of which some carry a token, are "
          + (isLog ? "written to the log" : "printed to the console"), basis: Basis(.witnessed))
    }
  }

  private static func sendsToken(_ pass: Pass) -> Bool {
    pass.inspector.uses?.sendsToken == true || pass.project.calls["AccessTokenPlugin"] != nil
  }

  private static func isVerbose(_ level: Expression) -> Bool {
    Words.split(level.lastName ?? "").contains("debug")
  }

  /// Returns true if a flag for debugging decides whether the code runs.
  private static func isForDebugging(_ call: Scope.Call, _ scope: Scope) -> Bool {
    scope.isForDevelopers
      || scope.namesOfConditions(around: call.expression).contains { name in
        Words.split(name).contains {
          ["debug", "debugging", "verbose", "log", "logging", "development"].contains($0)
        }
      }
  }

  /// Returns true unless the options of the plugin leave out headers and bodies.
  private static func showsRequests(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) -> Bool {
    guard let options = argument("logOptions", of: call.arguments) else { return true }
    let names = pass.inspector.names(in: options, scope)
    return names.isEmpty
      || !names.isDisjoint(with: ["verbose", "default", "requestHeaders", "requestBody"])
  }

  /// Returns true if the plugin gives its text to something other than `print`.
  private static func writesToLog(_ call: Scope.Call, _ scope: Scope) -> Bool {
    guard let output = argument("output", of: call.arguments), case .closure = output.kind else {
      return false
    }
    return scope.calls.contains { inner in
      output.range.contains(inner.expression.range.lowerBound)
        && (logs.contains(inner.name) && inner.receiver != nil || inner.name.hasPrefix("DDLog")
          || ["NSLog", "os_log"].contains(inner.name))
    }
  }

  private static let logs: Set<String> = [
    "trace", "debug", "info", "notice", "warning", "error", "log", "verbose", "warn",
  ]

  /// Returns the argument with a label, of a call or of one within its arguments.
  private static func argument(_ label: String, of arguments: [Argument]) -> Expression? {
    if let found = arguments.first(where: { $0.label == label }) { return found.value }
    return arguments.lazy.compactMap { argument -> Expression? in
      guard case .call(_, let inner) = argument.value.kind else { return nil }
      return Self.argument(label, of: inner)
    }.first
  }
}
