import ArgumentParser
import AtRestCrypto
import AtRestKeychain

struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an item.",
    discussion: """
      The secret comes from --secret-file, or from the pipe on standard input, both byte for byte, \
      or is asked for on the terminal, twice.

      EXAMPLES
        atrest add --service mail --account eva
        printf %s "$TOKEN" | atrest add --service api --account ci --accessible after-first-unlock
        atrest add --server example.org --account eva --protocol https --port 8443
        atrest add --service vault --account eva --secret-file key.bin --access user-presence
      """)

  @OptionGroup(title: "Item") var item: ItemOptions
  @OptionGroup(title: "Protection") var protection: ProtectionOptions
  @OptionGroup var secret: SecretOptions
  @OptionGroup var application: ApplicationPasswordOptions
  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Flag(help: "Ask for an application password, twice, which reading will ask for.")
  var applicationPassword = false

  @Option(help: "A name for people.")
  var label: String?

  @Option(help: "A remark.")
  var comment: String?

  @Option(help: "What kind of item it is, in words.")
  var kind: String?

  @Flag(help: "Give an item that is there already the new secret.")
  var replace = false

  func validate() throws {
    _ = try item.key()
    guard !unlock.readsStandardInput || !application.readsStandardInput else {
      throw ValidationError("Standard input can give one secret only.")
    }
    guard !applicationPassword || application.applicationPasswordFile == nil else {
      throw ValidationError("Give --application-password or its file, not both.")
    }
  }

  func run() throws {
    let keychain = try unlock.open()
    let key = try item.key()
    // Asked for before the prompts, which would be in vain; the addition itself is atomic.
    if !replace, secret.secretFile == nil, Output.isTerminal(0) { try refuseDuplicate(keychain) }
    let context =
      applicationPassword
      ? AuthenticationContext(
        reason: "Add", applicationPassword: try Terminal.newSecret("application password"))
      : try application.context("Add")
    let hasPassword = applicationPassword || application.applicationPasswordFile != nil
    let value = try secret.read(
      standardInputIsTaken: unlock.readsStandardInput || application.readsStandardInput)
    let attributes = Attributes(label: label, comment: comment, kind: kind)
    if replace {
      let isChanged = protection.isGiven || hasPassword
      try keychain.set(
        key, secret: value, attributes: attributes,
        protection: isChanged ? protection.protection(applicationPassword: hasPassword) : nil,
        context: context)
    } else {
      try keychain.add(
        key, secret: value, attributes: attributes,
        protection: protection.protection(applicationPassword: hasPassword), context: context)
    }
  }

  private func refuseDuplicate(_ keychain: Keychain) throws {
    do {
      _ = try keychain.item(
        for: item.key(), context: AuthenticationContext(interaction: .forbidden))
    } catch {
      return
    }
    throw AtRestError(
      .duplicate, "There is such an item already.",
      remedy: "Give --replace, or choose another account.")
  }
}

extension Attributes {
  /// What the user said about an item, beside what makes it the one it is.
  init(label: String?, comment: String?, kind: String?) {
    self.init()
    if let label { self[.label] = .text(label) }
    if let comment { self[.comment] = .text(comment) }
    if let kind { self[.itemDescription] = .text(kind) }
  }
}
