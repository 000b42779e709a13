import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  package static let logSensitive = RuleID("log-sensitive")
}

/// Finds secrets and personal data in logs.
enum LogSensitive: CodeRule {
  static let rule = Rule(
    .logSensitive, "Secret or personal data in a log",
    severity: .high, level: .required,
    consequence:
      "Logs are kept on the device, can be read over a cable, and are sent along with crash "
      + "reports, so anyone who has one of these can read the value.",
    remedy:
      "Leave the value out, or write it with Logger as \\(value, privacy: .private). Log what "
      + "happened, not the data that was involved.",
    references: .init(
      masvs: ["MSTG-STORAGE-3"], maswe: ["MASWE-0005"], masweBeta: ["MASWE-0001"],
      mastg: ["MASTG-TEST-0296", "MASTG-TEST-0297"], cwe: [532]),
    bad: .init(
      "Login.swift",
      """
      func login(user: String, password: String) {
        print("login of \\(user) with \\(password)")
      }
      """),
    good: .init(
      "Login.swift",
      """
      func login(user: String, password: String) {
        print("login, password of \\(password.count) characters")
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall([
      "print", "debugPrint", "NSLog", "NSLogv", "printf", "fputs", "puts", "syslog", "vprintf",
      "CLSLog", "CLSNSLog", "CLSLogv", "DLog", "ALog", "DDLogVerbose", "DDLogDebug", "DDLogInfo",
      "DDLogWarn", "DDLogError", "RCTLog", "RCTLogInfo", "RCTLogError", "MyLog", "Log", "NSAssert",
      "asl_log", "QLog", "fatalError", "preconditionFailure", "precondition",
    ]) { call, scope, pass in
      guard call.receiver == nil || call.receiver?.lastName == "Swift" else { return }
      // The body of a function of the project's own says where the text goes.
      if ["Log", "MyLog", "DLog", "ALog", "QLog"].contains(call.name),
        pass.project.functions[call.name] != nil
      {
        return
      }
      // `print(x, to: &text)` prints into a variable.
      if call.name == "print" || call.name == "debugPrint", call["to"] != nil { return }
      // `fputs(text, file)`
      if call.name == "fputs", let stream = call[1]?.lastName, !StreamChecks.isConsole(stream) {
        return
      }
      logged(call, isSwift: scope.file.language == .swift, scope, pass)
    }
    set.onCall(["fprintf"]) { call, scope, pass in
      guard ["stderr", "stdout", "__stderrp"].contains(call[0]?.lastName) else { return }
      logged(call, isSwift: false, scope, pass)
    }
    // `publisher.print("step")`, `observable.debug("step")`
    set.onCall(["print", "debug"]) { call, scope, pass in
      guard let receiver = call.receiver, call.arguments.count < 2,
        call.name == "print" || scope.file.imports.contains(where: { $0.hasPrefix("Rx") }),
        call[0].map({ $0.literal != nil }) ?? true,
        let found = pass.inspector.sensitivity(of: receiver, in: scope)
      else { return }
      pass.report(
        .logSensitive, found, at: call.expression, in: scope,
        severity: call.name == "print" ? .low : nil, "# is written to the log")
    }
    // `LoggerStore.shared.storeMessage(label: "x", level: .debug, message: "…")`
    set.onCall(["storeMessage"]) { call, scope, pass in
      guard scope.file.imports.contains("Pulse") else { return }
      logged(call, isSwift: true, scope, pass)
    }
    // `vsyslog(priority, format, arguments)`, `vdprintf(2, format, arguments)`
    set.onCall(["vsyslog", "vdprintf", "dprintf", "os_log_with_args"]) { call, scope, pass in
      guard call.receiver == nil else { return }
      if call.name.hasSuffix("dprintf"), !["1", "2"].contains(call[0]?.digits),
        !["STDERR_FILENO", "STDOUT_FILENO"].contains(call[0]?.lastName)
      {
        return
      }
      logged(call, isSwift: false, scope, pass)
    }
    // `FileHandle.standardError.write(Data("…".utf8))`
    set.onCall(["write", "writeData"]) { call, scope, pass in
      guard
        [
          "standardError", "standardOutput", "fileHandleWithStandardError",
          "fileHandleWithStandardOutput",
        ].contains(call.receiver?.lastName)
      else { return }
      logged(call, isSwift: false, scope, pass)
    }
    set.onCall(["dump"]) { call, scope, pass in
      guard call.receiver == nil, let value = call[0] else { return }
      if let found = pass.inspector.sensitivity(of: value, in: scope)
        ?? recordOf(value, scope, pass)
      {
        pass.report(
          .logSensitive, found, at: call.expression, in: scope, severity: .low,
          "# is dumped to the console")
      }
    }
    set.onCall(["os_log", "os_log_info", "os_log_debug", "os_log_error", "os_log_fault"]) {
      call, scope, pass in unified(call, scope, pass)
    }
    set.onCall([
      "trace", "debug", "info", "notice", "warning", "error", "critical", "fault", "log",
      "verbose", "warn", "severe",
    ]) { call, scope, pass in
      guard let receiver = call.receiver, !call.arguments.isEmpty else { return }
      let type = pass.inspector.type(of: receiver, in: scope).map(TypeName.plain)
      let name = (receiver.lastName ?? "").lowercased()
      guard
        type == "Logger" || name.hasSuffix("logger") || name == "log" || name.hasSuffix("log")
          || type == "SwiftyBeaver" || type == "XCGLogger" || type == "Log"
      else { return }
      if isUnified(type, scope, pass) {
        unified(call, scope, pass)
      } else {
        logged(call, isSwift: scope.file.language == .swift, scope, pass)
      }
    }
  }

  /// Returns true if a logger is the system's logger, which keeps strings private by default.
  private static func isUnified(_ type: String?, _ scope: Scope, _ pass: Pass) -> Bool {
    let imports = scope.file.imports
    if imports.contains("Logging") || imports.contains("CocoaLumberjack") { return false }
    if imports.contains("os") || imports.contains("OSLog") || imports.contains("os.log")
      || imports.contains("os.logger")
    {
      return true
    }
    return type == "Logger" && pass.project.types["Logger"] == nil
      && !pass.project.imports.contains("Logging")
  }

  private static func logged(
    _ call: Scope.Call, isSwift: Bool, _ scope: Scope, _ pass: Pass
  ) {
    if call.receiver == nil, pass.project.logSwitches.silence(call.name, in: scope.file) { return }
    var format = ""
    for argument in call.arguments {
      if ["separator", "terminator", "file", "line", "function", "subsystem", "source"].contains(
        argument.label)
      {
        continue
      }
      let value = argument.value
      if let text = value.literal {
        format = text
        continue
      }
      if let found = told(value, isSwift: isSwift, scope, pass) {
        report(found, call, scope, pass)
        return
      }
    }
    if let found = pass.inspector.formatted(format, call.arguments, in: scope)
      ?? listed(call.arguments, scope, pass)
    {
      report(found, call, scope, pass)
      return
    }
    for argument in call.arguments {
      pass.inspector.eachValue(arrivingIn: argument.value, in: scope) { arrival in
        guard let found = told(arrival.value, isSwift: isSwift, arrival.scope, pass) else {
          return false
        }
        if found.sensitivity == .personal,
          pass.inspector.isFixed(arrival.value, in: arrival.scope)
        {
          return true
        }
        // What the function does on the way is not followed to the end.
        pass.report(
          .logSensitive, found, at: arrival.place, in: arrival.scope,
          severity: isConsole(call) || ends(call) || found.name == payloadName ? .low : .medium,
          "# is passed to \(arrival.name), which writes it to the log")
        return true
      }
    }
  }

  private static func report(
    _ found: Evidence, _ call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    pass.report(
      .logSensitive, found, at: call.expression, in: scope,
      severity: isConsole(call) || ends(call) || found.name == payloadName ? .low : nil,
      isConsole(call) ? "# is printed to the console" : "# is written to the log")
  }

  /// Returns true for functions whose text goes to the standard streams, which no log of the system
  /// keeps.
  private static func isConsole(_ call: Scope.Call) -> Bool {
    ["print", "debugPrint", "printf", "puts", "fputs", "vprintf", "fprintf", "dprintf", "vdprintf"]
      .contains(call.name) || ["write", "writeData"].contains(call.name)
  }

  /// Returns true for functions that end the program with their text, in a case that should not happen.
  private static func ends(_ call: Scope.Call) -> Bool {
    ["fatalError", "preconditionFailure", "precondition", "NSAssert"].contains(call.name)
  }

  /// Returns evidence if a literal names the argument after it as sensitive: `print("password:",
  /// x)`.
  private static func listed(
    _ arguments: [Argument], _ scope: Scope, _ pass: Pass
  ) -> Evidence? {
    for (text, value) in zip(arguments, arguments.dropFirst()) {
      if let text = text.value.literal, !text.contains("%"), value.label == nil,
        let found = pass.inspector.announced(by: text, value.value, in: scope)
      {
        return found
      }
    }
    return nil
  }

  /// Returns the sensitive content of a value that a log shows, or nil. A log shows only the size
  /// of `Data`, and only the name of an object.
  private static func told(
    _ value: Expression, isSwift: Bool, _ scope: Scope, _ pass: Pass
  ) -> Evidence? {
    if isSwift, isData(value, scope, pass) { return nil }
    if case .string(let pieces) = value.kind {
      var before = ""
      for piece in pieces {
        switch piece {
        case .text(let text): before = text
        case .value(let arguments):
          defer { before = "" }
          guard let inner = arguments.first?.value,
            !Inspector.hides(arguments),
            !arguments.contains(where: { $0.label == "privacy" && isPrivate($0.value) })
          else { continue }
          // The text before a value may announce it: `password: \(value)`.
          if let found = told(inner, isSwift: isSwift, scope, pass) { return found }
          if !isSwift || !isData(inner, scope, pass),
            let found = pass.inspector.announced(by: before, inner, in: scope)
          {
            return found
          }
        }
      }
      return nil
    }
    if let found = payload(value, scope) { return found }
    // Of an object, a log shows the name of its class.
    if isObject(value, scope, pass) { return recordOf(value, scope, pass) }
    if let found = pass.inspector.sensitivity(of: value, in: scope) { return found }
    // `String(data: try JSONEncoder().encode(login), encoding: .utf8)`
    if pass.inspector.isMade(value, by: ["encode", "dataWithJSONObject"], in: scope),
      let found = StorageChecks.record(of: value, scope, pass, persons: false)
    {
      return found
    }
    return recordOf(value, scope, pass) ?? Replies.evidence(value, scope, pass)
  }

  /// Returns evidence if a value is the payload of a notification, which has the text of a message.
  private static func payload(_ value: Expression, _ scope: Scope) -> Evidence? {
    guard value.bare.lastName == "userInfo" else { return nil }
    let isOfNotification: Bool =
      switch value.bare.kind {
      case .member(let base?, _): base.lastName == "content"
      case .name:
        scope.function?.parameters.contains { parameter in
          [parameter.label ?? "", scope.function?.name ?? ""].contains {
            $0.lowercased().contains("remotenotification") || $0 == "userNotificationCenter"
          }
        } == true
      default: false
      }
    return isOfNotification
      ? Evidence(sensitivity: .personal, name: payloadName, source: .use) : nil
  }

  private static let payloadName = "userInfo of a notification"

  /// Returns true for an object of one of the project's classes.
  private static func isObject(_ value: Expression, _ scope: Scope, _ pass: Pass) -> Bool {
    guard let type = pass.inspector.type(of: value, in: scope), !type.hasPrefix("[") else {
      return false
    }
    let own = pass.project.declarations(of: type, near: scope.file)
    return !own.isEmpty
      && own.allSatisfy { $0.form == .class || $0.form == .actor || $0.form == .protocol }
  }

  /// Returns true for `Data`, because `print` shows only how many bytes it has.
  private static func isData(_ value: Expression, _ scope: Scope, _ pass: Pass) -> Bool {
    pass.inspector.type(of: value, in: scope).map(TypeName.plain) == "Data"
  }

  /// Returns a sensitive property of a record whose description shows its contents, or nil. Such a
  /// record is a Swift struct or a database object.
  private static func recordOf(_ value: Expression, _ scope: Scope, _ pass: Pass) -> Evidence? {
    // `\(User.self)` shows the name of a type.
    if case .name(let name) = value.bare.kind, name.first?.isUppercase == true,
      pass.project.types[name] != nil
    {
      return nil
    }
    guard let type = pass.inspector.type(of: value, in: scope) else { return nil }
    let plain = TypeName.element(type) ?? TypeName.plain(type)
    if let attributes = pass.project.resources.entities[plain] {
      for name in attributes {
        if let found = SensitiveKind.ofName(name), found.isSecret || found == .payment {
          guard pass.isCredible(name, of: plain) else { continue }
          return Evidence(
            sensitivity: found, name: "\(plain).\(name)", subject: name, owner: plain)
        }
      }
    }
    guard let facts = pass.project.types[plain] else { return nil }
    let isShown =
      facts.declarations.contains { $0.type.form == .struct }
      || pass.project.type(plain, is: ["NSManagedObject", "RLMObject", "Object"])
    let descriptions = descriptions(of: facts, pass)
    if !descriptions.isEmpty {
      return descriptions.lazy.compactMap { description in
        description.returns.lazy.compactMap {
          pass.inspector.sensitivity(of: $0, in: description)
        }.first
      }.first
    }
    let describesItself =
      facts.variables["description"] != nil || facts.variables["debugDescription"] != nil
    guard isShown, !describesItself else { return nil }
    return StorageChecks.record(plain, pass, isEncoded: false)
  }

  /// Returns the code by which a type describes itself: its `description`, in both languages.
  private static func descriptions(of facts: TypeFacts, _ pass: Pass) -> [Scope] {
    let names = ["description", "debugDescription"]
    let accessors = names.compactMap { facts.variables[$0]?.variable.accessors.first }
    let methods = facts.declarations.flatMap { $0.type.functions }.filter {
      names.contains($0.name) && $0.parameters.isEmpty && $0.body != nil
    }
    return (accessors + methods).compactMap(pass.project.scope)
  }

  /// Checks `os_log` and `Logger`, which keep strings private unless they are marked as public.
  private static func unified(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) {
    for argument in call.arguments {
      guard case .string(let pieces) = argument.value.kind else { continue }
      for case .value(let arguments) in pieces {
        guard let value = arguments.first?.value,
          isShown(value, arguments, scope, pass),
          let found = pass.inspector.sensitivity(of: value, in: scope)
            ?? Replies.evidence(value, scope, pass)
        else { continue }
        pass.report(
          .logSensitive, found, at: call.expression, in: scope,
          isNumber(value, scope, pass)
            ? "# is written to the log, which hides no numbers"
            : "# is written to the log and marked as public")
        return
      }
      let format = argument.value.literal ?? ""
      guard format.contains("%") else { continue }
      let values = call.arguments.filter { $0.label == nil || $0.label == "_" }
        .map(\.value).drop { $0 !== argument.value }.dropFirst()
      let rest =
        values.isEmpty
        ? call.arguments.map(\.value).drop { $0 !== argument.value }.dropFirst().filter {
          $0.literal == nil
        }[...] : ArraySlice(values)
      let specifiers = format.split(separator: "%", omittingEmptySubsequences: true)
        .dropFirst(format.hasPrefix("%") ? 0 : 1)
      for (specifier, value) in zip(specifiers, rest) where specifier.hasPrefix("{public}") {
        if let found = pass.inspector.sensitivity(of: value, in: scope) {
          pass.report(
            .logSensitive, found, at: call.expression, in: scope,
            "# is written to the log and marked as public")
          return
        }
      }
    }
  }

  /// Returns true if the log of the system shows an interpolated value: one that is marked as
  /// public, or a number that is not marked.
  private static func isShown(
    _ value: Expression, _ arguments: [Argument], _ scope: Scope, _ pass: Pass
  ) -> Bool {
    if let privacy = arguments.first(where: { $0.label == "privacy" }) {
      return isPublic(privacy.value)
    }
    return isNumber(value, scope, pass)
  }

  private static func isNumber(_ value: Expression, _ scope: Scope, _ pass: Pass) -> Bool {
    ["Int", "Int64", "Int32", "UInt", "UInt64", "Double", "Float"].contains(
      pass.inspector.type(of: value, in: scope).map(TypeName.plain))
  }

  private static func isPublic(_ value: Expression) -> Bool { value.lastName == "public" }

  private static func isPrivate(_ value: Expression) -> Bool {
    value.lastName == "private" || value.lastName == "sensitive"
  }
}

extension Expression {
  fileprivate var digits: String? { if case .number(let text) = kind { text } else { nil } }
}
