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

  /// The JSON output.
  private struct Listing: Encodable {
    struct Withheld: Encodable {
      let `class`: String
      let reason: String
      let message: String
    }
    var items: [ItemLine] = []
    var withheld: [Withheld] = []
  }

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
    var listing = Listing()
    var refusal: AtRestError?
    var isDamaged = false
    func withhold(_ itemClass: ItemClass, _ error: AtRestError) {
      refusal = refusal ?? error
      if error.refusal == .damaged { isDamaged = true }
      listing.withheld.append(
        .init(class: itemClass.name, reason: error.code.rawValue, message: error.message))
    }
    for itemClass in classes {
      let query = KeychainQuery(
        itemClass, attributes, accessibility: accessible, group: group, synchronizable: .any)
      do {
        let items = try keychain.items(
          matching: query, context: AuthenticationContext(interaction: .skip))
        listing.items += items.map(ItemLine.init)
        for item in items.withheld { withhold(itemClass, item.reason) }
      } catch let error as AtRestError where error.refusal != nil {
        // Every item of the class is withheld.
        withhold(itemClass, error)
      }
    }
    if json {
      try Output.writeJSON(listing)
    } else {
      let table = Table(ItemLine.headings, listing.items.map(\.cells))
      Output.write(table.text(width: Output.width))
    }
    if listing.items.isEmpty, let refusal { throw refusal }
    let reasons = Dictionary(grouping: listing.withheld, by: \.reason)
    for (reason, items) in reasons.sorted(by: { $0.key < $1.key }) {
      Output.note("\(items.count) not shown (\(reason)): \(items[0].message)")
      for item in items.dropFirst().prefix(9) { Output.note(item.message) }
    }
    // The list is incomplete, and the exit code must show this to scripts.
    if isDamaged { throw ExitCode(ExitStatus.damaged.rawValue) }
  }
}
