import ArgumentParser
import AtRestCrypto
import AtRestKeychain

extension NetworkProtocol: ExpressibleByArgument {
  package init?(argument: String) { self.init(name: argument) }
  package static var allValueStrings: [String] { names }
}

/// The item to process.
struct ItemOptions: ParsableArguments {
  @Option(help: "The service of a generic password.")
  var service: String?

  @Option(help: "The account of a generic or internet password.")
  var account: String?

  @Option(help: "The server of an internet password.")
  var server: String?

  @Option(help: "The port of an internet password.")
  var port: UInt16?

  @Option(help: "The path of an internet password.")
  var path: String?

  @Option(
    name: .customLong("protocol"),
    help: "The protocol of an internet password, such as https, or Apple's four-letter code.")
  var networkProtocol: NetworkProtocol?

  @Option(help: "The access group. (default: atrest for a new item, any for others)")
  var group: String?

  @Flag(help: "The item may be synchronised. This is one of its identifying attributes.")
  var synchronizable = false

  /// True if no password is named. Some commands accept a key pair instead.
  var isEmpty: Bool { service == nil && server == nil && account == nil }

  func validate() throws {
    guard service == nil || server == nil else {
      throw ValidationError("Use either --service or --server, not both.")
    }
    guard server != nil || (port == nil && path == nil && networkProtocol == nil) else {
      throw ValidationError("--port, --path and --protocol require --server.")
    }
  }

  func key() throws -> PrimaryKey {
    guard let account else { throw ValidationError("Missing --account.") }
    if let service {
      return .genericPassword(
        service: service, account: account, group: group, synchronizable: synchronizable)
    }
    guard let server else { throw ValidationError("Missing --service or --server.") }
    return .internetPassword(
      server: server, account: account, port: port.map(Int.init), path: path,
      networkProtocol: networkProtocol?.code, group: group, synchronizable: synchronizable)
  }

  /// Returns the key of the item that these options name.
  ///
  /// Without an item of exactly these attributes, `--port`, `--path` and `--protocol` match any value where they are
  /// left out, if one item alone matches. Without any, the result is the key itself.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if several items match; the reason for which an item that may match
  ///   cannot be looked at.
  func key(in keychain: Keychain) throws -> PrimaryKey {
    let key = try key()
    guard let server, port == nil || path == nil || networkProtocol == nil else { return key }
    do {
      _ = try keychain.item(for: key, context: AuthenticationContext(interaction: .forbidden))
      return key
    } catch let error as AtRestError where error.code != .notFound {
      // The item itself cannot be looked at, or the keychain cannot.
      return key
    } catch {}
    let found = try keychain.items(
      matching: KeychainQuery(
        .internetPassword, key.attributes, group: group, synchronizable: synchronizable ? .yes : .no
      ),
      context: AuthenticationContext(interaction: .skip))
    guard found.count < 2 else {
      throw AtRestError.invalid(
        "\(found.count) items of \(server) have this account.",
        remedy:
          "Name one with --protocol, --port, --path or --group: see atrest list --server \(server) --json."
      )
    }
    // What cannot be looked at may be the item, or another one.
    if let withheld = found.withheld.first { throw withheld.reason }
    return found.first?.primaryKey ?? key
  }
}
