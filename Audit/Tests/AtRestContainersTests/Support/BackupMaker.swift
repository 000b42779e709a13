import Crypto
import Foundation

/// Makes device backups from the description of their format.
struct BackupMaker {
  struct File {
    var domain: String
    var path: String
    var data = Data()
    var protectionClass: UInt32 = 3
    /// The kind of the entry: 1 for a file, 2 for a folder, 4 for a link.
    var flags = 1
    var target: String?
    /// A wrong name for the list, or nil to use the right one.
    var fileID: String?
    var isMissing = false
  }

  enum Layout: CaseIterable {
    case hashed, flat, domains
  }

  enum List: CaseIterable {
    case database, old
  }

  var files: [File] = Self.files
  var isEncrypted = true
  var claimsEncryption = true
  var layout = Layout.hashed
  var list = List.database
  var keybag = KeybagMaker()

  static let files = [
    File(domain: "AppDomain-com.example", path: "", flags: 2),
    File(domain: "AppDomain-com.example", path: "Documents", flags: 2),
    File(
      domain: "AppDomain-com.example", path: "Documents/notes.txt", data: Data("A note.".utf8)),
    File(
      domain: "AppDomain-com.example", path: "Documents/größer.bin",
      data: Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }),
      protectionClass: 1),
    File(domain: "AppDomain-com.example", path: "Documents/block", data: Data(count: 32)),
    File(domain: "HomeDomain", path: "Library/empty"),
    File(domain: "HomeDomain", path: "Library/link", flags: 4, target: "/private/var"),
  ]

  static func fileID(_ domain: String, _ path: String) -> String {
    Insecure.SHA1.hash(data: Data("\(domain)-\(path)".utf8)).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }.joined()
  }

  /// Returns the files of the backup by their paths.
  func contents() throws -> [String: Data] {
    var result: [String: Data] = [:]
    var rows: [[DatabaseFile.Value]] = []
    var records = Data("mbdb".utf8) + [5, 0]
    for file in files {
      let key = SymmetricKey(data: SHA256.hash(data: Data("\(file.domain)\(file.path)".utf8)))
      var prefixed: Data?
      if isEncrypted, file.flags == 1 {
        prefixed =
          Data([UInt8(file.protectionClass), 0, 0, 0])
          + (try keybag.wrap(key, class: file.protectionClass))
      }
      let name = file.fileID ?? Self.fileID(file.domain, file.path)
      rows.append([
        .text(name), .text(file.domain), .text(file.path), .integer(file.flags),
        .blob(Self.archive(of: file, key: prefixed).encoded),
      ])
      records += Self.record(of: file, key: prefixed)
      guard file.flags == 1, !file.isMissing else { continue }
      let path =
        switch layout {
        case .hashed: "\(name.prefix(2))/\(name)"
        case .flat: name
        case .domains: "\(file.domain)/\(file.path)"
        }
      let isPlain = !isEncrypted || layout == .domains || file.data.isEmpty
      result[path] = isPlain ? file.data : try KeybagMaker.encrypt(file.data, key: key)
    }
    switch list {
    case .old: result["Manifest.mbdb"] = records
    case .database: result["Manifest.db"] = try database(rows)
    }
    result["Manifest.plist"] = try manifest().encoded
    return result
  }

  private static let databaseKey = SymmetricKey(data: Data(repeating: 0x5A, count: 32))

  private func database(_ rows: [[DatabaseFile.Value]]) throws -> Data {
    var database = DatabaseFile()
    database.add(
      table: "Files",
      "CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, "
        + "file BLOB) ",
      rows: rows)
    return isEncrypted
      ? try KeybagMaker.encrypt(database.bytes, key: Self.databaseKey) : database.bytes
  }

  private func manifest() throws -> BinaryList {
    var entries: [(String, BinaryList)] = [
      ("IsEncrypted", .boolean(claimsEncryption)), ("Version", .string("10.0")),
      ("Date", .date(Date(timeIntervalSince1970: 1_700_000_000))),
      ("WasPasscodeSet", .boolean(true)),
      (
        "Lockdown",
        .dictionary([
          ("DeviceName", .string("Änne’s phone")), ("ProductVersion", .string("17.4")),
          ("ProductType", .string("iPhone14,2")),
        ])
      ),
      (
        "Applications",
        .dictionary([("com.example", .dictionary([("CFBundleVersion", .string("7"))]))])
      ),
    ]
    if isEncrypted {
      entries.append(("BackupKeyBag", .data(try keybag.bytes())))
      entries.append(
        ("ManifestKey", .data(Data([4, 0, 0, 0]) + (try keybag.wrap(Self.databaseKey, class: 4)))))
    }
    return .dictionary(entries)
  }

  private static func archive(of file: File, key: Data?) -> BinaryList {
    var record: [(String, BinaryList)] = [
      ("$class", .uid(2)), ("Size", .integer(file.data.count)), ("Mode", .integer(0o100644)),
      ("LastModified", .integer(1_600_000_000)), ("Birth", .integer(1_500_000_000)),
      ("ProtectionClass", .integer(Int(file.protectionClass))), ("RelativePath", .uid(3)),
      ("InodeNumber", .integer(4711)), ("UserID", .integer(501)), ("GroupID", .integer(501)),
    ]
    var others: [BinaryList] = [
      .dictionary([
        ("$classname", .string("MBFile")),
        ("$classes", .array([.string("MBFile"), .string("NSObject")])),
      ]), .string(file.path),
    ]
    if let key {
      record.append(("EncryptionKey", .uid(others.count + 2)))
      others.append(.dictionary([("NS.data", .data(key)), ("$class", .uid(others.count + 3))]))
      others.append(
        .dictionary([
          ("$classname", .string("NSMutableData")),
          (
            "$classes", .array([.string("NSMutableData"), .string("NSData"), .string("NSObject")])
          ),
        ]))
    }
    if let target = file.target {
      record.append(("Target", .uid(others.count + 2)))
      others.append(.string(target))
    }
    return .archive(.dictionary(record), others: others)
  }

  private static func record(of file: File, key: Data?) -> Data {
    func field(_ data: Data?) -> Data {
      data.map { number($0.count, 2) + $0 } ?? Data([0xFF, 0xFF])
    }
    let modes = [1: 0x81A4, 2: 0x41ED, 4: 0xA1FF]
    var record = field(Data(file.domain.utf8)) + field(Data(file.path.utf8))
    record += field(file.target.map { Data($0.utf8) }) + field(nil) + field(key)
    record += number(modes[file.flags] ?? 0, 2) + Data(count: 16) + number(1_600_000_000, 4)
    record += Data(count: 8) + number(file.data.count, 8) + [UInt8(file.protectionClass), 1]
    return record + field(Data("name".utf8)) + field(Data("value".utf8))
  }

  private static func number(_ number: Int, _ count: Int) -> Data {
    Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }
}
