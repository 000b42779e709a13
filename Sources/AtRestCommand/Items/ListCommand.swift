import ArgumentParser
import AtRestCrypto
import AtRestKeychain

extension ItemClass: ExpressibleByArgument {
  /// Creates an item class from its name on the command line, or returns nil for an unknown name.
  public init?(argument: String) {
    guard let found = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = found
  }
  public static var allValueStrings: [String] { allCases.map(\.name) }
  public static var allValueDescriptions: [String: String] { [:] }
}

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List items, without their secrets.",
    discussion: """
      Items that exist but cannot be read now are counted on standard error, and named under \
      "withheld" in JSON. If no item can be read, the exit code says why. If an item is damaged or \
      missing, the exit code is 6. On a terminal, lines are cut to its width; elsewhere, and in \
      JSON, everything is complete.

      EXAMPLES
        atrest list
        atrest list --service mail --json
        atrest list --class key
      """)

  @Option(name: .customLong("class"), help: "Only items of this class.")
  var itemClass: ItemClass?

  @Option(help: "Only generic passwords of this service.")
  var service: String?

  @Option(help: "Only internet passwords of this server.")
  var server: String?

  @Option(help: "Only passwords of this account.")
  var account: String?

  @Option(help: "Only items with this label.")
  var label: String?

  @Option(help: "Only items in this access group.")
  var group: String?

  @Option(help: "Only items with this accessibility.")
  var accessible: Accessibility?

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  func validate() throws {
    guard service == nil || server == nil else {
      throw ValidationError("Use either --service or --server, not both.")
    }
    guard !classes.isEmpty else {
      throw ValidationError("Items of class \(itemClass?.name ?? "") have no such attribute.")
    }
  }

  private var attributes: ItemAttributes {
    var attributes = ItemAttributes()
    if let service { attributes[.service] = .text(service) }
    if let server { attributes[.server] = .text(server) }
    if let account { attributes[.account] = .text(account) }
    if let label { attributes[.label] = .text(label) }
    return attributes
  }

  /// The classes that have every requested attribute.
  private var classes: [ItemClass] {
    ItemClass.allCases.filter { candidate in
      (itemClass ?? candidate) == candidate
        && attributes.allSatisfy { candidate.attributes.contains($0.key) }
    }
  }

  func run() throws {
    let keychain = try unlock.open()
    var listing = ItemListing()
    for itemClass in classes {
      try listing.add(
        KeychainQuery(
          itemClass, attributes, accessibility: accessible, group: group, synchronizable: .any),
        in: keychain)
    }
    try listing.write(json: json)
  }
}
