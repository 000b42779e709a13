import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Accept the rows of a damaged store as they are.",
    discussion: """
      If you have a backup, restore it instead. A repair rebuilds the store's index from the rows \
      that exist. A row that was replaced by an older version is accepted too, so run \
      atrest status --verify first. Rows that could not be authenticated are listed with their \
      dates. Rows that do not open stay refused until they are deleted or set again.
      """)

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var confirmation: Confirmation

  func run() throws {
    try confirmation.ask("Older rows are accepted as they are.", word: "repair")
    let keybag = try unlock.store.openKeybag()
    // Without an unlock, the index of locked rows could not be rebuilt.
    _ = try unlock.unlock(keybag)
    let report: RepairReport
    do {
      let keychain = try Keychain.open(keybag, identity: .owner())
      report = try keychain.repair()
      keychain.close()
    } catch AtRestError.Code.damaged {
      report = try Keychain.repair(keybag)
    }
    Output.note("\(report.accepted) rows accepted.")
    for row in report.unvouched {
      let words = row.primaryKey?.words ?? "that does not open"
      let dates = ISO8601DateFormatter()
      let date = row.modified.map { ", last changed \(dates.string(from: $0))" } ?? ""
      Output.note("accepted without proof: the item \(words)\(date).")
    }
  }
}
