import AtRest
import Foundation

/// Passes secrets through Foundation's coders alone, as the Vault does, and lets the caller search this
/// process: `coders SEED WAY`. Everything that this code has of the secrets is erased.
///
/// The secrets are those of `VaultSecrets`. Of AtRest, only `SecretBytes`, which creates them,
/// touches them.
enum FoundationCoders {
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 2 else {
      throw AtRestError(.invalidArgument, "coders SEED WAY", remedy: "Name both.")
    }
    if arguments[1] == "preference" {
      try passThroughPropertyList(arguments[1], arguments[0])
    } else {
      try encodeAsJSON(arguments[1], arguments[0])
    }
    VaultSecrets.say("coded")
  }

  private static func text(_ way: String, _ seed: String) -> String {
    String(copying: VaultSecrets.letters(way, seed))!
  }

  private static func encodeAsJSON(_ way: String, _ seed: String) throws {
    var person = VaultSecrets.Person(name: text(way, seed))
    var json = try JSONEncoder().encode(person)
    person.name.overwrite()
    json.overwrite()
  }

  private static func passThroughPropertyList(_ way: String, _ seed: String) throws {
    var text = text(way, seed)
    var list = try PropertyListSerialization.data(
      fromPropertyList: ["text": text], format: .binary, options: 0)
    text.overwrite()
    let read = try PropertyListSerialization.propertyList(from: list, format: nil)
    _ = ((read as? [String: Any])?["text"] as? String)?.count
    list.overwrite()
  }
}
