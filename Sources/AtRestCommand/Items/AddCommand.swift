import ArgumentParser
import AtRestCrypto
import AtRestKeychain

struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an item.",
    discussion: """
      The secret is read from --secret-file or from the pipe on standard input, both byte for byte, \
      or it is entered on the terminal, twice.

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

  @Flag(help: "Ask for an application password, twice. Reading the item will require it.")
  var applicationPassword = false

  @Option(help: "A label for display.")
  var label: String?

  @Option(help: "A comment.")
  var comment: String?

  @Option(help: "A description of the kind of item.")
  var kind: String?

  @Flag(help: "If the item exists, give it the new secret.")
  var replace = false

  func validate() throws {
    _ = try item.key()
    if let server = item.server, server.contains("/") {
      throw ValidationError(
        "--server is the name of a host, such as example.org; the rest of an address is given by "
          + "--protocol, --port and --path.")
    }
    try secret.check(
      standardInputIsTaken: unlock.readsStandardInput || application.readsStandardInput)
    guard !unlock.readsStandardInput || !application.readsStandardInput else {
      throw ValidationError("Standard input can provide only one secret.")
    }
    guard !applicationPassword || application.applicationPasswordFile == nil else {
      throw ValidationError("Use either --application-password or its file, not both.")
    }
  }

  func run() throws {
    try protection.checkAccess()
    let keychain = try unlock.open()
    let key = try item.key()
    // A duplicate is refused before the user is prompted. The addition itself is atomic.
    if !replace, secret.secretFile == nil, Output.isTerminal(0) { try refuseDuplicate(keychain) }
    let context =
      applicationPassword
      ? AuthenticationContext(
        reason: "Add", applicationPassword: try Terminal.newSecret("application password"))
      : try application.context("Add")
    let hasPassword = applicationPassword || application.applicationPasswordFile != nil
    let value = try secret.read(
      standardInputIsTaken: unlock.readsStandardInput || application.readsStandardInput)
    let attributes = ItemAttributes(label: label, comment: comment, kind: kind)
    if let risk = keychain.keybag.passcodeNotice() {
      Output.note("\(risk.message) \(risk.remedy)")
    }
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
      .duplicate, "This item already exists.",
      remedy: "Use --replace, or choose another account.")
  }
}

extension ItemAttributes {
  /// The attributes that the user set, other than the identifying attributes.
  init(label: String?, comment: String?, kind: String?) {
    self.init()
    if let label { self[.label] = .text(label) }
    if let comment { self[.comment] = .text(comment) }
    if let kind { self[.itemDescription] = .text(kind) }
  }
}
