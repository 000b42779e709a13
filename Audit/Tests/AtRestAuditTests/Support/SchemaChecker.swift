import Foundation

/// Checks JSON against a JSON schema (draft 4 to 7).
///
/// It supports the keywords that the schemas here use. Any other keyword is an error, so that none
/// is ignored.
struct SchemaChecker {
  private let root: [String: Any]

  init(_ data: Data) throws {
    root = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  /// Returns the errors of a value, each with its place. The result is empty if the value is valid.
  func errors(_ value: Any) -> [String] { errors(value, root, "") }

  func errors(json: String) throws -> [String] {
    errors(try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed))
  }

  private static let silent: Set<String> = [
    "$schema", "$id", "id", "title", "description", "default", "definitions", "format",
  ]

  private func errors(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    if let reference = schema["$ref"] as? String {
      return errors(value, resolve(reference), place)
    }
    return schema.flatMap { key, rule -> [String] in
      let found = errors(value, key, rule, schema, place)
      return found
    }
  }

  private func errors(
    _ value: Any, _ keyword: String, _ rule: Any, _ schema: [String: Any], _ place: String
  ) -> [String] {
    func fail(_ why: String) -> [String] { ["\(place.isEmpty ? "/" : place): \(why)"] }
    let object = value as? [String: Any]
    let array = value as? [Any]
    let number = Self.isNumber(value) ? (value as? NSNumber)?.doubleValue : nil
    let limit = (rule as? NSNumber)?.doubleValue ?? 0
    switch keyword {
    case "type":
      let types = (rule as? [String]) ?? [rule as? String ?? ""]
      return types.contains { Self.isOf($0, value) } ? [] : fail("is not of a type in \(types)")
    case "enum":
      let values = (rule as? [Any] ?? []).map(Self.canonical)
      return values.contains(Self.canonical(value)) ? [] : fail("\(value) is not allowed")
    case "required":
      guard let object else { return [] }
      return (rule as? [String] ?? []).filter { object[$0] == nil }.flatMap { fail("lacks \($0)") }
    case "properties":
      guard let object, let rules = rule as? [String: Any] else { return [] }
      return rules.flatMap { name, rule -> [String] in
        guard let value = object[name], let rule = rule as? [String: Any] else { return [] }
        return errors(value, rule, "\(place)/\(name)")
      }
    case "additionalProperties":
      guard let object else { return [] }
      let named = schema["properties"] as? [String: Any] ?? [:]
      let others = object.filter { named[$0.key] == nil }
      if let rule = rule as? [String: Any] {
        return others.flatMap { errors($0.value, rule, "\(place)/\($0.key)") }
      }
      return limit == 0 ? others.keys.flatMap { fail("has the unknown key \($0)") } : []
    case "items":
      guard let array, let rule = rule as? [String: Any] else { return [] }
      return array.enumerated().flatMap { errors($1, rule, "\(place)/\($0)") }
    case "minItems": return (array?.count ?? .max) >= Int(limit) ? [] : fail("has too few items")
    case "uniqueItems":
      guard let array, limit == 1 else { return [] }
      return Set(array.map(Self.canonical)).count == array.count ? [] : fail("has a duplicate")
    case "minimum": return (number ?? .infinity) >= limit ? [] : fail("is below \(limit)")
    case "maximum": return (number ?? -.infinity) <= limit ? [] : fail("is above \(limit)")
    case "minLength":
      return ((value as? String)?.count ?? .max) >= Int(limit) ? [] : fail("is too short")
    case "pattern":
      guard let text = value as? String, let pattern = rule as? String else { return [] }
      return text.range(of: pattern, options: .regularExpression) != nil
        ? [] : fail("'\(text)' does not match \(pattern)")
    case "anyOf", "oneOf", "allOf":
      let rules = rule as? [[String: Any]] ?? []
      let results = rules.map { errors(value, $0, place) }
      let count = results.count(where: \.isEmpty)
      let holds =
        keyword == "allOf" ? count == rules.count : keyword == "oneOf" ? count == 1 : count > 0
      return holds ? [] : fail("\(keyword): \(results.joined().prefix(5))")
    case let other where Self.silent.contains(other): return []
    default: return fail("the schema has the keyword '\(keyword)', which is not supported")
    }
  }

  private func resolve(_ reference: String) -> [String: Any] {
    reference.dropFirst(2).split(separator: "/").reduce(root) {
      $0[String($1)] as? [String: Any] ?? ["missing": reference]
    }
  }

  private static func canonical(_ value: Any) -> Data? {
    try? JSONSerialization.data(withJSONObject: [value], options: .sortedKeys)
  }

  private static func isNumber(_ value: Any) -> Bool {
    value is NSNumber && !isBoolean(value)
  }

  private static func isBoolean(_ value: Any) -> Bool {
    (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
  }

  private static func isOf(_ type: String, _ value: Any) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "boolean": isBoolean(value)
    case "null": value is NSNull
    case "number": isNumber(value)
    case "integer":
      isNumber(value) && (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() }!
    default: false
    }
  }
}
