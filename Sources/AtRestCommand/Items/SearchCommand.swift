import ArgumentParser
import AtRestCrypto
import AtRestKeychain
import Foundation

struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find items by any part of their attributes.",
    discussion: """
      An item is found if each text is a part of one of its attributes, in any letter case and with any accents: its \
      service, server, account, label, comment, tag, or what a client of the Secret Service gave it. NAME=TEXT looks \
      into one attribute. Secrets are not searched and not shown. The output is that of atrest list.

      If nothing is found, the exit code is 3. Items that cannot be read now may match too: they are counted on \
      standard error, and if nothing else is found, the exit code is that of the reason.

      EXAMPLES
        atrest search mail
        atrest search eva example.org --json
        atrest search application=firefox
      """)

  @Argument(help: "Parts of attributes, or NAME=TEXT. All of them have to be there.")
  var texts: [String]

  @Option(help: "Only items in this access group.")
  var group: String?

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  func validate() throws {
    guard !texts.contains("") else { throw ValidationError("An empty text is in every item.") }
  }

  func run() throws {
    let keychain = try unlock.open()
    var listing = ItemListing()
    for itemClass in ItemClass.allCases {
      try listing.add(
        KeychainQuery(itemClass, group: group, synchronizable: .any), in: keychain
      ) { item in texts.allSatisfy { Self.has($0, item.attributes) } }
    }
    try listing.write(json: json)
    if listing.isEmpty {
      throw AtRestError(
        .notFound, "No item has these attributes: \(texts.joined(separator: ", ")).",
        remedy: "List all items with atrest list.")
    }
  }

  /// Returns true if an attribute has a text as a part.
  private static func has(_ text: String, _ attributes: ItemAttributes) -> Bool {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return attributes.contains { attribute, value in
      guard [.text, .data].contains(attribute.kind) else { return false }
      let value = value.description
      if isPart(text, of: value) { return true }
      guard parts.count == 2, isSame(String(parts[0]), attribute.description) else { return false }
      return isPart(String(parts[1]), of: value)
    }
  }

  private static func isPart(_ part: String, of text: String) -> Bool {
    text.range(of: part, options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.compare(other, options: .caseInsensitive) == .orderedSame
  }
}
