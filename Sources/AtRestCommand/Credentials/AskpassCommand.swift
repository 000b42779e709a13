import ArgumentParser
import AtRestCredentials
import AtRestCrypto
import AtRestKeychain
import Foundation

struct AskpassCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "askpass",
    abstract: "Answer a question for a password by ssh, git or sudo.",
    discussion: """
      The answer to "Enter passphrase for key 'FILE'" is the generic password with the service ssh \
      and the account FILE; for sudo, the one with the service sudo and the user as account. For a \
      host, it is the internet password. Questions to be answered with yes or no are never \
      answered; the exit code is then 3.

      EXAMPLES
        atrest add --service ssh --account ~/.ssh/id_ed25519
        export SSH_ASKPASS=atrest-askpass SSH_ASKPASS_REQUIRE=force
      """)

  @Argument(help: "The question.")
  var prompt: String

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  func run() throws {
    // ssh sets this variable for questions that are not about a secret.
    let isQuestion = ProcessInfo.processInfo.environment["SSH_ASKPASS_PROMPT"] != nil
    guard !isQuestion, let prompt = AskpassPrompt(prompt) else {
      throw AtRestError(
        .notFound, "This question is not about a password that the keychain could have.",
        remedy: "Answer it on the terminal.")
    }
    let keychain = try unlock.open()
    let context = AuthenticationContext(reason: "Answer \(self.prompt)")
    switch prompt {
    case .keyFile(let file):
      let key = PrimaryKey.genericPassword(service: "ssh", account: file)
      write(SecretInput.withoutNewline(try keychain.secret(for: key, context: context)))
    case .sudo(let user):
      let key = PrimaryKey.genericPassword(service: "sudo", account: user)
      write(SecretInput.withoutNewline(try keychain.secret(for: key, context: context)))
    case .password(let networkProtocol, let host, let user):
      let item = try item(keychain, networkProtocol, host, user, context)
      let secret = try keychain.secret(for: item.reference, context: context)
      write(SecretInput.withoutNewline(secret))
    case .username(let networkProtocol, let host):
      let item = try item(keychain, networkProtocol, host, nil, context)
      Output.write((item.attributes.account ?? "") + "\n")
    }
  }

  private func write(_ secret: borrowing SecretBytes) {
    Output.write(secret)
    Output.write("\n")
  }

  private func item(
    _ keychain: Keychain, _ networkProtocol: String, _ host: String, _ user: String?,
    _ context: AuthenticationContext
  ) throws -> KeychainItem {
    let items = GitItems(keychain: keychain, group: nil, context: context)
    let found = try items.matching(
      GitCredential(protocol: networkProtocol, host: host, username: user))
    guard let item = found.first else {
      throw AtRestError(
        .notFound, "There is no password for \(host).", remedy: "Add one with atrest add --server.")
    }
    return item
  }
}
