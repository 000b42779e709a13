import AtRestCrypto
import Foundation

/// What a worker is told to do.
struct Order {
  let fields: [String: String]

  init(_ line: String) throws {
    fields = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
  }

  subscript(_ name: String) -> String? { fields[name] }

  func text(_ name: String) throws -> String {
    guard let text = fields[name] else {
      throw AtRestError(.invalidArgument, "The order has no \(name).", remedy: "Add it.")
    }
    return text
  }

  func secret(_ name: String) throws -> SecretBytes { SecretBytes(utf8: try text(name)) }

  var place: Place {
    get throws { Place(try text("machine"), tpm: fields["tpm"]) }
  }

  /// The passcodes to try, in this order. None is tried if the store has no passcode.
  var passcodes: [String] { fields["passcodes"]?.split(separator: "\n").map(String.init) ?? [] }
}
