import AtRestCrypto
import AtRestKeychain
import Foundation

/// The ways in which data ends: expiry, logout and wipe.
extension Vault {
  /// Removes expired values, and files that a crash left without an item.
  ///
  /// Values that are locked are checked the next time.
  ///
  /// - Returns: The number of values that had expired.
  /// - Throws: ``AtRestError/Code/damaged`` if the registry is damaged;
  ///   ``AtRestError/Code/system``; ``AtRestError/Code/wiped``;
  ///   ``AtRestError/Code/invalidArgument`` inside a transaction of the keychain.
  @discardableResult
  public func purge() throws -> Int {
    try refuseInTransaction("A purge")
    // The registry of a wiped vault is gone, and its clock must not be written again.
    _ = try registry()
    // Even if nothing can expire, this records the latest time. A damaged clock is reported by the
    // values that depend on it.
    _ = try? clock.now()
    // The database is locked before the files, in the same order as in a caller's transaction that
    // stores a value.
    let (count, gone) = try keychain.transaction { () throws -> (Int, [(Data, Data)]) in
      // Held from before the items are listed, so a file whose item is added later is not
      // collected.
      let lock = try files.lockForCollecting()
      defer { withExtendedLifetime(lock) {} }
      let registry = try registry()
      var (expired, gone): (Int, [(Data, Data)]) = (0, [])
      var kept: [Data: Set<Data>?] = [:]
      for entry in registry.entries {
        let compartment = Compartment(vault: self, id: entry.compartment, account: nil)
        let found = try compartment.survey()
        kept[entry.compartment] = found.isWhole ? found.files : .some(nil)
        for value in found.expired where try compartment.removeExpired(value.name) {
          expired += 1
          if let file = value.file { gone.append((entry.compartment, file)) }
        }
      }
      // A folder may belong to a compartment that could not be named.
      if lock != nil, registry.gap == nil {
        try files.collect(Set(registry.entries.map(\.compartment)), keeping: kept)
      }
      return (expired, gone)
    }
    for (compartment, file) in gone { files.remove(file, of: compartment) }
    return count
  }

  /// Accepts the system's time as right, after its clock was ahead and has been corrected.
  ///
  /// Values expire by the latest time that the vault has seen. A clock that was ahead therefore
  /// ends values early, for as long as it was ahead. Call this only if the user vouches for the
  /// clock, because anyone who can set it back keeps values longer. Values that have expired stay
  /// removed.
  /// - Throws: ``AtRestError/Code/damaged``, ``AtRestError/Code/system``;
  ///   ``AtRestError/Code/invalidArgument`` inside a transaction of the keychain.
  public func trustSystemClock() throws {
    try refuseInTransaction("A correction of the clock")
    try clock.trustSystem()
  }

  /// Throws inside a caller's transaction: files removed from the folder do not return when that
  /// transaction fails.
  func refuseInTransaction(_ what: String) throws {
    guard keychain.isInTransaction else { return }
    throw AtRestError.invalid(
      "\(what) cannot be part of a transaction: what it removes from the vault's folder cannot "
        + "be restored.",
      remedy: "Call it before or after the transaction.")
  }

  func logOut(_ compartment: Data) throws {
    try refuseInTransaction("A logout")
    try keychain.transaction {
      var registry = try registry()
      guard registry.contains(compartment) || registry.unnamed.contains(compartment) else { return }
      try keychain.delete(matching: Self.items(of: compartment, keychain, options))
      // A rebuilt registry is made from the items each time, so it already reflects the logout.
      guard registry.gap == nil else { return }
      registry.entries.removeAll { $0.compartment == compartment }
      registry.cleanups.append(compartment)
      try save(registry)
    }
    end(compartment)
    try finishLogouts(compartment)
  }

  /// Clears what is stored outside the keychain: files whose keys are gone, and caches.
  ///
  /// - Parameter compartment: The compartment that was just logged out.
  func finishLogouts(_ compartment: Data? = nil) throws {
    let known = try registry()
    let cleanups = known.gap == nil ? known.cleanups : [compartment].compactMap { $0 }
    guard !cleanups.isEmpty else { return }
    for compartment in cleanups { try files.remove(compartment) }
    try clearResponseCaches()
    try options.onLogout?()
    try keychain.transaction {
      var registry = try registry()
      guard registry.gap == nil else { return }
      registry.cleanups.removeAll { cleanups.contains($0) }
      try save(registry)
    }
  }

  /// Empties the caches of responses, cookies and credentials that this process shares.
  ///
  /// A URL session with a configuration of its own clears its own caches.
  /// `URLSessionConfiguration.sensitive` keeps none.
  public func clearResponseCaches() throws { try ResponseCaches.clear() }

  /// Destroys every value of every account at once, and the vault itself.
  ///
  /// The items are removed in one step, which destroys the keys of the files. This needs no unlock.
  /// Open the vault again to continue.
  ///
  /// - Throws: ``AtRestError/Code/system``; ``AtRestError/Code/invalidArgument`` inside a
  ///   transaction of the keychain; the error of ``Options/onLogout``.
  public func wipe() throws {
    try refuseInTransaction("A wipe")
    try files.exclusively {
      try keychain.transaction {
        let registry: Registry
        do {
          registry = try self.registry()
        } catch AtRestError.Code.wiped {
          return
        }
        // Compartments that cannot be seen now could not be found again without the registry.
        if let gap = registry.gap, gap.refusal == .locked { throw gap }
        for compartment in registry.entries.map(\.compartment) + registry.unnamed {
          try keychain.delete(matching: Self.items(of: compartment, keychain, options))
        }
        try keychain.delete(matching: KeychainQuery(clockKey))
        try keychain.delete(registryKey)
      }
      end(nil)
      try files.clear()
    }
    try clearResponseCaches()
    try options.onLogout?()
  }
}
