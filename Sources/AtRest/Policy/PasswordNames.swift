import AtRestCrypto
import AtRestNames
import Foundation

/// Refuses values whose names announce a password, because passwords are never stored.
///
/// The vocabulary is the auditor's (`AtRestNames`). A password may still be stored under another
/// name; the check finds mistakes, not intentions.
enum PasswordNames {
  /// - Throws: `AtRestError.Code.neverStored` if the name or the kind announces a password.
  static func check(record name: String, kind: DataKind) throws {
    if SensitiveName.ofPassword(name) != nil { throw refusal("A record named \"\(name)\"") }
    // The policy refuses `DataKind.password` itself, with a message of its own.
    if kind.alternative == nil, SensitiveName.ofPassword(kind.name) != nil {
      throw refusal("A value of the kind \"\(kind)\"")
    }
  }

  /// Checks the field names of a value that is encoded as JSON. Only the fields of the outermost
  /// objects are names; deeper keys are often data.
  ///
  /// - Throws: `AtRestError.Code.neverStored`.
  static func check<Value>(fieldsOf value: Value, json: Data, record: String) throws {
    let field = json.withUnsafeBytes { JSONFields($0).first(where: isPassword) }
    guard let field else { return }
    // The keys of a dictionary are data, and no part of an error may hold data.
    let shown = isDictionary(value) ? "One of the keys" : "The field \"\(field)\""
    throw refusal("\(shown) of the value for \"\(record)\"", remedy: "rename the field")
  }

  /// Checks the key of a preference, and the keys of a dictionary that is its value.
  ///
  /// - Throws: `AtRestError.Code.neverStored`.
  static func check(preference key: String, _ value: Any) throws {
    if isPassword(key, shape(of: value)) {
      throw refusal("The preference \"\(key)\"", remedy: "choose another key")
    }
    if let fields = value as? [String: Any],
      fields.contains(where: { isPassword($0.key, shape(of: $0.value)) })
    {
      throw refusal("One of the keys in the preference \"\(key)\"", remedy: "choose another key")
    }
  }

  private static func isPassword(_ name: String, _ shape: JSONFields.Shape) -> Bool {
    guard shape != .flag, let found = SensitiveName.ofPassword(name) else { return false }
    // A `pin` that has fields of its own is a pin on a map.
    return shape == .text || found.strength == .clear
  }

  private static func shape(of value: Any) -> JSONFields.Shape {
    switch value {
    case is String, is Data: .text
    case is [Any], is [String: Any]: .container
    case is Bool, is Date: .flag
    default: .text
    }
  }

  private static func isDictionary(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .dictionary: return true
    case .collection, .optional, .set:
      return mirror.children.first.map { isDictionary($0.value) } ?? false
    default: return false
    }
  }

  private static func refusal(_ what: String, remedy: String = "choose another name") -> AtRestError
  {
    AtRestError(
      .neverStored, "\(what) would hold a password, which is never stored.",
      remedy: (DataKind.password.alternative ?? "") + " If it is not a password, \(remedy).")
  }
}
