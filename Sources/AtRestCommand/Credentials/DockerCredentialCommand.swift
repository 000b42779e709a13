import ArgumentParser
import AtRestCredentials
import AtRestCrypto
import AtRestKeychain
import Foundation

struct DockerCredentialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "docker",
    abstract: "Answer docker, podman and skopeo as a credential helper.",
    discussion: """
      The passwords are generic passwords in the access group docker, with the registry as service. \
      Programs of this protocol show what the helper writes to standard output, so errors are \
      written there too.

      EXAMPLES
        echo '{"credsStore": "atrest"}' > ~/.docker/config.json
      """)

  enum Operation: String, ExpressibleByArgument, CaseIterable {
    case get, store, erase, list, version
  }

  static let group = "docker"

  @Argument(help: "get, store, erase, list or version.")
  var operation: Operation

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  private struct Login: Decodable {
    let serverURL: String
    let username: String
    let secret: String

    enum CodingKeys: String, CodingKey {
      case serverURL = "ServerURL"
      case username = "Username"
      case secret = "Secret"
    }
  }

  func validate() throws {
    guard !unlock.readsStandardInput else {
      throw ValidationError("Standard input is for the credential.")
    }
  }

  func run() throws {
    do {
      switch operation {
      case .get: try get(server())
      case .store: try store()
      case .erase: try erase(server())
      case .list: try list()
      case .version:
        Output.write(
          "docker-credential-atrest (atrest) \(AtRestCommand.configuration.version)\n")
      }
    } catch let error as AtRestError {
      Output.write("\(Output.printable(error.message)) \(Output.printable(error.remedy))\n")
      throw ExitCode(ExitStatus(error).rawValue)
    }
  }

  /// Ends with the text by which other programs recognise that there is no password.
  private func endWithoutCredentials() -> any Error {
    Output.write("credentials not found in native keychain\n")
    return ExitCode(ExitStatus.failure.rawValue)
  }

  /// Returns the server, which is the whole input.
  private func server() throws -> String {
    let input = SecretInput.withoutNewline(try SecretInput.contents(of: "-"))
    guard let server = String(copying: input), !server.isEmpty else {
      throw AtRestError.invalid(
        "no credentials server URL", remedy: "Write the registry to standard input.")
    }
    return server
  }

  private func items(_ keychain: Keychain, of server: String? = nil) throws -> [KeychainItem] {
    let attributes: ItemAttributes = server.map { [.service: .text($0)] } ?? [:]
    let query = KeychainQuery(
      .genericPassword, attributes, group: Self.group, synchronizable: .any)
    return try keychain.items(matching: query).sorted {
      $0.attributes.modificationDate ?? .distantPast > $1.attributes.modificationDate
        ?? .distantPast
    }
  }

  private func get(_ server: String) throws {
    let keychain: Keychain
    do {
      keychain = try unlock.open()
    } catch AtRestError.Code.notFound {
      throw endWithoutCredentials()
    }
    guard let item = try items(keychain, of: server).first else { throw endWithoutCredentials() }
    let context = AuthenticationContext(reason: "docker, for \(server)")
    let secret = try JSONText.quoted(try keychain.secret(for: item.reference, context: context))
    Output.write("{\"ServerURL\":\(JSONText.quoted(server)),")
    Output.write("\"Username\":\(JSONText.quoted(item.attributes.account ?? "")),\"Secret\":")
    Output.write(secret)
    Output.write("}\n")
  }

  private func store() throws {
    let input = try SecretInput.contents(of: "-")
    let login = input.withUnsafeBytes { bytes in
      // The decoder's copies are not in locked memory. This process ends soon.
      try? JSONDecoder().decode(Login.self, from: Data(bytes))
    }
    guard let login, !login.serverURL.isEmpty else {
      throw AtRestError.invalid(
        "Standard input is not a credential in docker's protocol.",
        remedy: "Write an object with ServerURL, Username and Secret.")
    }
    let keychain = try unlock.open()
    let key = PrimaryKey.genericPassword(
      service: login.serverURL, account: login.username, group: Self.group)
    try keychain.together {
      // A registry has one credential.
      for item in try items(keychain, of: login.serverURL)
      where item.attributes.account != login.username {
        try keychain.delete(item.primaryKey)
      }
      try keychain.set(
        key, secret: SecretBytes(utf8: login.secret), attributes: [.label: "Docker Credentials"])
    }
  }

  private func erase(_ server: String) throws {
    let keychain = try unlock.open()
    let found = try items(keychain, of: server)
    if found.isEmpty { throw endWithoutCredentials() }
    for item in found { try keychain.delete(item.primaryKey) }
  }

  private func list() throws {
    var users: [String: String] = [:]
    for item in try items(unlock.open()).reversed() {
      users[item.attributes.service ?? ""] = item.attributes.account ?? ""
    }
    try Output.writeJSONLine(users)
  }
}
