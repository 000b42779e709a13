import ArgumentParser
import AtRestCrypto
import AtRestKeychain

struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change an item: its secret, attributes, protection or place.",
    discussion: """
      Everything changes in one step, or nothing. What is not named stays.

      EXAMPLES
        atrest edit --service mail --account eva --label "Old mail"
        atrest edit --service mail --account eva --secret
        atrest edit --service mail --account eva --to-account adam
        atrest edit --service mail --account eva --accessible when-unlocked-this-device-only
      """)

  @OptionGroup(title: "Item") var item: ItemOptions
  @OptionGroup(title: "Protection") var protection: ProtectionOptions
  @OptionGroup var value: SecretOptions
  @OptionGroup var application: ApplicationPasswordOptions
  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Flag(help: "Give it a new secret, from the pipe or asked for; --secret-file implies it.")
  var secret = false

  @Option(help: "A new name for people; empty removes it.")
  var label: String?

  @Option(help: "A new remark; empty removes it.")
  var comment: String?

  @Option(help: "What kind of item it is, in words; empty removes it.")
  var kind: String?

  @Flag(help: "Ask for nothing any more when it is read.")
  var removeAccess = false

  @Option(help: "Its new service.")
  var toService: String?

  @Option(help: "Its new account.")
  var toAccount: String?

  @Option(help: "Its new server.")
  var toServer: String?

  @Option(help: "Its new access group.")
  var toGroup: String?

  private var changesSecret: Bool { secret || value.secretFile != nil }

  func validate() throws {
    _ = try item.key()
    guard !removeAccess || protection.access == nil else {
      throw ValidationError("Give --access or --remove-access, not both.")
    }
    guard !unlock.readsStandardInput || !application.readsStandardInput else {
      throw ValidationError("Standard input can give one secret only.")
    }
    let texts = [label, comment, kind, toService, toAccount, toServer, toGroup]
    guard
      changesSecret || protection.isGiven || removeAccess || texts.contains(where: { $0 != nil })
    else { throw ValidationError("Say what to change.") }
  }

  func run() throws {
    let keychain = try unlock.open()
    let key = try item.key()
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
    let texts: [(Attribute, String?)] = [
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
      // What is not named stays, also the application password.
      let before = try keychain.item(for: key, context: context).protection
      change.protection = protection.protection(
        applicationPassword: before.accessControl?.applicationPassword ?? false, over: before)
    }
    return change
  }
}
