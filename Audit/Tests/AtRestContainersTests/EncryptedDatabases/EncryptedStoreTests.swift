import AtRestContainers
import AtRestFormats
import Crypto
import Foundation
import Testing

/// Encrypted stores of MMKV and Hive whose key lies beside them are opened with it and searched.
@Suite struct EncryptedStoreTests {
  /// An encrypted store of the fixtures, and its key.
  struct Store: CustomTestStringConvertible, Sendable {
    let path: String
    let format: String
    let key: [UInt8]
    let places: [StoreFixture.Place]
    var testDescription: String { path }

    fileprivate init(mmkv name: String, key: String, first number: Int) {
      path = "Documents/mmkv/\(name)"
      format = "MMKV"
      self.key = Array(key.utf8)
      places = [
        .init("mmkv", number, "mmkv/\(name) › MMKV › session", isDeleted: true),
        .init("mmkv", number + 1, "mmkv/\(name) › MMKV › session"),
        .init("mmkv", number + 2, "mmkv/\(name) › MMKV › account", isDeleted: true),
      ]
    }

    fileprivate init(hive key: String) {
      path = "Documents/hive/secret.hive"
      format = "Hive"
      self.key = Array(SHA256.hash(data: Data(key.utf8)))
      places = [
        .init("hive", 20, "hive/secret.hive › Hive › session", isDeleted: true),
        .init("hive", 21, "hive/secret.hive › Hive › session"),
        .init("hive", 22, "hive/secret.hive › Hive › account", isDeleted: true),
        .init("hive", 23, "hive/secret.hive › Hive › profile › note"),
      ]
    }
  }

  static let secret = Store(mmkv: "secret", key: "mmkv-key-of-16-b", first: 20)
  static let wide = Store(mmkv: "wide", key: "mmkv-key-of-32-bytes-of-AtRest!!", first: 40)
  static let hive = Store(hive: "AtRest hive")
  static let all = [secret, Store(mmkv: "short", key: "mmkv-key", first: 30), wide, hive]

  private func scan(
    _ files: [String: [UInt8]], keychain: [KeychainItem] = [], isClean: Bool = false
  ) throws -> ContainerScan.Result {
    let canaries = try Self.all.flatMap(\.places).map {
      try Canary(name: $0.canary, value: $0.canary)
    }
    let stores = try StoreFixture.files(isClean: isClean)
    return try ContainerScan(
      ContainerSource(files: stores.merging(files) { $1 }), canaries: canaries, keychain: keychain
    ).run()
  }

  private func places(_ result: ContainerScan.Result) -> [String] {
    result.discoveries.compactMap { found in
      guard case .canary(let canary, _) = found.subject else { return nil }
      return "\(canary.name) \(found.state) \(found.locator)"
    }.sorted()
  }

  private func places(of store: Store) -> [String] {
    store.places.map { "\($0.canary) \($0.isDeleted ? "deleted" : "live") \($0.locator)" }.sorted()
  }

  private func settings(_ value: BinaryList) -> [String: [UInt8]] {
    ["Library/Preferences/a.plist": Array(BinaryList.dictionary([("storeKey", value)]).encoded)]
  }

  @Test(arguments: all) func aKeyOpensTheStore(_ store: Store) throws {
    let key = settings(.data(Data(store.key)))
    let result = try scan(key)
    let opened = try #require(result.opened.first { $0.database.description == store.path })
    #expect(opened.format == store.format && !opened.isPassphrase)
    #expect(opened.key.locator.path == "Library/Preferences/a.plist")
    #expect(Set(places(result)).isSuperset(of: places(of: store)))
    #expect(result.summary.files.first { $0.locator.description == store.path }?.isOpened == true)
    #expect(places(try scan(key, isClean: true)) == [])
  }

  @Test func theKeyMayBeWrittenInManyWays() throws {
    let hex = Self.secret.key.map { String(format: "%02x", $0) }.joined()
    let numbers = Self.hive.key.map(String.init).joined(separator: ", ")
    let writings: [(Store, [UInt8])] = [
      (Self.secret, Array(#"{"k": "mmkv-key-of-16-b"}"#.utf8)),
      (Self.secret, Array(#"{"k": "\#(hex)"}"#.utf8)),
      (Self.secret, Array(#"{"k": "\#(Data(Self.secret.key).base64EncodedString())"}"#.utf8)),
      (Self.hive, Array(#"{"k": "[\#(numbers)]"}"#.utf8)),
      (Self.hive, Array(#"{"k": "\#(Data(Self.hive.key).base64EncodedString())"}"#.utf8)),
    ]
    for (store, bytes) in writings {
      let result = try scan(["Documents/a.json": bytes])
      let opened = result.opened.first { $0.database.description == store.path }
      #expect(opened?.key.locator.description.hasPrefix("Documents/a.json › k") == true)
    }
  }

  @Test func withoutAKeyTheyStayClosed() throws {
    let result = try scan(settings(.string("another key, 16b")))
    #expect(result.opened.isEmpty && places(result).isEmpty)
    for store in Self.all {
      let file = try #require(
        result.summary.files.first { $0.locator.description == store.path })
      #expect(file.verdict == .encrypted)
      #expect(file.tries.map { $0.keys > 0 && $0.allPassphrases == 0 } == true)
    }
  }

  @Test func aKeyInAnOpenedStoreOpensAnother() throws {
    let result = try scan(settings(.data(Data(Self.hive.key))))
    let wide = try #require(result.opened.first { $0.database.description == Self.wide.path })
    #expect(wide.key.locator.description == "Documents/hive/secret.hive › Hive › storeKey")
    #expect(places(result) == (places(of: Self.hive) + places(of: Self.wide)).sorted())
  }

  @Test func eachPlaceOfAKeyIsNamed() throws {
    let item = KeychainItem(
      .genericPassword, value: .bytes(Self.secret.key), locator: Locator("keychain-backup.plist"),
      accessibility: .afterFirstUnlock)
    let files = settings(.string("mmkv-key-of-16-b")).merging([
      "Documents/a.json": Array(#"{"k": "mmkv-key-of-16-b", "l": ["mmkv-key-of-16-b"]}"#.utf8),
      "Documents/k.txt": Array("mmkv-key-of-16-b".utf8),
    ]) { $1 }
    let key = try #require(try scan(files, keychain: [item]).opened.first?.key)
    #expect(
      ([key] + key.others).map(\.locator.path).sorted() == [
        "Documents/a.json", "Documents/a.json", "Documents/k.txt", "Library/Preferences/a.plist",
        "keychain-backup.plist",
      ])
    #expect(key.keychainItem == nil && key.others.contains { $0.keychainItem == item })
  }
}
