import AtRestFormats
import Foundation

extension KeychainDump {
  private static let itemLimit = 1_000_000

  /// Reads the tables `genp`, `inet`, `cert` and `keys` of a keychain's database.
  ///
  /// The contents of the column `data` stay encrypted. In databases of newer systems, accounts and
  /// services are SHA-1 digests, which are skipped.
  ///
  /// - Throws: ``FormatError`` if the database has none of these tables.
  init(database: SQLiteFile, path: String) throws(FormatError) {
    var items: [KeychainItem] = []
    var skipped = database.skipped
    var hasTable = false
    for itemClass in KeychainItem.ItemClass.allCases {
      guard let table = database.table(itemClass.rawValue),
        table.columns.contains(where: { $0.name == "pdmn" })
      else { continue }
      hasTable = true
      var isFull = false
      skipped += database.forEachRow(of: table) { row in
        guard items.count < Self.itemLimit else {
          isFull = true
          return
        }
        items.append(Self.item(itemClass, row, of: table, path: path))
      }
      if isFull {
        let reason = "Items after the first \(Self.itemLimit) are skipped."
        skipped.append(Skip(path: path, reason: reason))
      }
    }
    guard hasTable else {
      throw FormatError("This is not a keychain: it has none of the keychain's tables.")
    }
    (self.items, self.skipped) = (items, skipped)
  }

  private static func item(
    _ itemClass: KeychainItem.ItemClass, _ row: SQLiteRow, of table: SQLiteTable, path: String
  ) -> KeychainItem {
    var values: [String: PropertyList.Value] = [:]
    for (column, value) in zip(table.columns, row.values) {
      switch value {
      case .text(let bytes): values[column.name] = .string(String(decoding: bytes, as: UTF8.self))
      case .integer(let number): values[column.name] = .integer(number)
      case .real(let number): values[column.name] = .real(number)
      // A value with the length of a digest is not a name.
      case .blob(let bytes) where bytes.count == 20 && column.name != "accc": continue
      case .blob(let bytes): values[column.name] = .data(Data(bytes))
      case .null: continue
      }
    }
    let row = row.rowID ?? 0
    let step = Locator.Step.cell(table: table.name, row: row, column: "data")
    var item = KeychainItem(itemClass, value: .none, locator: Locator(path).appending(step))
    if values["data"] != nil { item.value = .sealed("The value is encrypted in the database.") }
    KeychainAttributes(values).describe(&item)
    return item
  }
}
