import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// Keychains that tools exported, and the keychain databases of simulators.
@Suite struct KeychainDumpTests {
  private let json = """
    [{"item_class": "kSecClassGenericPassword", "account": "anna", "service": "login",
      "data": "s3cret", "dataHex": "733363726574ff", "access_control": "None",
      "accessible_attribute": "kSecAttrAccessibleAlways", "entitlement_group": "T.com.example",
      "create_date": "2021-05-03 10:20:30 +0000", "modification_date": "", "label": "x"},
     {"item_class": "kSecClassInternetPassword", "account": "b", "server": "example.com",
      "data": "text", "access_control": "kSecAccessControlUserPresence",
      "accessible_attribute": "WhenPasscodeSetThisDeviceOnly", "synchronizable": "1"},
     {"item_class": "kSecClassKey", "data": "(Key data not displayed)",
      "accessible_attribute": "kSecAttrAccessibleAlways"},
     {"item_class": "kSecClassNovelty"}]
    """

  private func read(_ text: String) throws -> KeychainDump {
    try KeychainDump.read(ByteSource(Array(text.utf8)), path: "keychain.json")
  }

  @Test func itemsOfObjection() throws {
    let dump = try read(json)
    #expect(dump.items.count == 3)
    let item = dump.items[0]
    #expect(item.itemClass == .genericPassword)
    #expect(item.account == "anna")
    #expect(item.service == "login")
    #expect(item.label == "x")
    #expect(item.group == "T.com.example")
    #expect(item.accessibility == .always)
    #expect(item.accessControl == nil)
    #expect(item.created == Date(timeIntervalSince1970: 1_620_037_230))
    #expect(item.modified == nil)
    // The value has the bytes, not the text that the tool shows for them.
    #expect(item.value == .bytes(Array("s3cret".utf8) + [0xFF]))
    #expect(item.locator.description == "keychain.json › [0]")
  }

  @Test func shortNamesAndServers() throws {
    let item = try read(json).items[1]
    #expect(item.service == "example.com")
    #expect(item.accessibility == .whenPasscodeSetThisDeviceOnly)
    #expect(item.accessibility?.isThisDeviceOnly == true)
    #expect(item.accessControl == "kSecAccessControlUserPresence")
    #expect(item.isSynchronizable == true)
    #expect(item.value == .bytes(Array("text".utf8)))
  }

  @Test func theAccessibilityOfKeysIsNotTrusted() throws {
    let item = try read(json).items[2]
    #expect(item.itemClass == .key)
    #expect(item.accessibility == nil)
    guard case .sealed = item.value else {
      Issue.record("A note of the tool was read as a key.")
      return
    }
  }

  @Test func unknownClassesAreSaid() throws {
    #expect(try read(json).skipped.map(\.path) == ["keychain.json › [3]"])
  }

  @Test(arguments: ["", "{}", "[1]", #"{"a": []}"#, "nonsense", #"[{"account": "a"}]"#])
  func otherJSONIsNoDump(text: String) {
    #expect(throws: FormatError.self) { try read(text) }
  }

  private var database: Data {
    let columns =
      "(rowid INTEGER PRIMARY KEY AUTOINCREMENT, cdat REAL, acct BLOB, svce BLOB, "
      + "agrp TEXT, pdmn TEXT, sync INTEGER, data BLOB)"
    var database = DatabaseFile()
    func row(_ account: DatabaseFile.Value, _ code: String) -> [DatabaseFile.Value] {
      [
        .null, .null, account, .blob(Data("login".utf8)), .text("com.example"), .text(code),
        .integer(0), .blob(Data(count: 60)),
      ]
    }
    database.add(
      table: "genp", "CREATE TABLE genp\(columns)",
      rows: KeychainItem.Accessibility.allCases.map { row(.text("anna"), $0.rawValue) })
    database.add(
      table: "keys", "CREATE TABLE keys\(columns)", rows: [row(.blob(Data(count: 20)), "?")])
    database.add(table: "tversion", "CREATE TABLE tversion(version INTEGER)", rows: [])
    return database.bytes
  }

  @Test func theDatabaseOfASimulator() throws {
    let dump = try KeychainDump.read(ByteSource([UInt8](database)), path: "keychain-2-debug.db")
    #expect(dump.skipped == [])
    #expect(dump.items.count == 8)
    #expect(dump.items.prefix(7).map(\.accessibility) == KeychainItem.Accessibility.allCases)
    let item = dump.items[1]
    #expect(item.account == "anna")
    #expect(item.service == "login")
    #expect(item.group == "com.example")
    #expect(item.isSynchronizable == false)
    #expect(item.locator.description == "keychain-2-debug.db › genp, row 2, data")
    guard case .sealed = item.value else {
      Issue.record("Encrypted data was read as a value.")
      return
    }
  }

  @Test func digestsAndUnknownCodesAreLeftOut() throws {
    let dump = try KeychainDump.read(ByteSource([UInt8](database)), path: "a")
    let key = try #require(dump.items.last)
    #expect(key.itemClass == .key)
    #expect(key.account == nil)
    #expect(key.accessibility == nil)
  }

  @Test func anotherDatabaseIsNoKeychain() {
    var other = DatabaseFile()
    other.add(table: "genp", "CREATE TABLE genp(a TEXT)", rows: [])
    #expect(throws: FormatError.self) {
      try KeychainDump.read(ByteSource([UInt8](other.bytes)), path: "a")
    }
  }

  @Test func mutations() {
    var random = SplitMix(state: 3)
    for original in [Data(json.utf8), database] {
      for _ in 0..<1500 {
        var changed = original
        for _ in 0..<Int.random(in: 1...6, using: &random) where !changed.isEmpty {
          let place = Int.random(in: 0..<changed.count, using: &random)
          switch Int.random(in: 0..<6, using: &random) {
          case 0: changed = Data(changed.prefix(place))
          case 1: changed.removeSubrange(place..<min(changed.count, place + 3))
          case 2: changed.insert(contentsOf: [0x7B, 0x22, 0xFF], at: place)
          default: changed[place] = UInt8.random(in: 0...255, using: &random)
          }
        }
        _ = try? KeychainDump.read(ByteSource([UInt8](changed)), path: "a")
      }
    }
  }
}
