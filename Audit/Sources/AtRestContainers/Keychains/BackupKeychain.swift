import AtRestCrypto
import AtRestFormats
import Foundation

/// The keychain of a device backup, `keychain-backup.plist`.
///
/// The file may be at most 64 MiB. Items that may move to another device are opened with the keys of
/// an encrypted backup. Items that are bound to their device stay encrypted, and are listed with the
/// condition under which they can be read. In a backup that is not encrypted this applies to every
/// item, because its keychain is bound to the device as a whole.
public struct BackupKeychain: Sendable {
  public let items: [KeychainItem]
  /// The parts that could not be read or opened, with reasons.
  public let skipped: [Skip]

  /// The place of the keychain in a backup.
  public static let file = (domain: "KeychainDomain", path: "keychain-backup.plist")

  /// Reads the keychain of a backup. There are no items if the backup has no keychain. If its file
  /// is missing or damaged, as in a part of a backup, ``skipped`` says so.
  ///
  /// - Throws: ``AtRestError/Code/locked`` if the backup was not unlocked yet.
  public init(of backup: Backup) throws {
    guard let entry = backup.file(domain: Self.file.domain, path: Self.file.path) else {
      (items, skipped) = ([], [])
      return
    }
    let path = "\(entry.domain)/\(entry.path)"
    do {
      let source = try backup.open(entry)
      let (root, unread) = try PropertyList.dictionary(in: source, path: path)
      (items, skipped) = Self.items(of: root, keys: backup.keys, path: path, unread)
    } catch AtRestError.Code.locked where backup.isLocked {
      throw AtRestError(
        .locked, "The keychain is encrypted, and the backup is locked.",
        remedy: "Unlock it with the password of the backup.")
    } catch {
      let reason = "The keychain of the backup was not read. \(error)"
      (items, skipped) = ([], [Skip(path: path, reason: reason)])
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
    // Old systems stored all attributes except the secret unencrypted.
    KeychainAttributes(node)?.describe(&item)
    let name = "The item \(locator)"
    do {
      guard let data = node["v_Data"]?.data else { return (item, nil) }
      let blob = try AppleKeychainBlob(data, name: name)
      item.accessibility = KeychainItem.Accessibility(keyClass: blob.keyClass) ?? item.accessibility
      guard let keys else {
        item.value = .sealed("The backup is not encrypted, so its keychain is bound to the device.")
        return (item, nil)
      }
      try open(blob, with: keys, name: name, into: &item)
      return (item, nil)
    } catch AtRestError.Code.notPermitted {
      item.value = .sealed("The item can be opened only on its own device.")
      return (item, nil)
    } catch {
      let reason = (error as? AtRestError)?.message ?? "The item cannot be read."
      item.value = .sealed(reason)
      // If the class is bound to the device, the keybag has no key for it.
      if item.accessibility?.isThisDeviceOnly == true {
        item.value = .sealed("The item can be opened only on its own device.")
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
        "\(name) was decrypted, but its contents have an unknown format.")
    }
    attributes.describe(&item)
    item.value = attributes.secret.map { .bytes($0) } ?? .none
  }
}
