import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain

struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Accept a damaged store's rows as they stand.",
    discussion: """
      Makes the store's index and version tree anew. A row that was put back to an older version \
      is accepted with it, so look at atrest status --verify first. Rows that do not open stay \
      refused until they are deleted or set again.
      """)

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var confirmation: Confirmation

  func run() throws {
    try confirmation.ask("Older rows are accepted as they are.", word: "repair")
    let keybag = try unlock.store.openKeybag()
    // The index of rows that stay locked could not be made.
    _ = try unlock.unlock(keybag)
    let count: Int
    do {
      let keychain = try Keychain.open(keybag, identity: .owner())
      count = try keychain.repair()
      keychain.close()
    } catch AtRestError.Code.damaged {
      count = try Keychain.repair(keybag)
    }
    Output.note("\(count) rows accepted.")
  }
}
