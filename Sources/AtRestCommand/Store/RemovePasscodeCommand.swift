import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain

struct RemovePasscode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove the passcode; items for when a passcode is set are permanently lost.",
    discussion: """
      If the store has such items, they are counted and named, and you are asked to type "remove". \
      --yes skips the question, and is required without a terminal. Names that only a proof of the \
      user would show are counted, but not named.
      """)

  /// The largest number of items that are named.
  private static let namedCount = 20

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var confirmation: Confirmation

  func validate() throws {
    guard !unlock.noUnlock else {
      throw ValidationError("Removing the passcode needs the passcode.")
    }
  }

  func run() throws {
    let keybag = try unlock.store.openKeybag()
    guard keybag.hasPasscode else { throw PasscodeCommand.noneSet }
    let passcode = SecretBox(try unlock.readPasscode(of: keybag))
    // The names are sealed, so the store is unlocked to read them.
    try Interruption.givingAttemptBack { try keybag.unlock(passcode: passcode.bytes) }
    let loss = try confirmLoss(keybag)
    try Interruption.givingAttemptBack { try keybag.removePasscode(passcode.bytes) }
    // The next use of the keychain deletes the rows of the items whose key is gone.
    if loss != 0 {
      do {
        let keychain = try Keychain.open(keybag, identity: .owner())
        _ = try keychain.count()
        keychain.close()
      } catch let error as AtRestError {
        Output.note("the next use of the store deletes the items' rows: \(error.message)")
      }
    }
    let items = loss.map { $0 == 0 ? "" : ", and \(Self.words($0)) with it" } ?? ""
    Output.note("the passcode was removed\(items).")
    StatusReport.note(risks: keybag.risks)
  }

  /// Tells the user which items are lost with the passcode, and asks whether to continue.
  ///
  /// - Returns: The number of these items, or nil if the keychain does not open.
  private func confirmLoss(_ keybag: Keybag) throws -> Int? {
    let keychain: Keychain
    let count: Int
    do {
      keychain = try Keychain.open(keybag, identity: .owner())
      count = try keychain.count(.whenPasscodeSetThisDeviceOnly)
    } catch let error as AtRestError {
      Output.note("the items could not be counted: \(error.message)")
      try confirmation.ask(
        "Items for when a passcode is set are permanently lost.", word: "remove")
      return nil
    }
    defer { keychain.close() }
    guard count > 0 else { return 0 }
    Output.note("\(Self.words(count)) for when a passcode is set:")
    let names = Self.names(in: keychain)
    for name in names.prefix(Self.namedCount) { Output.plainNote("  \(Output.printable(name))") }
    if names.count > Self.namedCount {
      Output.plainNote("  and \(names.count - Self.namedCount) more that can be named")
    }
    if names.count < count {
      Output.plainNote("  and \(count - names.count) whose names cannot be read now")
    }
    try confirmation.ask(
      count == 1 ? "This item is permanently lost." : "These items are permanently lost.",
      word: "remove")
    return count
  }

  /// Returns the names of the items that are lost, as far as they can be read without the user.
  private static func names(in keychain: Keychain) -> [String] {
    ItemClass.allCases.flatMap { itemClass -> [String] in
      let query = KeychainQuery(
        itemClass, accessibility: .whenPasscodeSetThisDeviceOnly, synchronizable: .any)
      let context = AuthenticationContext(interaction: .skip)
      guard let items = try? keychain.items(matching: query, context: context) else { return [] }
      return items.map { "\($0.itemClass.name) \($0.primaryKey.words), group \($0.group)" }
    }
  }

  private static func words(_ count: Int) -> String { count == 1 ? "1 item" : "\(count) items" }
}
