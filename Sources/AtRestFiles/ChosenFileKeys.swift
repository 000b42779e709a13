import AtRestCrypto
import AtRestKeybag
import Synchronization

/// Keys that are chosen for each file, by the readers that its header names.
final class ChosenFileKeys: FileKeys {
  private struct Choice {
    let slots: [KeySlot]
    let keys: any FileKeys
  }

  private let choose: @Sendable ([FileDescription.Reader], String) throws -> ProtectedFiles
  private let explain: @Sendable (AtRestError, [FileDescription.Reader]) -> AtRestError
  /// The keys of the last file. They are cached, because every chunk looks them up.
  private let last = Mutex<Choice?>(nil)

  init(
    _ choose: @escaping @Sendable ([FileDescription.Reader], String) throws -> ProtectedFiles,
    _ explain: @escaping @Sendable (AtRestError, [FileDescription.Reader]) -> AtRestError
  ) {
    self.choose = choose
    self.explain = explain
  }

  private func explained(_ error: AtRestError, _ slots: [KeySlot]) -> AtRestError {
    explain(error, slots.map(FileDescription.Reader.init))
  }

  private func keys(for slots: [KeySlot], name: String) throws -> any FileKeys {
    if let choice = last.withLock({ $0 }), choice.slots == slots { return choice.keys }
    let keys = try choose(slots.map(FileDescription.Reader.init), name).keys
    last.withLock { $0 = Choice(slots: slots, keys: keys) }
    return keys
  }

  func wrap(
    _ key: borrowing SecretBytes, protection: FileProtection?, name: String
  ) throws -> [KeySlot] {
    throw AtRestError.invalid(
      "No reader was chosen for the file.", remedy: "Use a store, a passphrase or recipients.")
  }

  func unwrap(_ slots: [KeySlot], name: String) throws -> SecretBytes {
    do {
      return try keys(for: slots, name: name).unwrap(slots, name: name)
    } catch let error as AtRestError {
      throw explained(error, slots)
    }
  }

  func unwrap(
    _ slots: [KeySlot], name: String, accepting isRight: (borrowing SecretBytes) -> Bool
  ) throws -> SecretBytes {
    do {
      return try keys(for: slots, name: name).unwrap(slots, name: name, accepting: isRight)
    } catch let error as AtRestError {
      throw explained(error, slots)
    }
  }

  func checkStore() throws { try last.withLock { $0 }?.keys.checkStore() }

  func checkKept() throws { try last.withLock { $0 }?.keys.checkKept() }

  func checkUse(of slots: [KeySlot]) throws {
    try keys(for: slots, name: "the file").checkUse(of: slots)
  }

  func mayKeepKey(of slots: [KeySlot]) -> Bool {
    (try? keys(for: slots, name: "the file"))?.mayKeepKey(of: slots) ?? false
  }
}
