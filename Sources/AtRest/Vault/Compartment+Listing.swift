import AtRestCrypto
import AtRestKeychain
import Foundation

/// Lists of a compartment's values.
extension Compartment {
  /// The values of a compartment, as a purge needs them.
  struct Survey {
    /// The names and files of values that have expired.
    var expired: [(name: String, file: Data?)] = []
    /// The names of records whose spent value need not be remembered any longer.
    var forgettable: [String] = []
    /// The files of all values that could be read.
    var files: Set<Data> = []
    /// True if all values could be read.
    var isWhole = false
  }

  func survey() throws -> Survey {
    var survey = Survey()
    let reason = try forEachValue { name, stored in
      guard !stored.isSpent else {
        // The time of the last use is by the same clock.
        let now = stored.goesByTheClock ? try? vault.clock.now() : keychain.now
        if let now, stored.isForgettable(at: now) { survey.forgettable.append(name) }
        return
      }
      if let file = stored.file { survey.files.insert(file) }
      // With a damaged clock, no value is known to have expired.
      if (try? stored.hasExpired(by: vault.clock)) == true {
        survey.expired.append((name, stored.file))
      }
    }
    survey.isWhole = reason == nil
    return survey
  }

  /// - Returns: nil if all values could be read, otherwise the error that explains why some could
  ///   not.
  func forEachValue(_ body: (String, StoredValue) throws -> Void) throws -> AtRestError? {
    let items: KeychainItems
    do {
      items = try keychain.items(
        matching: vault.items.values(of: id), secrets: true,
        context: AuthenticationContext(interaction: .forbidden))
    } catch let error as AtRestError where error.refusal != nil {
      return error
    }
    var reason = items.withheld.first?.reason
    for item in items {
      guard let account = item.attributes.account, account.hasPrefix(Self.prefix) else { continue }
      let name = String(account.dropFirst(Self.prefix.count))
      let stored: StoredValue?
      do {
        stored = try item.withSecret { try StoredValue(decoding: $0, name: place(name).words) }
      } catch let error as AtRestError {
        reason = error
        continue
      }
      if let stored { try body(name, stored) }
    }
    return reason
  }

  /// The values of the compartment, without their contents, sorted by name.
  ///
  /// - Throws: An error if a value cannot be read, because a list without that value would suggest
  ///   that it does not exist: ``AtRestError/Code/locked``, ``AtRestError/Code/damaged``; also
  ///   ``AtRestError/Code/loggedOut`` and ``AtRestError/Code/system``.
  public var contents: [ValueDescription] {
    get throws {
      try checkLoggedIn()
      var found: [ValueDescription] = []
      let reason = try forEachValue { name, stored in
        guard !stored.isSpent, try !stored.hasExpired(by: vault.clock) else { return }
        found.append(try ValueDescription(name, stored, size: size(of: stored)))
      }
      if let reason { throw reason }
      return found.sorted { $0.name < $1.name }
    }
  }
}
