import AtRestContainers
import AtRestCrypto
import Foundation
import Testing

/// The keychain in a backup.
@Suite struct BackupKeychainTests {
  private let maker = KeychainMaker()

  private func attributes(_ account: String, _ secret: String) -> [(String, DER)] {
    let presence = DER.dictionary([
      (
        "acl",
        .dictionary([("od", .dictionary([("cbio", .dictionary([("pbioc", .data(Data()))]))]))])
      )
    ])
    return [
      ("acct", .string(account)), ("svce", .string("com.example.login")),
      ("agrp", .string("ABCDE.com.example")), ("pdmn", .string("ck")), ("sync", .integer(1)),
      ("cdat", .date("20240131120000.5Z")), ("accc", .data(presence.encoded)),
      ("v_Data", .data(Data(secret.utf8))),
    ]
  }

  private func list(_ items: [String: [Data]]) -> Data {
    BinaryList.dictionary(
      items.sorted { $0.key < $1.key }.map { table, blobs in
        (table, .array(blobs.map { .dictionary([("v_Data", .data($0))]) }))
      }
    ).encoded
  }

  private func keychain(_ list: Data, isEncrypted: Bool = true) throws -> BackupKeychain {
    var backup = BackupMaker(isEncrypted: isEncrypted)
    backup.files.append(
      .init(domain: "KeychainDomain", path: "keychain-backup.plist", data: list))
    var opened = try Backup(MemoryBackupStorage(files: backup.contents()))
    if isEncrypted { try opened.unlock(password: SecretBytes(utf8: maker.keybag.password)) }
    return try BackupKeychain(of: opened)
  }

  @Test func itemsThatMoveOpen() throws {
    let blob = try maker.blob(attributes("anna", "s3cret"), class: 7)
    let keychain = try keychain(list(["genp": [blob], "inet": []]))
    #expect(keychain.skipped == [])
    let item = try #require(keychain.items.first)
    #expect(keychain.items.count == 1)
    #expect(item.itemClass == .genericPassword)
    #expect(item.account == "anna")
    #expect(item.service == "com.example.login")
    #expect(item.group == "ABCDE.com.example")
    #expect(item.accessibility == .afterFirstUnlock)
    #expect(item.isSynchronizable == true)
    #expect(item.accessControl == "kSecAccessControlBiometryCurrentSet")
    #expect(item.created == Date(timeIntervalSince1970: 1_706_702_400.5))
    #expect(item.value == .bytes(Array("s3cret".utf8)))
    #expect(
      item.locator.description == "KeychainDomain/keychain-backup.plist › genp[0]")
  }

  @Test func itemsOfTheDeviceStaySealed() throws {
    let blobs = try [9, 10, 11].map { try maker.blob(attributes("a", "b"), class: $0) }
    let keychain = try keychain(list(["keys": blobs]))
    #expect(keychain.skipped == [])
    #expect(
      keychain.items.map(\.accessibility) == [
        .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
      ])
    for item in keychain.items {
      guard case .sealed = item.value else {
        Issue.record("\(item.locator) was opened.")
        continue
      }
      #expect(item.account == nil)
    }
  }

  @Test func everyItemOfABackupThatIsNotEncryptedStaysSealed() throws {
    let blob = try maker.blob(attributes("anna", "s3cret"), class: 6)
    let keychain = try keychain(list(["genp": [blob]]), isEncrypted: false)
    #expect(keychain.items.map(\.accessibility) == [.whenUnlocked])
    guard case .sealed = keychain.items.first?.value else {
      Issue.record("The item was opened.")
      return
    }
  }

  @Test func olderVersions() throws {
    let plist = BinaryList.dictionary([
      ("acct", .string("anna")), ("v_Data", .data(Data("old".utf8))),
    ]).encoded
    let blobs = [
      try maker.blob(version: 2, plist, class: 6),
      try maker.blob(version: 0, Data("older".utf8), class: 8),
    ]
    let keychain = try keychain(list(["genp": blobs]))
    #expect(keychain.skipped == [])
    #expect(
      keychain.items.map(\.value) == [.bytes(Array("old".utf8)), .bytes(Array("older".utf8))])
    #expect(keychain.items.map(\.accessibility) == [.whenUnlocked, .always])
  }

  @Test func aChangedItemIsSaidAndTheOthersOpen() throws {
    let blob = try maker.blob(attributes("anna", "s3cret"), class: 7)
    for place in [0, 9, 20, 60, blob.count - 1] {
      var changed = blob
      changed[place] ^= 0x80
      let keychain = try keychain(list(["genp": [changed, blob]]))
      #expect(keychain.items.count == 2)
      #expect(keychain.skipped.count == 1, "byte \(place)")
      #expect(keychain.items.last?.value == .bytes(Array("s3cret".utf8)))
    }
  }

  @Test func noKeychainIsNoItems() throws {
    let backup = try Backup(
      MemoryBackupStorage(files: BackupMaker(isEncrypted: false).contents()))
    #expect(try BackupKeychain(of: backup).items == [])
  }
}
