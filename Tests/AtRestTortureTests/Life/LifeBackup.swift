import Foundation

/// A backup of a store, with a copy of the user's data from the same moment.
struct LifeBackup {
  let file: URL
  let data: URL
  let machine: String
  let entries: LifeEntries

  static let passphrase = "nine iron lids under an otter"

  /// Returns what it brings back in a new store of a machine.
  func entries(on machine: LifeMachine) -> LifeEntries {
    entries.filter { name, entry in
      // The folder of a vault belongs to the installation of its application, which a new store does
      // not continue.
      guard !name.hasPrefix("value/"), !name.hasPrefix("preference/") else { return false }
      return !entry.needsPasscode && (!entry.isBound || self.machine == machine.name)
    }
  }
}
