import AtRestFormats
import Foundation

/// A keychain that a tool exported or that a simulator keeps: objection's JSON, or a database
/// (`keychain-2-debug.db`).
public struct KeychainDump: Sendable {
  /// The maximum size of a JSON dump: 64 MiB.
  public static let sizeLimit = 64 << 20

  public let items: [KeychainItem]
  /// The parts that could not be read, with reasons.
  public let skipped: [Skip]

  /// Reads a dump. Its first bytes decide which of the two formats it has.
  ///
  /// - Parameters:
  ///   - wal: The `-wal` file of a database.
  ///   - path: The path that locators name.
  /// - Throws: ``FormatError`` if the dump has neither format.
  public static func read(
    _ source: ByteSource, wal: ByteSource? = nil, path: String
  ) throws(FormatError) -> KeychainDump {
    if SQLiteFile.isSQLite(try source.prefix(16)) {
      return try KeychainDump(database: SQLiteFile(source, wal: wal, path: path), path: path)
    }
    guard source.count <= sizeLimit else { throw FormatError("The dump is larger than 64 MiB.") }
    return try KeychainDump(json: Data(try source.prefix(sizeLimit)), path: path)
  }

  /// Reads an array of objects with `item_class`, or an object that contains one as `items`.
  init(json: Data, path: String) throws(FormatError) {
    // The extension forces JSON, because the bytes may look like an old property list.
    let list = PropertyList.read(json, path: path.hasSuffix(".json") ? path : "\(path).json")
    guard let nodes = list.root?.array ?? list.root?["items"]?.array,
      nodes.isEmpty || nodes.contains(where: { $0["item_class"] != nil })
    else {
      throw FormatError("This is not a keychain dump: it has no array of items with item_class.")
    }
    var items: [KeychainItem] = []
    var skipped = list.skipped
    for (index, node) in nodes.enumerated() {
      let locator = Locator(path).appending(.keyPath("[\(index)]"))
      let name = node["item_class"]?.string ?? ""
      guard let itemClass = Self.itemClass(named: name) else {
        let reason = "The item's class “\(name)” is unknown."
        skipped.append(Skip(path: locator.description, reason: reason))
        continue
      }
      items.append(Self.item(itemClass, node, locator))
    }
    (self.items, self.skipped) = (items, skipped)
  }

  private static func itemClass(named name: String) -> KeychainItem.ItemClass? {
    switch name {
    case "kSecClassGenericPassword": .genericPassword
    case "kSecClassInternetPassword": .internetPassword
    case "kSecClassCertificate": .certificate
    case "kSecClassKey": .key
    case "kSecClassIdentity": .identity
    default: KeychainItem.ItemClass(rawValue: name)
    }
  }

  private static func item(
    _ itemClass: KeychainItem.ItemClass, _ node: PropertyList.Node, _ locator: Locator
  ) -> KeychainItem {
    func text(_ key: String) -> String? {
      node[key]?.string.flatMap { $0.isEmpty || $0 == "None" ? nil : $0 }
    }
    var item = KeychainItem(itemClass, value: value(of: node, itemClass), locator: locator)
    item.account = text("account")
    item.service = text("service") ?? text("server")
    item.label = text("label")
    item.group = text("entitlement_group")
    item.accessControl = text("access_control")
    item.isSynchronizable = node["synchronizable"].map(\.isTrue)
    item.created = text("create_date").flatMap(date)
    item.modified = text("modification_date").flatMap(date)
    // For keys, the tool looks up the constant by a value that several constants have.
    if itemClass != .key {
      item.accessibility = text("accessible_attribute").flatMap(
        KeychainItem.Accessibility.init(named:))
    }
    return item
  }

  /// The value of an item. `dataHex` has the stored bytes. `data` is the tool's representation,
  /// which it does not have for keys.
  private static func value(
    of node: PropertyList.Node, _ itemClass: KeychainItem.ItemClass
  ) -> KeychainItem.Value {
    if let hex = node["dataHex"]?.string, !hex.isEmpty, let bytes = bytes(ofHex: hex) {
      return .bytes(bytes)
    }
    guard let text = node["data"]?.string, !text.isEmpty else { return .none }
    if itemClass == .key { return .sealed("The tool does not export the contents of keys.") }
    return .bytes(Array(text.utf8))
  }

  private static func bytes(ofHex text: String) -> [UInt8]? {
    guard text.utf8.count % 2 == 0 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for digit in text.utf8 {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit - 0x30
      case 0x41...0x46: value = digit - 0x37
      case 0x61...0x66: value = digit - 0x57
      default: return nil
      }
      if let upper = high {
        result.append(upper << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return result
  }

  /// Reads `2021-05-03 10:20:30 +0000`, Foundation's description of a date.
  private static func date(_ text: String) -> Date? {
    try? Date(
      text.replacing(" +0000", with: "Z").replacing(" ", with: "T"), strategy: .iso8601)
  }
}
