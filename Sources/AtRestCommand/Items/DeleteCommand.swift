import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete an item.",
    discussion: """
      Deleting an item does not require its access control. The store is unlocked only if this is \
      needed to find the item: without --group, and for key pairs. Damaged items can be deleted too.

      EXAMPLES
        atrest delete --service mail --account eva
        atrest delete --tag release
      """)

  @OptionGroup(title: "Item") var item: ItemOptions
  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Option(help: "The tag of a key pair.")
  var tag: String?

  func validate() throws {
    if tag != nil {
      guard item.isEmpty else { throw ValidationError("Use either --tag or a password, not both.") }
    } else {
      _ = try item.key()
    }
  }

  func run() throws {
    if let tag {
      // A key pair is found by attributes that are sealed, so the store must be unlocked.
      return try unlock.open().deleteKey(tag: tag, group: item.group)
    }
    let keybag = try unlock.store.openKeybag()
    let keychain = try Keychain.open(keybag, identity: .owner())
    do {
      try keychain.delete(item.key(in: keychain))
    } catch AtRestError.Code.locked where !unlock.noUnlock {
      // The access groups are sealed, so the store must be unlocked to find the item.
      _ = try unlock.unlock(keybag)
      try keychain.delete(item.key(in: keychain))
    }
  }
}
