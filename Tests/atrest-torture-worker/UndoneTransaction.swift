import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// Goes on in a transaction after a call in it failed because no file may grow, and SQLite undid all of it.
///
/// The command is `undone STORE DEVICE`. It writes the result of each step.
struct UndoneTransaction {
  /// More than SQLite keeps in memory.
  private static let size = 16 << 20
  private static let count = 40

  private let store: Store

  init(_ store: Store) { self.store = store }

  func run() throws {
    signal(SIGXFSZ, SIG_IGN)
    let keybag = try store.keybag()
    try keybag.unlock(passcode: Store.passcode)
    let keychain = try Keychain.open(keybag, identity: Store.identity)
    let key = Store.items[0].key
    try FullDisk.limit(UInt64(2 * Self.size))
    answer("transaction") {
      try keychain.transaction {
        for number in 0..<Self.count {
          do {
            try keychain.add(
              .genericPassword(service: "large", account: "\(number)"),
              secret: .random(count: Self.size))
          } catch {
            say("add \((error as? AtRestError)?.code.rawValue ?? "\(error)")")
            break
          }
        }
        answer("update") { try keychain.update(key, secret: SecretBytes(utf8: "new")) }
      }
    }
    try FullDisk.limit(.max)
    let isOld = try String(copying: keychain.secret(for: key)) == Store.items[0].secret
    say("secret \(isOld ? "old" : "new")")
    say("problems \(try keychain.verify().problems.count)")
    answer("later") { try keychain.update(key, secret: SecretBytes(utf8: "later")) }
  }
}
