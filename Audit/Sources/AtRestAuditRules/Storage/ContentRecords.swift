import AtRestAuditAnalysis
import AtRestAuditModel

/// Types whose values are records of somebody's health, or messages between people.
enum ContentRecords {
  /// Returns the evidence that values of a type, or of a type within it, are such records, or nil.
  static func content(_ type: String, _ pass: Pass, depth: Int = 0) -> Evidence? {
    guard depth < 3,
      let facts = pass.project.types[TypeName.element(type) ?? TypeName.plain(type)],
      facts.declarations.contains(where: { [.struct, .class].contains($0.type.form) })
    else { return nil }
    let stored = StorageChecks.properties(of: facts, pass)
    if let found = health(stored, of: facts.name, pass) ?? message(stored, of: facts.name) {
      return found
    }
    for property in stored {
      guard let inner = property.type, TypeName.plain(inner) != facts.name,
        StorageChecks.isValue(inner, pass),
        let found = content(inner, pass, depth: depth + 1)
      else { continue }
      return found
    }
    return nil
  }

  /// Returns the evidence of values with a date: two about health, or one in a project that reads the
  /// health of a person from the system. A catalogue of diseases has no dates.
  private static func health(
    _ properties: [Variable], of type: String, _ pass: Pass
  ) -> Evidence? {
    guard properties.contains(where: { $0.type.map(isDate) == true }) else { return nil }
    let values = properties.filter { property in
      SensitiveKind.ofName(property.name) == .health
        && property.type.map { $0 != "Bool" && !isDate($0) } ?? true
    }
    let isOfSystem = pass.project.imports.contains { $0 == "HealthKit" || $0 == "CareKit" }
    let names =
      values.map(\.name) + (isOfSystem && Words.split(type).contains("health") ? [""] : [])
    guard names.count > (isOfSystem ? 0 : 1), let first = names.first else { return nil }
    let name =
      ([first.isEmpty ? type : "\(type).\(first)"] + values.dropFirst().prefix(1).map(\.name))
    return Evidence(
      sensitivity: .health, name: name.joined(separator: " and "),
      subject: first.isEmpty ? type : first, owner: type)
  }

  /// Returns the evidence of a text with the one who wrote it, or with the conversation that it is a part
  /// of.
  private static func message(_ properties: [Variable], of type: String) -> Evidence? {
    guard Words.split(type).last == "message",
      let text = properties.first(where: { property in
        texts.contains(property.name) && property.type.map(TypeName.plain) == "String"
      }),
      let party = properties.first(where: { property in
        Words.split(property.name).contains(where: parties.contains)
      })
    else { return nil }
    return Evidence(
      sensitivity: .personal, name: "\(type).\(text.name) and \(party.name)", subject: text.name,
      owner: type)
  }

  private static func isDate(_ type: String) -> Bool {
    ["Date", "NSDate"].contains(TypeName.plain(type))
  }

  private static let texts: Set<String> = ["text", "content", "body", "message"]

  private static let parties: Set<String> = [
    "sender", "author", "recipient", "receiver", "from", "role", "conversation", "chat", "channel",
    "thread",
  ]
}
