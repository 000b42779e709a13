import AtRestAudit
import AtRestAuditObjectiveC
import Testing

@Suite struct ObjectiveCRangeTests {
  /// Returns the text of each expression in a statement, in the order of the model.
  private func texts(_ statement: String) -> [String] {
    let source = "void f() { \(statement) }"
    let bytes = Array(source.utf8)
    let file = ObjectiveCReader.read(source, path: "a.m")
    var found: [String] = []
    func visit(_ expression: Expression) {
      let range = Int(expression.range.lowerBound)..<Int(expression.range.upperBound)
      found.append(String(decoding: bytes[range], as: UTF8.self))
      switch expression.kind {
      case .call(let callee, let arguments):
        visit(callee)
        for argument in arguments { visit(argument.value) }
      case .member(let base, _): if let base { visit(base) }
      case .binary(let left, _, let right), .assignment(let left, _, let right):
        visit(left)
        visit(right)
      case .prefix(_, let operand), .cast(let operand, _): visit(operand)
      case .array(let elements): for element in elements { visit(element) }
      default: break
      }
    }
    for case .expression(let expression) in file.functions[0].body!.statements {
      visit(expression)
    }
    return found
  }

  @Test(arguments: [
    ("[a b:c d:@\"é\"];", ["[a b:c d:@\"é\"]", "a b", "a", "c", "@\"é\""]),
    ("x = a.b + -1;", ["x = a.b + -1", "x", "a.b + -1", "a.b", "a", "-1"]),
    (
      "f((NSString *)y, @[@1]);",
      ["f((NSString *)y, @[@1])", "f", "(NSString *)y", "y", "@[@1]", "@1"]
    ),
    ("@\"a\"  @\"b\";", ["@\"a\"  @\"b\""]),
    ("!g(@(1), @YES);", ["!g(@(1), @YES)", "g(@(1), @YES)", "g", "1", "@YES"]),
  ])
  func expressionReachesFromItsFirstToItsLastByte(_ statement: String, _ expected: [String]) {
    #expect(texts(statement) == expected)
  }

  @Test func declarationReachesFromItsFirstToItsLastByte() throws {
    let source = "@implementation A\n- (void)é:(id)x { f(); }\n@end\nint a = 1, b;"
    let bytes = Array(source.utf8)
    func text(_ range: Range<Int32>) -> String {
      String(decoding: bytes[Int(range.lowerBound)..<Int(range.upperBound)], as: UTF8.self)
    }
    let file = ObjectiveCReader.read(source, path: "a.m")
    #expect(text(file.types[0].range) == "@implementation A\n- (void)é:(id)x { f(); }\n@end")
    let method = file.types[0].functions[0]
    #expect(text(method.range) == "- (void)é:(id)x { f(); }")
    #expect(text(method.nameOffset..<(method.nameOffset + 3)) == "é:")
    #expect(file.variables.map { text($0.range) } == ["int a = 1", "b"])
    #expect(file.lines.position(of: file.variables[1].nameOffset) == Position(line: 4, column: 12))
  }
}
