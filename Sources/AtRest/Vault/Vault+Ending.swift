import AtRestCrypto
import AtRestKeychain
import Foundation

/// The removal of data by expiry, logout and wipe.
extension Vault {
  /// Removes expired values, and files that a crash left without a keychain item.
  ///
  /// Values that are locked are left for the next purge.
  ///
  /// - Returns: The number of values that had expired.
  /// - Throws: ``AtRestError/Code/damaged`` if the registry is damaged;
  ///   ``AtRestError/Code/system``; ``AtRestError/Code/wiped``;
  ///   ``AtRestError/Code/invalidArgument`` inside a transaction of the keychain.
  @discardableResult
  public func purge() throws -> Int {
    try refuseInTransaction("A purge")
    // Throws if the vault was wiped, because a wiped vault's clock must not be written again.
    _ = try registry()
    // Records the latest time even if nothing can expire. A damaged clock is ignored here, because
    // reading a value that depends on the clock reports the damage.
    _ = try? clock.now()
    // The database is locked before the files, because a caller's transaction that stores a value
    // takes the two locks in this order.
    let (count, gone) = try keychain.transaction { () throws -> (Int, [(Data, Data)]) in
      // The files are locked before the items are listed, so a file whose item is added later is
      // not removed.
      let lock = try files.lockForCollecting()
      defer { withExtendedLifetime(lock) {} }
      let registry = try registry()
      var (expired, gone): (Int, [(Data, Data)]) = (0, [])
      var kept: [Data: Set<Data>?] = [:]
      for entry in registry.entries {
        let compartment = Compartment(vault: self, id: entry.compartment, account: nil)
        let found = try compartment.survey()
        kept[entry.compartment] = found.isWhole ? found.files : .some(nil)
        for name in found.forgettable {
          _ = try compartment.item(name).remove { $0?.isSpent == true }
        }
        for value in found.expired where try compartment.item(value.name).removeExpired() {
          expired += 1
          if let file = value.file { gone.append((entry.compartment, file)) }
        }
      }
      // If the registry has a gap, a folder may belong to a compartment whose account is unknown.
      if lock != nil, registry.gap == nil {
        try files.collect(Set(registry.entries.map(\.compartment)), keeping: kept)
      }
      return (expired, gone)
    }
    for (compartment, file) in gone {
      discardHandles(of: file)
      files.remove(file, of: compartment)
    }
    return count
  }

  /// Removes expired values now and then, until the task is cancelled or the vault is released or
  /// wiped.
  ///
  /// ```swift
  /// let purges = vault.purge(every: .seconds(3600))
  /// purges.cancel()
  /// ```
  ///
  /// An expired value cannot be read even before it is purged. A purge removes its bytes as well,
  /// and closes handles that were opened before the value expired.
  ///
  /// - Parameters:
  ///   - interval: The pause between two purges, at least a second. The first purge follows the
  ///     first pause.
  ///   - clock: The clock of the pauses. The default includes the time that the machine sleeps.
  ///   - failed: Receives the error of a purge that failed. The next purge still takes place.
  /// - Returns: The task. If you discard it, the purges go on for as long as the vault exists.
  @discardableResult
  public func purge(
    every interval: Duration, on clock: some Clock<Duration> = .continuous,
    failed: @escaping @Sendable (any Error) -> Void = { _ in }
  ) -> Task<Void, Never> {
    let interval = max(interval, .seconds(1))
    return Task { [weak self] in
      while (try? await clock.sleep(for: interval)) != nil, !Task.isCancelled {
        // The task holds the vault only during a purge.
        guard let vault = self else { return }
        do {
          try await vault.background { try $0.purge() }
        } catch AtRestError.Code.wiped {
          return
        } catch {
          failed(error)
        }
      }
    }
  }

  /// Accepts the system's time as correct, after the system's clock was ahead and has been set
  /// right.
  ///
  /// Values expire according to the latest time that the vault has seen. If the clock was ahead,
  /// values therefore expire early, by as much as the clock was ahead. Call this method only if the
  /// user vouches for the clock, because anyone who can set the clock back can keep values longer.
  /// Values that were removed when they expired are not restored.
  ///
  /// - Throws: ``AtRestError/Code/damaged``, ``AtRestError/Code/system``;
  ///   ``AtRestError/Code/invalidArgument`` inside a transaction of the keychain.
  public func trustSystemClock() throws {
    try refuseInTransaction("A correction of the clock")
    try clock.trustSystem()
  }

  /// Throws inside a caller's transaction, because files that were removed from the folder cannot
  /// be restored if the transaction fails.
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
      try items.delete(compartment)
      // A registry with a gap is not saved but rebuilt from the items each time, so it already
      // reflects the logout.
      guard registry.gap == nil else { return }
      registry.entries.removeAll { $0.compartment == compartment }
      registry.cleanups.append(compartment)
      try items.save(registry)
    }
    end(compartment)
    try finishLogouts(compartment)
  }

  /// Clears what is stored outside the keychain: files whose keys are gone, and caches.
  ///
  /// - Parameter compartment: The compartment that was just logged out, or nil to finish only the
  ///   logouts that a crash interrupted.
  func finishLogouts(_ compartment: Data? = nil) throws {
    let known = try registry()
    let cleanups = known.gap == nil ? known.cleanups : [compartment].compactMap { $0 }
    guard !cleanups.isEmpty else { return }
    for compartment in cleanups { try files.remove(compartment) }
    try ResponseCaches.clear()
    try options.onLogout?()
    try keychain.transaction {
      var registry = try registry()
      guard registry.gap == nil else { return }
      registry.cleanups.removeAll { cleanups.contains($0) }
      try items.save(registry)
    }
  }

  /// Destroys every value of every account at once, and the vault itself.
  ///
  /// The items, which include the keys of the files, are removed in one step. A wipe needs no
  /// unlock, unless the vault's registry is damaged. To continue, open the vault again.
  ///
  /// - Throws: ``AtRestError/Code/system``; ``AtRestError/Code/locked`` or
  ///   ``AtRestError/Code/damaged`` if the registry is damaged and cannot be rebuilt;
  ///   ``AtRestError/Code/invalidArgument`` inside a transaction of the keychain; the error of
  ///   ``Options/onLogout``.
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
        // While the store is locked, some compartments cannot be found. Without the registry, they
        // could not be found later either.
        if let gap = registry.gap, gap.refusal == .locked { throw gap }
        for compartment in registry.entries.map(\.compartment) + registry.unnamed {
          try items.delete(compartment)
        }
        try items.deleteClock()
        try keychain.delete(items.registryKey)
      }
      end(nil)
      try files.clear()
    }
    try ResponseCaches.clear()
    try options.onLogout?()
  }
}
