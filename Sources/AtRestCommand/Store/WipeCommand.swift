import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import Foundation

struct WipeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wipe",
    abstract: "Destroy the store: nothing in it can be read again.",
    discussion: """
      Asks you to type "wipe", or for --yes. Needs no passcode. Backups stay. Programs that have the \
      store open, and the agent, erase their keys, and refuse every later use of it. The device key \
      stays: after the last store, "atrest device remove" destroys it, and frees its counter in a TPM.
      """)

  private static let files = [
    "keybag", "keybag.new", "keybag.old", "keychain.db", "keychain.db-wal", "keychain.db-shm",
    "lock",
  ]

  /// After these errors, nothing more is destroyed: the store may be intact, or may not be the one
  /// that the user meant. If its key was already destroyed, the error's message says so.
  private static let keptAfter: Set<AtRestError.Code> = [
    .system, .busy, .otherStore, .invalidArgument, .notPermitted,
  ]

  @OptionGroup var store: StoreOptions
  @OptionGroup var confirmation: Confirmation

  func run() throws {
    let folder = store.storeFolder
    let storage = FolderStorage(folder)
    guard try Self.files.contains(where: storage.contains) else {
      throw AtRestError(
        .notFound, "There is no store in \(folder.path).",
        remedy: "Specify its folder (--store, ATREST_STORE).")
    }
    try confirmation.ask(
      "Everything in \(folder.path) will be destroyed, and files that the store protects can then no "
        + "longer be opened.", word: "wipe")
    var failure: AtRestError?
    var isRefused = false
    do {
      try store.openKeybagToWipe().wipe()
    } catch let error as AtRestError where !Self.keptAfter.contains(error.code) {
      // A store that cannot be opened is destroyed too. The key is destroyed first.
      failure = error
      isRefused = (try? store.location.retireUnopenedStore()) ?? false
    }
    try Keybag.discard(in: storage)
    // The data is unreadable from here on, so large files need not be overwritten.
    for file in Self.files { try storage.remove(file) }
    do {
      try store.location.forgetStore()
    } catch {
      Output.note("the device folder still expects the store in \(folder.path): \(error)")
    }
    // The folder is removed only if it is empty.
    _ = SystemPath.with(folder.path) { rmdir($0) }
    if let failure, failure.code != .wiped {
      Output.note("the store did not open: \(failure.message)")
      if !isRefused {
        Output.plainNote(
          "  A copy of it that does open is not refused. Destroy such copies as well.")
      }
    }
    Output.note("the store in \(folder.path) was wiped.")
    store.noteGoneStores()
  }
}
