import AtRestAudit
import Foundation
import Testing
import Yams

@Suite struct SettingsSchemaTests {
  /// The schema accepts the same settings as the parser.
  @Test(arguments: [
    ("fail-on: high", true), ("fail-on: never", true), ("fail-on: none", false),
    ("strict: true", true), ("strict: 1", false), ("strict: word", false),
    ("rules: {log-sensitive: 'off'}", true), ("rules: {a: critical}", false), ("rules: []", false),
    ("exclude: [a, b]", true), ("exclude: a", false), ("exclude: ['']", false),
    ("include: []", true), ("vendored: include", true), ("vendored: other", false),
    ("generated: exclude", true), ("tests: include", true), ("baseline: b.json", true),
    ("baseline: ''", false), ("advisories: osv", true), ("advisories: [a]", false),
    ("sensitive-names: {a: token}", true), ("sensitive-names: {a: b}", false),
    ("harmless-names: [a]", true), ("harmless-names: {a: b}", false),
    ("checklist: {official-distribution: text}", true), ("checklist: {other: text}", false),
    ("checklist: {official-distribution: ' '}", false), ("unknown: 1", false),
  ])
  func agreesWithTheParser(yaml: String, isValid: Bool) throws {
    let errors = try Schemas.own("atrest-audit.schema.json").errors(try json(yaml))
    #expect(errors.isEmpty == isValid, "\(errors)")
    #expect(((try? Settings(yaml: yaml)) != nil) == isValid)
  }

  @Test func hasEveryKeyAndQuestion() throws {
    let file = Schemas.package.appendingPathComponent("Schema/atrest-audit.schema.json")
    let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let properties = try #require(schema?["properties"] as? [String: [String: Any]])
    for key in properties.keys {
      // The parser knows each key of the schema. It may still reject this value, which is an empty
      // dictionary.
      do {
        _ = try Settings(yaml: "\(key): {}")
      } catch let error as SettingsError {
        #expect(!error.message.contains("Unknown key"))
      }
    }
    let error = #expect(throws: SettingsError.self) { try Settings(yaml: "zzzzzzzzzzzzzzzz: 1") }
    let named = error?.message.components(separatedBy: "Use one of: ").last?.dropLast()
    #expect(Set(named?.components(separatedBy: ", ") ?? []) == Set(properties.keys))
    let questions = properties["checklist"]?["properties"] as? [String: Any]
    #expect(Set(questions?.keys.map { $0 } ?? []) == Set(Checklist.all.map(\.id)))
  }

  @Test func takesTheTemplate() throws {
    let errors = try Schemas.own("atrest-audit.schema.json").errors(try json(Settings.template))
    #expect(errors.isEmpty)
  }

  private func json(_ yaml: String) throws -> Any {
    let value = try #require(try Yams.load(yaml: yaml))
    // Converts through text, to get JSON's own numbers and booleans.
    let data = try JSONSerialization.data(withJSONObject: value)
    return try JSONSerialization.jsonObject(with: data)
  }
}
