import AtRest
import Foundation

/// A bank's application, which stores the data of one customer at a time.
public struct Bank: Sendable {
  public let vault: Vault
  let server: Server, tokens: TokenStore

  /// The options of the vault, without the prompt for the passphrase.
  public static var options: Vault.Options {
    var options = Vault.Options()
    options.onFirstLaunch = .wipeAccessGroup  // no item survives a reinstallation
    options.compositeKey = CompositeKey([.partialSecret(partialSecret), .deviceIdentifier])
    #if !DEBUG
      options.runtimePolicy = .standard  // locks when a debugger is attached
    #endif
    return options
  }

  /// Opens the vault in the application's folder. The folder must be the same each time.
  public init(
    in folder: URL, keychain: Keychain, server: Server = Server(), options: Vault.Options = options
  ) throws {
    self.server = server
    vault = try Vault.open(in: folder, keychain: keychain, options: options)
    vault.purge(every: .seconds(3600))
    tokens = TokenStore(renew: { await server.renew($0) }, revoke: { await server.revoke($0) })
  }

  /// Logs a customer in. The password is exchanged for a token, and only the token is stored.
  public func logIn(_ name: String, password: consuming SecretBytes) async throws -> Customer {
    let token = try await server.logIn(name, password: password)
    if let other = try customer, other.account.account != name { try await other.logOut() }
    let account = try await vault.logIn(name)
    try await tokens.store(token, for: account)
    return Customer(account: account, server: server, tokens: tokens)
  }

  /// The customer who is logged in, or nil.
  public var customer: Customer? {
    get throws {
      guard let name = try vault.accounts.first else { return nil }
      return Customer(account: try vault.logIn(name), server: server, tokens: tokens)
    }
  }
}

/// A customer who is logged in.
public struct Customer: Sendable {
  public let account: Compartment
  let server: Server, tokens: TokenStore

  /// Revokes the token, and deletes the customer's data from the vault.
  public func logOut() async throws { try await tokens.logOut(account) }
}
