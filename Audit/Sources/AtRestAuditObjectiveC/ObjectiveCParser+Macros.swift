import AtRestAuditModel

extension ObjectiveCParser {
  /// Reads `#define NAME value` as a constant, and a macro with parameters as a function, if the
  /// body is code.
  mutating func read(_ macro: ObjectiveCMacro, into members: inout Members) {
    var parser = forMacro(macro)
    let name = names[Int(macro.name)]
    guard let parameters = macro.parameters else {
      guard let value = parser.expression(), parser.index == parser.limit, !parser.hasSkipped
      else { return }
      members.variables.append(
        Variable(
          name: name, value: value, isConstant: true, range: macro.range,
          nameOffset: macro.nameOffset, condition: macro.condition))
      return
    }
    let statements = parser.statements()
    guard !parser.hasSkipped else { return }
    members.functions.append(
      Function(
        name: name,
        parameters: parameters.map {
          Parameter(
            label: nil, name: $0.kind == .word ? names[Int($0.value)] : "__VA_ARGS__",
            nameOffset: $0.start)
        },
        body: Block(statements), range: macro.range, nameOffset: macro.nameOffset,
        condition: macro.condition))
  }
}
