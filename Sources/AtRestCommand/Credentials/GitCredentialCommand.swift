import ArgumentParser
import AtRestCredentials
import AtRestCrypto
import AtRestKeychain
import Foundation

struct GitCredentialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "git",
    abstract: "Answer git as a credential helper, on standard input and output.",
    discussion: """
      Passwords are internet passwords of the keychain, so atrest list shows them. If there is no \
      password, nothing is written, and git goes on to ask. If the store is locked or damaged, or \
      access is not permitted, git is told to stop, because the password may exist. With \
      GIT_TERMINAL_PROMPT=0 nothing is asked on the terminal.

      EXAMPLES
        git config --global credential.helper atrest
        git config --global credential.helper 'atrest --passcode-file /run/secrets/passcode'
      """)

  enum Operation: String, ExpressibleByArgument, CaseIterable { case get, store, erase }

  @Argument(help: "get, store or erase. Others are ignored, as git's protocol demands.")
  var operation: String

  @Option(help: "The access group. (default: atrest for a new password, any for others)")
  var group: String?

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  func validate() throws {
    guard !unlock.readsStandardInput else {
      throw ValidationError("Standard input is for the credential.")
    }
  }

  func run() throws {
    guard let operation = Operation(rawValue: operation) else { return }
    let credential = try GitCredential(SecretInput.contents(of: "-"))
    try Terminal.$isForbidden.withValue(Self.forbidsQuestions) { try answer(operation, credential) }
  }

  /// True if git was told to ask nothing on the terminal.
  private static var forbidsQuestions: Bool {
    guard let value = ProcessInfo.processInfo.environment["GIT_TERMINAL_PROMPT"] else {
      return false
    }
    return ["", "0", "false", "no", "off"].contains(value.lowercased())
  }

  private func answer(_ operation: Operation, _ credential: GitCredential) throws {
    do {
      let items = GitItems(
        keychain: try unlock.open(), group: group,
        context: AuthenticationContext(reason: "git, for \(credential.server)"))
      switch operation {
      case .get: try get(credential, from: items)
      case .store: try items.store(credential)
      case .erase: try items.erase(credential)
      }
    } catch let error as AtRestError
      where operation == .get && error.refusal != nil && error.refusal != .notFound
    {
      Output.write("quit=1\n")
      throw error
    }
  }

  private func get(_ credential: GitCredential, from items: GitItems) throws {
    let now = Int64(Date().timeIntervalSince1970)
    guard
      let item = try items.matching(credential).first(where: {
        items.expiry(of: $0).map { $0 > now } ?? true
      })
    else { return }
    let secret = try items.keychain.secret(for: item.reference, context: items.context)
    let username = item.attributes.account ?? ""
    let isOneLine = secret.withUnsafeBytes { !$0.contains(10) && !$0.contains(0) }
    guard isOneLine, !username.utf8.contains(10), !username.utf8.contains(0) else {
      throw AtRestError.invalid(
        "git's protocol has no form for a user name or password of several lines.",
        remedy: "Store the password again, on one line.")
    }
    Output.write("username=\(username)\npassword=")
    Output.write(secret)
    Output.write("\n")
    if let expiry = items.expiry(of: item) { Output.write("password_expiry_utc=\(expiry)\n") }
  }
}
