import AtRestAuditAnalysis
import AtRestAuditModel

/// Checks of sensitive values in files, and of files without protection.
enum FileChecks {
  static func add(to set: inout CheckSet) {
    set.onCall(["write", "writeToFile", "writeToURL"]) { call, scope, pass in
      guard let receiver = call.receiver,
        let place = call["to"] ?? call["toFile"] ?? call["atPath"]
          ?? (call.name == "write" ? nil : call[0])
      else { return }
      // `text.write(to: &output)` writes into a variable.
      if case .prefix("&", _) = place.kind { return }
      // Other types also have `data.write(to: stream)`, which does not write to a file.
      if let type = pass.inspector.type(of: place, in: scope).map(TypeName.plain),
        !["URL", "NSURL", "String", "NSString"].contains(type)
      {
        return
      }
      written(receiver, to: place, by: call, scope, pass)
    }
    StreamChecks.add(to: &set)
    set.onCall(["createFile", "createFileAtPath"]) { call, scope, pass in
      guard let contents = call["contents"] ?? call[1], let place = call[0] else { return }
      written(contents, to: place, by: call, scope, pass)
    }
    set.onCall(["copyItem", "copyItemAtPath", "copyItemAtURL", "moveItem"]) { call, scope, pass in
      guard let target = call["to"] ?? call["toPath"] ?? call["toURL"],
        let name = fileName(target, scope, pass)
      else { return }
      let bundled = pass.project.resources.filesWithSecrets.contains(name)
      guard bundled || isSensitive(file: name) else { return }
      pass.report(
        name.hasSuffix(".plist") ? .plaintextPlist : .plaintextFile, at: call.expression,
        in: scope, "the file \(name) is copied to the app's data in the clear")
    }
  }

  static func written(
    _ value: Expression, to place: Expression, by call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    let inspector = pass.inspector
    let protection = protection(of: call, scope, pass)
    let isProtected = protection.contains(where: isComplete)
    if let found = evidence(value, place, scope, pass), !inspector.isProtected(value, in: scope) {
      if isProtected { return }
      pass.report(
        rule(value, place, scope, pass), found, at: call.expression, in: scope,
        severity: severity(of: place, scope, pass), "# is written to a file in the clear")
      return
    }
    if !isProtected {
      for given in inspector.callers(
        giving: value, in: scope, or: { StorageChecks.record(of: $0, $1, pass) })
      {
        // A log that is written to a file is reported as a log.
        if isLog(scope) { continue }
        pass.report(
          rule(value, place, scope, pass), given.through(scope, call.expression),
          at: given.place, in: given.scope, severity: severity(of: place, scope, pass),
          "# is written to a file in the clear")
      }
    }
    // Even an encrypted secret deserves the protection class that locks with the device.
    guard !isProtected, !protection.contains(where: isDefault),
      inspector.isProtected(value, in: scope),
      wasSensitive(value, scope, pass)
    else { return }
    pass.report(
      .unprotectedFile, at: call.expression, in: scope,
      "a secret is encrypted, but written without complete file protection")
  }

  /// Returns a lower severity for a temporary file: low if the function also removes it, and
  /// otherwise medium. Returns nil for any other file.
  private static func severity(of place: Expression, _ scope: Scope, _ pass: Pass) -> Severity? {
    let isTemporary =
      pass.inspector.involves(
        ["NSTemporaryDirectory", "temporaryDirectory", "temporaryDirectoryURL"], place, in: scope)
      || Words.split(place.written).contains { ["tmp", "temp", "temporary"].contains($0) }
    return removes(place, scope) ? .low : isTemporary ? .medium : nil
  }

  /// Returns true if a function removes the file at a place.
  static func removes(_ place: Expression, _ scope: Scope) -> Bool {
    scope.calls.contains { call in
      call.name.hasPrefix("removeItem")
        && call.arguments.contains { $0.value.path != nil && $0.value.path == place.path }
    }
  }

  static func evidence(
    _ value: Expression, _ place: Expression, _ scope: Scope, _ pass: Pass
  ) -> Evidence? {
    if let found = pass.inspector.sensitivity(of: value, in: scope) { return found }
    if let found = StorageChecks.record(of: value, scope, pass) { return found }
    if let found = archived(value, scope, pass) { return found }
    if let name = fileName(place, scope, pass), isSensitive(file: name),
      !pass.inspector.isProtected(value, in: scope)
    {
      return Evidence(
        sensitivity: SensitiveKind.ofKey(stem(name)) ?? .credential, name: "the file \(name)",
        trail: [])
    }
    return Pictures.evidence(of: value, in: place, scope, pass)
  }

  /// Returns the sensitive value that was encoded by the archiver that produced this data, or nil
  /// if there is none.
  private static func archived(_ value: Expression, _ scope: Scope, _ pass: Pass) -> Evidence? {
    let path: String?
    if case .member(let archiver?, "encodedData") = value.bare.kind {
      path = archiver.path
    } else {
      // `[[NSKeyedArchiver alloc] initForWritingWithMutableData:data]`
      guard let data = value.bare.path,
        scope.calls.contains(where: {
          $0.name == "initForWritingWithMutableData" && $0[0]?.path == data
        })
      else { return nil }
      path = nil
    }
    for call in scope.calls
    where call.name.hasPrefix("encode") && (path == nil || call.receiver?.path == path) {
      guard let encoded = call[0], let key = call["forKey"] ?? call[0] else { continue }
      if let found = pass.inspector.sensitivity(ofEntry: key, encoded, in: scope)
        ?? StorageChecks.record(of: encoded, scope, pass)
      {
        return found
      }
    }
    return nil
  }

  /// Returns true if a function writes a log.
  private static func isLog(_ scope: Scope) -> Bool {
    [scope.owner, scope.function?.name].contains { name in
      Words.split(name ?? "").contains { ["log", "logs", "logger", "logging"].contains($0) }
    }
  }

  static func rule(
    _ value: Expression, _ place: Expression, _ scope: Scope, _ pass: Pass
  ) -> RuleID {
    if fileName(place, scope, pass)?.hasSuffix(".plist") == true { return .plaintextPlist }
    if archived(value, scope, pass) != nil { return .plaintextArchive }
    if case .dictionary = value.bare.kind { return .plaintextPlist }
    let type = pass.inspector.type(of: value, in: scope) ?? ""
    if type.hasPrefix("NSDictionary") || type.hasPrefix("NSMutableDictionary")
      || type.hasPrefix("NSArray") || type.hasPrefix("NSMutableArray")
    {
      return .plaintextPlist
    }
    if pass.inspector.isMade(
      value, by: ["archivedData", "archivedDataWithRootObject", "NSKeyedArchiver"], in: scope)
    {
      return .plaintextArchive
    }
    if pass.inspector.isMade(
      value, by: ["PropertyListEncoder", "PropertyListSerialization", "dataWithPropertyList"],
      in: scope)
    {
      return .plaintextPlist
    }
    return .plaintextFile
  }

  /// Returns the names of the protection classes that the options of a call contain, or that the
  /// same function sets.
  private static func protection(
    of call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) -> Set<String> {
    var found: Set<String> = []
    for label in ["options", "attributes", "error"] {
      guard let options = call[label] else { continue }
      found.formUnion(pass.inspector.names(in: options, scope))
      found.formUnion(protection(in: options, scope, pass))
    }
    for call in scope.calls
    where call.name == "setAttributes" || call.name.hasPrefix("setResourceValue") {
      for argument in call.arguments {
        found.formUnion(protection(in: argument.value, scope, pass))
      }
    }
    return found
  }

  /// Returns the names of the protection classes in a dictionary of attributes.
  private static func protection(
    in attributes: Expression, _ scope: Scope, _ pass: Pass
  ) -> Set<String> {
    guard let entries = pass.inspector.dictionary(attributes, in: scope) else { return [] }
    return entries.keys.reduce(into: []) { names, key in
      guard key.lowercased().contains("protectionkey"), let entry = entries[key] else { return }
      names.formUnion(pass.inspector.names(in: entry.value, entry.scope))
    }
  }

  /// Returns true if the file that a call writes is locked with the device.
  static func isComplete(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) -> Bool {
    protection(of: call, scope, pass).contains(where: isComplete)
  }

  /// Returns true if a protection class locks the file with the device.
  private static func isComplete(_ name: String) -> Bool {
    let lower = name.lowercased()
    return !isDefault(name)
      && (lower.contains("protectioncomplete") || lower.contains("completefileprotection")
        || lower == "complete" || lower == "completeunlessopen")
  }

  /// Returns true if this is the name of the protection class that files have by default.
  private static func isDefault(_ name: String) -> Bool {
    name.lowercased().hasSuffix("completeuntilfirstuserauthentication")
      || name.lowercased().hasSuffix("completefileprotectionuntilfirstuserauthentication")
  }

  /// Returns true if an encrypted value was made from a sensitive value.
  private static func wasSensitive(_ value: Expression, _ scope: Scope, _ pass: Pass) -> Bool {
    var value = value.bare
    for _ in 0..<6 {
      if case .member(let base?, _) = value.kind {
        value = base.bare
      } else if case .name(let name) = value.kind,
        case .local(let bindings, _, _) = pass.inspector.meaning(of: name, in: scope),
        let first = bindings.first
      {
        value = first.value.bare
      } else {
        break
      }
    }
    guard case .call(let callee, let arguments) = value.kind else { return false }
    if case .member(let base?, _) = callee.kind,
      pass.inspector.sensitivity(of: base, in: scope) != nil
    {
      return true
    }
    return arguments.contains { pass.inspector.sensitivity(of: $0.value, in: scope) != nil }
  }

  /// Returns the name of the file that a path or URL points to, or nil if it is unknown.
  static func fileName(_ place: Expression, _ scope: Scope, _ pass: Pass, depth: Int = 0) -> String?
  {
    guard depth < 6 else { return nil }
    if let text = pass.inspector.constant(place, in: scope)?.text {
      let last = text.split(separator: "/").last.map(String.init)
      return last?.contains(".") == true || depth > 0 ? last : nil
    }
    switch place.bare.kind {
    case .string(let pieces):
      guard case .text(let text)? = pieces.last else { return nil }
      return text.split(separator: "/").last.map(String.init)
    case .binary(_, "+", let right): return fileName(right, scope, pass, depth: depth + 1)
    case .call(let callee, let arguments):
      switch callee.lastName {
      case "appendingPathComponent", "stringByAppendingPathComponent",
        "URLByAppendingPathComponent",
        "appending", "URL", "fileURLWithPath", "NSURL", "appendPathComponent",
        "stringByAppendingString",
        "stringWithFormat", "pathForResource", "url", "path", "appendingPathExtension":
        guard
          let last = arguments.last(where: {
            $0.label != "isDirectory" && $0.label != "directoryHint"
          })
        else { return nil }
        return fileName(last.value, scope, pass, depth: depth + 1)
      default:
        for declared in pass.inspector.functions(
          called: callee.lastName ?? "", receiver: nil, in: scope, arguments: arguments.count)
        {
          for result in declared.scope.returns {
            if let name = fileName(result, declared.scope, pass, depth: depth + 1) { return name }
          }
        }
        return nil
      }
    case .member(let base?, "path"), .member(let base?, "absoluteString"),
      .member(let base?, "relativePath"):
      return fileName(base, scope, pass, depth: depth + 1)
    case .name(let name):
      switch pass.inspector.meaning(of: name, in: scope) {
      case .local(let bindings, _, let home):
        return bindings.first.flatMap { fileName($0.value, home, pass, depth: depth + 1) }
      case .property(let variable, let file, let owner):
        let home = pass.inspector.scope(of: variable, in: file, owner: owner)
        return variable.value.flatMap { fileName($0, home, pass, depth: depth + 1) }
      case .global(let variable, let file):
        let home = pass.inspector.scope(of: variable, in: file, owner: nil)
        return variable.value.flatMap { fileName($0, home, pass, depth: depth + 1) }
      default: return nil
      }
    case .member(let base?, let name):
      if pass.inspector.isSelf(base) {
        return fileName(Expression(.name(name), place.range), scope, pass, depth: depth + 1)
      }
      return nil
    default: return nil
    }
  }

  static func isSensitive(file: String) -> Bool {
    guard let found = SensitiveKind.ofKey(stem(file)) else { return false }
    return found.isSecret || found == .payment || found == .health
  }

  private static func stem(_ file: String) -> String {
    file.split(separator: ".").first.map(String.init) ?? file
  }
}

extension Inspector {
  /// Returns true if a value comes from a call of one of these functions or types.
  func isMade(
    _ value: Expression, by names: Set<String>, in scope: Scope, depth: Int = 0
  ) -> Bool {
    guard depth < 5 else { return false }
    switch value.bare.kind {
    case .call(let callee, let arguments):
      if let name = callee.lastName, names.contains(name) { return true }
      if arguments.contains(where: {
        $0.label == "encoder" && isMade($0.value, by: names, in: scope, depth: depth + 1)
      }) {
        return true
      }
      if case .member(let base?, _) = callee.kind {
        if isMade(base, by: names, in: scope, depth: depth + 1) { return true }
        if let type = type(of: base, in: scope), names.contains(TypeName.plain(type)) {
          return true
        }
      }
      if arguments.count == 1, isMade(arguments[0].value, by: names, in: scope, depth: depth + 1) {
        return true
      }
      return functions(
        called: callee.lastName ?? "", receiver: nil, in: scope, arguments: arguments.count
      ).contains { declared in
        declared.scope.returns.prefix(4).contains {
          isMade($0, by: names, in: declared.scope, depth: depth + 2)
        }
      }
    case .name(let name):
      if case .local(let bindings, _, let home) = meaning(of: name, in: scope) {
        return bindings.contains { isMade($0.value, by: names, in: home, depth: depth + 1) }
      }
      if case .closure(let handler, let index, let home) = meaning(
        of: name, in: scope, at: value.bare)
      {
        return values(of: handler, index, in: home).contains {
          isMade($0.value, by: names, in: $0.scope, depth: depth + 1)
        }
      }
      return false
    case .binary(let left, "??", _): return isMade(left, by: names, in: scope, depth: depth + 1)
    case .member(let base?, _): return isMade(base, by: names, in: scope, depth: depth + 1)
    default: return false
    }
  }
}
