import AtRest
import Foundation

/// Passes secrets through Foundation's coders alone, as the Vault does, and lets the caller search this
/// process: `coders SEED`. Everything that this code has of the secrets is erased.
///
/// The secrets are those of `VaultSecrets`. Nothing of AtRest touches them but `SecretBytes`, from which
/// they come.
enum FoundationCoders {
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 1 else {
      throw AtRestError(.invalidArgument, "coders SEED", remedy: "Name the seed.")
    }
    let seed = arguments[0]
    for way in ["large-struct", "struct"] { try passThroughJSON(way, seed) }
    try passThroughPropertyList("preference", seed)
    VaultSecrets.say("coded")
  }

  private static func text(_ way: String, _ seed: String) -> String {
    String(copying: VaultSecrets.letters(way, seed))!
  }

  private static func passThroughJSON(_ way: String, _ seed: String) throws {
    var person = VaultSecrets.Person(name: text(way, seed))
    var json = try JSONEncoder().encode(person)
    person.name.overwrite()
    var decoded = try JSONDecoder().decode(VaultSecrets.Person.self, from: json)
    decoded.name.overwrite()
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
