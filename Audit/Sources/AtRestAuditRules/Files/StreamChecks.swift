import AtRestAuditAnalysis
import AtRestAuditModel

/// Checks of sensitive values that are written to files without `write(to:)`: through streams,
/// functions of C, documents, and packages that store values.
enum StreamChecks {
  static func add(to set: inout CheckSet) {
    // `stream.write(bytes, maxLength: count)`
    set.onCall(["write"]) { call, scope, pass in
      guard let receiver = call.receiver, call["maxLength"] != nil, let value = call[0],
        pass.inspector.type(of: receiver, in: scope).map(TypeName.plain)?.hasSuffix("OutputStream")
          != false, !isInMemory(receiver, scope)
      else { return }
      written(value, by: call, scope, pass)
    }
    set.onCall(["writePropertyList", "writeJSONObject"]) { call, scope, pass in
      guard let value = call[0], let stream = call["to"] ?? call["toStream"],
        !isInMemory(stream, scope)
      else { return }
      written(
        value, by: call, scope, pass,
        as: call.name == "writePropertyList" ? .plaintextPlist : .plaintextFile)
    }
    set.onCall(["fputs", "fwrite", "fprintf"]) { call, scope, pass in
      guard call.receiver == nil else { return }
      let stream = call.name == "fprintf" ? call[0] : call.arguments.last?.value
      guard let stream, let name = stream.lastName, !isConsole(name) else { return }
      let values = call.name == "fprintf" ? call.arguments.dropFirst() : call.arguments[..<1]
      for argument in values where argument.value.literal == nil {
        written(argument.value, by: call, scope, pass)
      }
    }
    // `FileWrapper(regularFileWithContents:)`
    set.onCall(["FileWrapper", "initRegularFileWithContents"]) { call, scope, pass in
      guard
        let value = call["regularFileWithContents"]
          ?? (call.name == "FileWrapper" ? nil : call[0])
      else { return }
      written(value, by: call, scope, pass)
    }
    // `Disk.save(cards, to: .applicationSupport, as: "cards.json")`
    set.onCall(["save", "store"]) { call, scope, pass in
      guard case .name(let package)? = call.receiver?.kind,
        ["Disk", "Storage"].contains(package), scope.file.imports.contains(package),
        call["as"] != nil, let value = call[0]
      else { return }
      written(value, by: call, scope, pass)
    }
    set.onType { type, file, pass in
      for variable in type.variables { shared(variable, file, pass) }
    }
  }

  /// Returns true for the streams of the console.
  static func isConsole(_ name: String) -> Bool {
    ["stderr", "stdout", "__stderrp", "__stdoutp"].contains(name)
  }

  /// Returns true if a stream writes to memory.
  private static func isInMemory(_ stream: Expression, _ scope: Scope) -> Bool {
    guard let name = stream.path else { return false }
    return scope.bindings[name]?.contains { binding in
      guard case .call(let callee, let arguments) = binding.value.kind else { return false }
      return arguments.first?.label == "toMemory" || callee.lastName == "outputStreamToMemory"
        || callee.lastName == "toMemory"
    } == true
  }

  private static func written(
    _ value: Expression, by call: Scope.Call, _ scope: Scope, _ pass: Pass,
    as rule: RuleID = .plaintextFile
  ) {
    guard !pass.inspector.isProtected(value, in: scope),
      let found = pass.inspector.sensitivity(of: value, in: scope)
        ?? StorageChecks.record(of: value, scope, pass)
    else { return }
    pass.report(
      rule, found, at: call.expression, in: scope, "# is written to a file in the clear")
  }

  /// Reports `@Shared(.fileStorage(url)) var login = Login()`.
  private static func shared(_ variable: Variable, _ file: SourceFile, _ pass: Pass) {
    for attribute in variable.attributes where attribute.name == "Shared" {
      guard case .call(let callee, _)? = attribute.arguments.first?.value.kind,
        callee.lastName == "fileStorage"
      else { continue }
      let home = pass.inspector.scope(of: variable, in: file, owner: nil)
      let type = variable.type ?? variable.value.flatMap { pass.inspector.type(of: $0, in: home) }
      guard
        let found = type.flatMap({ StorageChecks.record($0, pass) })
          ?? SensitiveKind.ofName(variable.name).map({
            Evidence(sensitivity: $0, name: variable.name, trail: [])
          })
      else { continue }
      pass.report(
        .plaintextFile, at: variable.range, in: file,
        "\(found.description) is written to a file in the clear")
    }
  }
}
