import ArgumentParser
@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

struct ImportSecretServiceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "secret-service",
    abstract: "Copy the items of a desktop's keyring: GNOME's, KWallet or KeePassXC.",
    discussion: """
      Shows the items of the keyring on the session's bus, and asks before it copies them into the agent's Secret \
      Service: labels, attributes and secrets, each collection under its own name. An item with the same attributes \
      and the same secret is not copied again, and one whose secret differs is left as it is. Nothing is written in plaintext, and the keyring keeps \
      its items.

      The agent has to run and be unlocked (atrest agent start, atrest unlock). This command needs a grant for the group \
      secret-service, with --write, unless it runs on the terminal of atrest unlock.

      EXAMPLES
        atrest import secret-service --dry-run
        atrest import secret-service
      """)

  @Option(
    help: ArgumentHelp(
      "The address of the bus with the keyring. (default: DBUS_SESSION_BUS_ADDRESS, or the user's session)",
      valueName: "address"))
  var from: String?

  @Flag(help: "Show the items, and copy nothing.")
  var dryRun = false

  @OptionGroup var confirmation: Confirmation
  @OptionGroup(title: "Store") var store: StoreOptions

  private var source: String {
    if let from { return from }
    let environment = SystemPath.environment
    if let address = environment[SecretServiceAddress.variable] { return address }
    return "unix:path=" + (environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(geteuid())") + "/bus"
  }

  /// The connections that were made early. An agent looks at this program with the first call, and later the program
  /// hides itself from others of its user, agents too.
  nonisolated(unsafe) private static var introduced: [String: SecretServiceClient] = [:]

  func validate() {
    AgentIntroduction.introduce(toAgentOf: store.storeFolder)
    // A failure is reported by the same calls below.
    let agent = (try? AgentAccess.connectIfPresent(store)) ?? nil
    let own = agent.flatMap { try? SecretServiceAddress.address(beside: $0.path) }
    for address in [own, source].compactMap({ $0 }) {
      Self.introduced[address] = try? SecretServiceClient(address)
    }
  }

  private static func client(_ address: String) throws -> SecretServiceClient {
    try introduced[address] ?? SecretServiceClient(address)
  }

  func run() throws {
    let agent = try AgentAccess.connect(store)
    let own = try SecretServiceAddress.address(beside: agent.path)
    guard BusAddress.path(source) != BusAddress.path(own) else {
      throw AtRestError.invalid(
        "The bus at \(source) is that of this store's own agent.",
        remedy: "Name that of the other keyring with --from.")
    }
    let keyring = try Self.client(source)
    let (items, locked) = try keyring.items()
    for collection in locked {
      Output.note(
        "The collection \(collection) is locked, and is left out. Unlock it, and import again.")
    }
    let table = Table(
      ["COLLECTION", "LABEL", "ATTRIBUTES"],
      items.map { [$0.collection.printable, $0.label.printable, $0.words] })
    Output.write(table.text(width: Output.width))
    guard !dryRun, !items.isEmpty else { return try Self.end(locked) }
    try confirmation.ask("Copy these \(items.count) items into the store?", word: "copy")
    let target = try Self.client(own)
    var (copied, same, different) = (0, 0, [SecretServiceClient.Item]())
    for item in items {
      let secret = try keyring.secret(at: item.path)
      switch try target.add(item, secret) {
      case .added: copied += 1
      case .isThere: same += 1
      case .differs: different.append(item)
      }
    }
    Output.note("copied: \(copied), there already: \(same).")
    for item in different {
      Output.note(
        "not copied, because an item with these attributes has another secret: "
          + "\(item.collection.printable), \(item.label.printable), \(item.words)")
    }
    if !different.isEmpty { throw ExitCode(ExitStatus.failure.rawValue) }
    try Self.end(locked)
  }

  /// Ends with the exit code of *locked* if something was left out.
  private static func end(_ locked: [String]) throws {
    if !locked.isEmpty { throw ExitCode(ExitStatus.locked.rawValue) }
  }
}
