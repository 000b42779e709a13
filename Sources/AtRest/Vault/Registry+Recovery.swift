import AtRestCrypto
import AtRestKeychain
import Foundation

extension Registry {
  /// Makes the registry of a vault again from the items, after the stored registry was damaged.
  /// Each compartment has its identity in the service of its items, and an account's compartment
  /// has an item that holds the account's name.
  ///
  /// Compartments that cannot be named stay closed, and ``gap`` says why. Without a gap, the new
  /// registry is complete.
  ///
  /// - Parameters:
  ///   - service: The service of compartments' items, without the identity at its end.
  ///   - registry: The damaged item, which may be missing from a list.
  init(
    recovering installation: Data, _ keychain: Keychain, service: String, registry: PrimaryKey
  ) {
    self.init(installation: installation)
    let items: KeychainItems
    do {
      items = try keychain.items(matching: KeychainQuery(.genericPassword, group: registry.group))
    } catch {
      gap = Self.gap(error)
      return
    }
    // The damaged registry is itself among the unreadable items, or is readable and malformed.
    var isRegistryListed = true
    do { _ = try keychain.item(for: registry) } catch { isRegistryListed = false }
    if items.withheld.count > (isRegistryListed ? 0 : 1) {
      gap = Self.gap(items.withheld[0].reason)
    }
    var accounts: [Data: [String]] = [:]
    for item in items {
      guard let text = item.attributes.service, text.hasPrefix(service),
        let id = Self.identity(text.dropFirst(service.count)), let account = item.attributes.account
      else { continue }
      accounts[id, default: []].append(account)
    }
    var withoutName: [Data] = []
    for (id, names) in accounts {
      guard names.contains("account") else {
        withoutName.append(id)
        continue
      }
      do {
        let key = PrimaryKey.genericPassword(
          service: service + id.hexadecimal, account: "account", group: registry.group)
        add(String(copying: try keychain.secret(for: key)) ?? "", id)
      } catch {
        gap = gap ?? Self.gap(error)
        unnamed.append(id)
      }
    }
    // The device's own compartment has no name. If an item is hidden, that item may be a name.
    if withoutName.count == 1, gap == nil {
      add(nil, withoutName[0])
    } else if withoutName.isEmpty, gap == nil {
      add(nil)
    } else {
      gap = gap ?? Self.gap(nil)
      unnamed += withoutName
    }
  }

  private static func identity(_ text: Substring) -> Data? {
    let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
    guard digits.count == 2 * idCount, text.utf8.count == digits.count else { return nil }
    return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  private static func gap(_ error: (any Error)?) -> AtRestError {
    let why = (error as? AtRestError).map { " (\($0.message))" } ?? ""
    let isLocked = (error as? AtRestError)?.refusal == .locked
    return AtRestError(
      isLocked ? .locked : .damaged,
      "The vault's registry is damaged, and this compartment cannot be identified\(why).",
      remedy: isLocked
        ? "Unlock the store; the registry is then rebuilt from the items."
        : "Restore the store from a backup, or repair it. Named compartments remain usable.",
      cause: error)
  }
}
