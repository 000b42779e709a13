import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

extension DefaultKeychain {
  /// A closure that is called before the first item is stored in a store without a passcode, once for
  /// each store and process.
  ///
  /// The calls of the module `Security` have no place for such a notice, so by default it is logged as a
  /// warning. Set the closure to show the user what a store without a passcode does not protect; the
  /// log then has no line.
  ///
  /// ```swift
  /// DefaultKeychain.onMissingPasscode = { risk in show(risk.message, risk.remedy) }
  /// ```
  ///
  /// The closure runs on the thread of the call that stores the item, and the item is stored after it
  /// returns. It must not store items itself.
  public static var onMissingPasscode: (@Sendable (StoreRisk) -> Void)? {
    get { notice.withLock { $0.tell } }
    set { notice.withLock { $0.tell = newValue } }
  }

  private struct Notice {
    var tell: (@Sendable (StoreRisk) -> Void)?
    /// The stores for which the notice was given.
    var told: Set<Data> = []
  }
  private static let notice = Mutex(Notice())

  /// Gives the notice that a store has no passcode, unless it was given before in this process.
  package static func tellOfMissingPasscode(_ keychain: Keychain) {
    let keybag = keychain.keybag
    guard !keybag.hasPasscode else { return }
    let (isFirst, tell) = notice.withLock { notice in
      (notice.told.insert(keybag.store.bytes).inserted, notice.tell)
    }
    guard isFirst, let risk = keybag.risks.first(where: { $0.id == "no-passcode" }) else { return }
    if let tell { return tell(risk) }
    Keychain.logger.warning("\(risk.message) \(risk.remedy)")
  }
}
