import AtRestCrypto
import AtRestKeychain
import Foundation

/// How data ends: expiry, logout and wipe.
extension Vault {
  /// Removes what has expired, and files that a crash left without an item.
  ///
  /// What is locked is looked at the next time.
  ///
  /// - Returns: How many values had expired.
  /// - Throws: ``AtRestError/Code/damaged`` where the registry is; ``AtRestError/Code/system``;
  ///   ``AtRestError/Code/wiped``; ``AtRestError/Code/invalidArgument`` in a transaction of the
  ///   keychain's.
  @discardableResult
  public func purge() throws -> Int {
    try refuseInTransaction("A purge")
    // Whether there is something to expire or not: a later time is remembered. A damaged clock is
    // reported by the values that go by it.
    _ = try? clock.now()
    // The database before the files, as whoever stores in a transaction of theirs has them.
    let (count, gone) = try keychain.transaction { () throws -> (Int, [(Data, Data)]) in
      // Held from before the items are listed: a file whose item comes later is not collected.
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
      // A folder may be that of a compartment that could not be named.
      if lock != nil, registry.gap == nil {
        try files.collect(Set(registry.entries.map(\.compartment)), keeping: kept)
      }
      return (expired, gone)
    }
    for (compartment, file) in gone { files.remove(file, of: compartment) }
    return count
  }

  /// Takes the system's time as right, after its clock was ahead and has been corrected.
  ///
  /// Values expire by the latest time that the vault has seen, so a clock that was ahead ends values early
  /// for as long as it was ahead. Call this only for a clock that the user vouches for: whoever can put it
  /// back keeps values longer. What has expired stays gone.
  ///
  /// - Throws: ``AtRestError/Code/damaged``, ``AtRestError/Code/system``.
  public func trustSystemClock() throws { try clock.trustSystem() }

  /// What goes from the folder does not come back where a transaction of the caller's fails.
  func refuseInTransaction(_ what: String) throws {
    guard keychain.isInTransaction else { return }
    throw AtRestError.invalid(
      "\(what) cannot be part of a transaction: what it removes from the vault's folder could not "
        + "be brought back.",
      remedy: "Do it before the transaction, or after it.")
  }

  func logOut(_ compartment: Data) throws {
    try refuseInTransaction("A logout")
    try keychain.transaction {
      var registry = try registry()
      guard registry.contains(compartment) || registry.unnamed.contains(compartment) else { return }
      try keychain.delete(matching: Self.items(of: compartment, keychain, options))
      // Made from the items each time, it knows of the logout already.
      guard registry.gap == nil else { return }
      registry.entries.removeAll { $0.compartment == compartment }
      registry.cleanups.append(compartment)
      try save(registry)
    }
    end(compartment)
    try finishLogouts(compartment)
  }

  /// Clears what lies outside of the keychain: files without keys by now, caches.
  ///
  /// - Parameter compartment: One that just logged out.
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
  /// What a session of its own configuration keeps is that session's to clear:
  /// `URLSessionConfiguration.sensitive` keeps nothing.
  public func clearResponseCaches() throws { try ResponseCaches.clear() }

  /// Destroys every value of every account at once, and the vault itself.
  ///
  /// The items go in one step; files have no keys from then on. Needs no unlock. Open the vault anew
  /// to go on.
  ///
  /// - Throws: ``AtRestError/Code/system``; ``AtRestError/Code/invalidArgument`` in a transaction of
  ///   the keychain's; what ``Options/onLogout`` throws.
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
        // What cannot be seen could not be found again without the registry.
        if let gap = registry.gap, gap.refusal == .locked { throw gap }
        for compartment in registry.entries.map(\.compartment) + registry.unnamed {
          try keychain.delete(matching: Self.items(of: compartment, keychain, options))
        }
        try keychain.delete(matching: Query(clockKey))
        try keychain.delete(registryKey)
      }
      end(nil)
      try files.clear()
    }
    try clearResponseCaches()
    try options.onLogout?()
  }
}
