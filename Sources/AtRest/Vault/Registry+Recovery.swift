@_spi(Tools) import AtRestCrypto
import AtRestKeychain
import Foundation

extension Registry {
  /// Rebuilds the registry of a vault from the vault's items, after the stored registry was
  /// damaged. The service of each item contains the identity of the compartment, and an account's
  /// compartment has an item that holds the account's name.
  ///
  /// Compartments whose account cannot be determined stay closed, and ``gap`` says why. If ``gap``
  /// is nil, the new registry is complete.
  ///
  /// - Parameters:
  ///   - service: The service of the items, without the compartment's identity at its end.
  ///   - registry: The key of the damaged registry item. A list of items may leave that item out.
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
    // The damaged registry item is either one of the withheld items, or it is readable but
    // malformed.
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
    // The device's own compartment has no name item. If an item is withheld, that item may be the
    // name item of a compartment.
    if withoutName.count == 1, gap == nil {
      add(nil, withoutName[0])
    } else if withoutName.isEmpty, gap == nil {
      add(nil)
    } else {
      gap = gap ?? Self.gap(nil)
      unnamed += withoutName
    }
  }

  /// Returns the identity in the rest of a service, which may end in the name of a part.
  private static func identity(_ text: Substring) -> Data? {
    let parts = VaultItems.Part.allCases.map(\.rawValue).filter { !$0.isEmpty }
    let text = parts.first(where: text.hasSuffix).map { text.dropLast($0.count) } ?? text
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
