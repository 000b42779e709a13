import AtRestCrypto
import AtRestSecrets
import Foundation

/// Refuses values whose names announce a password, because passwords are never stored.
///
/// The vocabulary is the auditor's (`AtRestSecrets`). A password may still be stored under another
/// name; the check finds mistakes, not intentions.
enum PasswordNames {
  /// - Throws: `AtRestError.Code.neverStored` if the name or the kind of a record announces a
  ///   password, unless the record says that its value is none.
  static func check<Value>(_ record: VaultRecord<Value>) throws {
    guard record.isPassword != false else { return }
    if record.isPassword == true || meaning(record.name) != nil {
      throw refusal(
        "A record named \"\(record.name)\"", remedy: "declare it with isPassword: false")
    }
    let kind = record.classification.kind
    // The policy refuses `DataKind.password` itself, with a message of its own.
    if kind.alternative == nil, meaning(kind.name) != nil {
      throw refusal("A value of the kind \"\(kind)\"", remedy: "choose another name for the kind")
    }
  }

  /// Checks the field names of a value that is encoded as JSON. Only the fields of the outermost
  /// objects are names; deeper keys are often data.
  ///
  /// - Throws: `AtRestError.Code.neverStored`.
  static func check<Value>(fieldsOf value: Value, json: Data, record: String) throws {
    let field = json.withUnsafeBytes { JSONFields($0).first(where: isPassword) }
    guard let field else { return }
    // A key that is not declared in the program's source is data, and no part of an error holds
    // data.
    let isDeclared = labels(of: value).contains(field)
    throw refusal(
      "\(isDeclared ? "The field \"\(field)\"" : "One of the keys") of the value for \"\(record)\"",
      remedy: "rename the field, or declare the record with isPassword: false")
  }

  /// Checks the keys of preferences, and the keys of dictionaries among their values.
  ///
  /// - Throws: `AtRestError.Code.neverStored`.
  static func check(preferences: [String: Any]) throws {
    let refused = preferences.filter { key, value in
      isPassword(key, shape(of: value)) || hasPassword(value)
    }.keys.sorted()
    guard !refused.isEmpty else { return }
    throw refusal(
      "The preference \(refused.map { "\"\($0)\"" }.joined(separator: ", "))",
      remedy: "choose another key")
  }

  /// Returns true if a key of the outermost dictionaries of a value announces a password.
  private static func hasPassword(_ value: Any) -> Bool {
    switch value {
    case let fields as [String: Any]:
      fields.contains { isPassword($0.key, shape(of: $0.value)) }
    case let values as [Any]: values.contains(where: hasPassword)
    default: false
    }
  }

  private static func isPassword(_ name: String, _ shape: JSONFields.Shape) -> Bool {
    guard shape != .flag, let found = meaning(name) else { return false }
    // A `pin` that has fields of its own is a pin on a map.
    return shape == .text || found.strength == .clear
  }

  /// Judges a name in all of its forms in Unicode.
  private static func meaning(_ name: String) -> SensitiveName? {
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return SensitiveName.ofPassword(name) }
    return SensitiveName.ofPassword(
      name.precomposedStringWithCompatibilityMapping.replacing("\u{130}", with: "I"))
  }

  private static func shape(of value: Any) -> JSONFields.Shape {
    switch value {
    case is String, is Data: .text
    case let fields as [String: Any]: fields.keys.allSatisfy { $0 == "_0" } ? .text : .container
    case is [Any]: .text
    case is Bool, is Date: .flag
    default: .text
    }
  }

  /// The names of a value's properties, or of those of the first element of an array.
  private static func labels(of value: Any) -> [String] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection, .optional, .set:
      return mirror.children.first.map { labels(of: $0.value) } ?? []
    case .dictionary: return []
    default: return mirror.children.compactMap(\.label)
    }
  }

  private static func refusal(_ what: String, remedy: String) -> AtRestError {
    AtRestError(
      .neverStored, "\(what) would hold a password or a code like it, which is never stored.",
      remedy: (DataKind.password.alternative ?? "") + " If it is no password, \(remedy).")
  }
}
