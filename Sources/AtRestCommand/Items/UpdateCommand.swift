import ArgumentParser
import AtRestCrypto
import AtRestKeychain

struct UpdateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Update an item's secret, attributes or protection.",
    discussion: """
      All changes happen in one step, or none. Properties that are not named stay unchanged.

      EXAMPLES
        atrest update --service mail --account eva --label "Old mail"
        atrest update --service mail --account eva --secret
        atrest update --service mail --account eva --to-account adam
        atrest update --service mail --account eva --accessible when-unlocked-this-device-only
      """)

  @OptionGroup(title: "Item") var item: ItemOptions
  @OptionGroup(title: "Protection") var protection: ProtectionOptions
  @OptionGroup var value: SecretOptions
  @OptionGroup var application: ApplicationPasswordOptions
  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Flag(help: "Set a new secret, from the pipe or entered; --secret-file implies this.")
  var secret = false

  @Option(help: "A new label; an empty one removes it.")
  var label: String?

  @Option(help: "A new comment; an empty one removes it.")
  var comment: String?

  @Option(help: "A new description of the kind of item; an empty one removes it.")
  var kind: String?

  @Flag(help: "Remove the access control, so reading requires no authentication.")
  var removeAccess = false

  @Option(help: "The new service.")
  var toService: String?

  @Option(help: "The new account.")
  var toAccount: String?

  @Option(help: "The new server.")
  var toServer: String?

  @Option(help: "The new access group.")
  var toGroup: String?

  private var changesSecret: Bool { secret || value.secretFile != nil }

  func validate() throws {
    _ = try item.key()
    guard !removeAccess || protection.access == nil else {
      throw ValidationError("Use either --access or --remove-access, not both.")
    }
    guard !unlock.readsStandardInput || !application.readsStandardInput else {
      throw ValidationError("Standard input can provide only one secret.")
    }
    if changesSecret {
      try value.check(
        standardInputIsTaken: unlock.readsStandardInput || application.readsStandardInput)
    }
    let texts = [label, comment, kind, toService, toAccount, toServer, toGroup]
    guard
      changesSecret || protection.isGiven || removeAccess || texts.contains(where: { $0 != nil })
    else { throw ValidationError("Nothing to update: name at least one change.") }
  }

  func run() throws {
    try protection.checkAccess()
    let keychain = try unlock.open()
    let key = try item.key(in: keychain)
    let context = try application.context("Edit")
    let change = try change(keychain, key, context)
    guard changesSecret else { return try keychain.update(key, change, context: context) }
    let new = try value.read(
      standardInputIsTaken: unlock.readsStandardInput || application.readsStandardInput)
    try keychain.update(key, change, secret: new, context: context)
  }

  private func change(
    _ keychain: Keychain, _ key: PrimaryKey, _ context: AuthenticationContext
  ) throws -> ItemChange {
    var change = ItemChange(group: toGroup)
    let texts: [(ItemAttribute, String?)] = [
      (.label, label), (.comment, comment), (.itemDescription, kind), (.service, toService),
      (.account, toAccount), (.server, toServer),
    ]
    for (attribute, text) in texts {
      guard let text else { continue }
      if text.isEmpty {
        change.removed.insert(attribute)
      } else {
        change.attributes[attribute] = .text(text)
      }
    }
    if removeAccess {
      let before = try keychain.item(for: key, context: context).protection
      change.protection = .accessible(protection.accessible ?? before.accessibility)
    } else if protection.isGiven {
      // Properties that are not named stay unchanged, including the application password.
      let before = try keychain.item(for: key, context: context).protection
      change.protection = protection.protection(
        applicationPassword: before.accessControl?.applicationPassword ?? false, over: before)
    }
    return change
  }
}
