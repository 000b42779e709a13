import AtRestCrypto
import AtRestFormats
import Foundation

/// The keychain of a device backup: `keychain-backup.plist`.
///
/// A list of at most 64 MiB is read. Items that may move to another device open with the keys of an encrypted backup. Those bound to
/// their device stay sealed and are listed so, with when they can be read; and so is every item of a
/// backup that is not encrypted, for its keychain is bound to the device as a whole.
public struct BackupKeychain: Sendable {
  public let items: [KeychainItem]
  /// What could not be read or opened, with reasons.
  public let skipped: [Skip]

  /// Where backups keep it.
  public static let file = (domain: "KeychainDomain", path: "keychain-backup.plist")

  /// Reads the keychain of a backup; it has no items where the backup has none.
  ///
  /// - Throws: What ``Backup/open(_:)`` throws; ``AtRestError/Code/damaged`` where it is no property
  ///   list.
  public init(of backup: Backup) throws {
    guard let entry = backup.file(domain: Self.file.domain, path: Self.file.path) else {
      (items, skipped) = ([], [])
      return
    }
    let source = try backup.open(entry)
    let path = "\(entry.domain)/\(entry.path)"
    do {
      let (root, unread) = try PropertyList.dictionary(in: source, path: path)
      (items, skipped) = Self.items(of: root, keys: backup.keys, path: path, unread)
    } catch {
      throw AtRestError.damagedBackup("The keychain of the backup cannot be read.", cause: error)
    }
  }

  private static func items(
    of root: PropertyList.Node, keys: AppleBackupKeys?, path: String, _ unread: [Skip]
  ) -> ([KeychainItem], [Skip]) {
    var items: [KeychainItem] = []
    var skipped = unread
    for itemClass in KeychainItem.ItemClass.allCases {
      for (index, node) in (root[itemClass.rawValue]?.array ?? []).enumerated() {
        let locator = Locator(path).appending(.keyPath("\(itemClass.rawValue)[\(index)]"))
        let (item, reason) = item(itemClass, node, keys: keys, locator)
        items.append(item)
        if let reason { skipped.append(Skip(path: locator.description, reason: reason)) }
      }
    }
    return (items, skipped)
  }

  private static func item(
    _ itemClass: KeychainItem.ItemClass, _ node: PropertyList.Node, keys: AppleBackupKeys?,
    _ locator: Locator
  ) -> (KeychainItem, reason: String?) {
    var item = KeychainItem(itemClass, value: .none, locator: locator)
    // Old systems kept all attributes but the secret in the open.
    KeychainAttributes(node)?.describe(&item)
    let name = "The item \(locator)"
    do {
      guard let data = node["v_Data"]?.data else { return (item, nil) }
      let blob = try AppleKeychainBlob(data, name: name)
      item.accessibility = KeychainItem.Accessibility(keyClass: blob.keyClass) ?? item.accessibility
      guard let keys else {
        item.value = .sealed("The backup is not encrypted: its keychain is bound to the device.")
        return (item, nil)
      }
      try open(blob, with: keys, name: name, into: &item)
      return (item, nil)
    } catch AtRestError.Code.notPermitted {
      item.value = .sealed("It opens on its own device alone.")
      return (item, nil)
    } catch {
      let reason = (error as? AtRestError)?.message ?? "It cannot be read."
      item.value = .sealed(reason)
      // No key of this class is in the keybag where the class is bound to the device.
      if item.accessibility?.isThisDeviceOnly == true {
        item.value = .sealed("It opens on its own device alone.")
        return (item, nil)
      }
      return (item, reason)
    }
  }

  private static func open(
    _ blob: AppleKeychainBlob, with keys: AppleBackupKeys, name: String,
    into item: inout KeychainItem
  ) throws {
    let plaintext = try blob.open(with: keys, name: name)
    let attributes: KeychainAttributes?
    switch blob.encoding {
    case .secret:
      item.value = .bytes([UInt8](plaintext))
      return
    case .propertyList: attributes = KeychainAttributes(PropertyList.read(plaintext, path: "").root)
    case .der: attributes = KeychainAttributes(KeychainDER.value(of: [UInt8](plaintext)))
    }
    guard let attributes else {
      throw AtRestError.damagedBackup(
        "\(name) opened, and what it holds is written in no known way.")
    }
    attributes.describe(&item)
    item.value = attributes.secret.map { .bytes($0) } ?? .none
  }
}
