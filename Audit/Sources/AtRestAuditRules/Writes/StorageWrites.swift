import AtRestAuditAnalysis
import AtRestAuditModel

/// Records under which names the code stores values, sensitive or not. An audit of a container then
/// says which code wrote a value that was found.
///
/// A write is recorded only if its names are constants. A name that is unknown could lead to the
/// wrong code.
enum StorageWrites {
  static func add(to set: inout CheckSet) {
    addPreferences(to: &set)
    addFiles(to: &set)
    addDatabases(to: &set)
    addKeychain(to: &set)
    addNetwork(to: &set)
  }

  /// The maximum number of calls of a function that are examined to find the name that it gets.
  private static let callerLimit = 50

  /// Calls a function with each constant text that an expression can be, and with the place in the
  /// code that decides it: the place of the write, or a call of the function that contains the
  /// write.
  static func forEachText(
    _ name: Expression, at place: Expression, in scope: Scope, _ pass: Pass,
    _ body: (_ text: String, _ place: Expression, _ scope: Scope) -> Void
  ) {
    if let text = text(name, in: scope, pass) { return body(text, place, scope) }
    guard case .name(let parameter) = name.bare.kind,
      case .parameter(let declared, let home) = pass.inspector.meaning(of: parameter, in: scope),
      let function = home.function,
      let index = function.parameters.firstIndex(where: { $0.name == declared.name })
    else { return }
    for (call, caller) in pass.inspector.callers(of: function, in: home, atMost: callerLimit) {
      guard let given = Inspector.argument(for: index, of: function, in: call),
        let text = text(given, in: caller, pass)
      else { continue }
      body(text, call.expression, caller)
    }
  }

  /// Returns the text of a constant, or nil.
  static func text(_ expression: Expression?, in scope: Scope, _ pass: Pass) -> String? {
    guard let expression, let text = pass.inspector.constant(expression, in: scope)?.text,
      !text.isEmpty
    else { return nil }
    return text
  }
}

extension Pass {
  /// Records a write at an expression.
  func record(_ slot: StorageSlot, at place: Expression, in scope: Scope) {
    record(StorageWrite(slot, at: scope.location(of: place.range)))
  }
}
