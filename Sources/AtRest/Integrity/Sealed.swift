import AtRestCrypto
import Foundation

/// A value that anybody may read and nobody may change: it stays readable JSON, with a seal beside it.
///
/// ```json
/// {
///   "seal" : { "code" : "vM3…", "counter" : 3, "key" : "…", "method" : "hmac-sha256",
///              "name" : "settings", "type" : "Settings", "version" : 1 },
///   "value" : { "limit" : 500 }
/// }
/// ```
///
/// A program gets at the value through `ValueSealer.open(_:name:type:acceptingOlder:)` alone, which
/// checks the seal each time. Spacing and the order of keys may change, as editors change them; every
/// name, text and number is authenticated, also members that the type does not know.
public struct Sealed<Value: Codable & Sendable>: Codable, Hashable, Sendable {
  let value: JSONTree
  /// What vouches for the value. Of itself it proves nothing: opening does.
  public let seal: ValueSeal

  init(_ value: JSONTree, _ seal: ValueSeal) {
    self.value = value
    self.seal = seal
  }

  /// JSON for people: indented, with sorted keys and a final newline.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` where the value cannot be written as JSON.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(self) + Data("\n".utf8)
    } catch {
      throw AtRestError.invalid(
        "The sealed value cannot be written as JSON.", remedy: "Check its encode(to:).")
    }
  }

  /// Reads what ``json()`` gave.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` where it is no JSON, or has no value or no seal.
  public init(json: Data) throws {
    do {
      self = try JSONDecoder().decode(Self.self, from: json)
    } catch let error as AtRestError {
      throw error
    } catch {
      throw AtRestError(
        .damaged, "What should be a sealed value is none.",
        remedy: "Restore it from a backup; it was not changed by this refusal.", cause: error)
    }
  }
}
