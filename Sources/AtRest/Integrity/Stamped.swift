import AtRestCrypto
import Foundation

/// A value as readable JSON, with a stamp that detects every change to the value.
///
/// ```json
/// {
///   "stamp" : { "code" : "vM3…", "counter" : 3, "key" : "…", "method" : "hmac-sha256",
///              "name" : "settings", "type" : "Settings", "version" : 1 },
///   "value" : { "limit" : 500 }
/// }
/// ```
///
/// A program can get the value only from `ValueStamper.open(_:name:type:acceptingOlder:)`, which
/// checks the stamp each time. Editors may change the spacing and the order of keys, but every
/// name, text and number is authenticated, including members that the value's type does not
/// declare.
public struct Stamped<Value: Codable & Sendable>: Codable, Hashable, Sendable {
  let value: JSONTree
  /// The stamp that authenticates the value. The stamp proves nothing until it is checked by
  /// opening the value.
  public let stamp: ValueStamp

  init(_ value: JSONTree, _ stamp: ValueStamp) {
    self.value = value
    self.stamp = stamp
  }

  /// Returns human-readable JSON: indented, with sorted keys and a final newline.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the value cannot be written as JSON.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(self) + Data("\n".utf8)
    } catch {
      throw AtRestError.invalid(
        "The stamped value cannot be written as JSON.", remedy: "Check its encode(to:).")
    }
  }

  /// Decodes the output of ``json()``.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the data is not JSON, or has no value or no stamp.
  public init(json: Data) throws {
    do {
      self = try JSONDecoder().decode(Self.self, from: json)
    } catch let error as AtRestError {
      throw error
    } catch {
      throw AtRestError(
        .damaged, "This is not a stamped value.",
        remedy: "Restore it from a backup. Nothing was modified.", cause: error)
    }
  }
}
