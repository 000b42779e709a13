/// The type of a file, detected by its first bytes and not by its name.
///
/// A type says what a file claims to be. The reader for the type finds out whether the file is
/// intact.
package enum FileType: String, CaseIterable, Codable, Sendable {
  case empty
  case sqlite
  case sqliteWAL = "sqlite-wal"
  case sqliteJournal = "sqlite-journal"
  case sqliteSharedMemory = "sqlite-shm"
  case binaryPropertyList = "binary-property-list"
  case xmlPropertyList = "xml-property-list"
  case json, xml, html
  case zip, gzip, tar, lz4, bzip2, xz, zstd
  /// The format of LZMA before xz.
  case lzma
  case sevenZip = "7z"
  /// Apple's block streams of LZ4 (`bv4`) and LZFSE (`bvx`).
  case appleLZ4 = "apple-lz4"
  case lzfse
  case binaryCookies = "binary-cookies"
  case keyboard, realm
  case levelDBTable = "leveldb-table"
  case levelDBLog = "leveldb-log"
  case mmkv, hive
  /// A database of LMDB or MDBX.
  case lmdb
  /// A stream of events of Biome.
  case segb
  case duckDB = "duckdb"
  /// A file of the system's log (`tracev3`).
  case unifiedLog = "unified-log"
  case machO = "mach-o"
  /// A signed CMS message in DER, such as `embedded.mobileprovision`.
  case signedMessage = "signed-message"
  case ktx, png, jpeg, webp, heic
  /// GIF, TIFF, BMP.
  case otherImage = "other-image"
  case pdf, audio, video, font
  case text
  case unknown

  /// The number of first bytes that is enough to detect every type.
  package static let headLength = 4096

  /// True for media that people look at or listen to. At most its size is read.
  package var isOpaqueMedia: Bool {
    switch self {
    case .ktx, .png, .jpeg, .webp, .heic, .otherImage, .pdf, .audio, .video, .font: true
    default: false
    }
  }

  /// Detects the type of a file.
  ///
  /// - Throws: ``FormatError`` if its first bytes cannot be read.
  package static func read(_ source: ByteSource) throws(FormatError) -> FileType {
    let type = read(try source.prefix(headLength), isWhole: source.count <= headLength)
    guard type == .unknown || type.isOpaqueMedia else { return type }
    // A table is recognised by its last bytes, and a log by the checksum of its first record.
    if LevelDBTable.isTable(source) { return .levelDBTable }
    guard type == .unknown else { return type }
    if LevelDBTable.isCut(source) { return .levelDBTable }
    // These may be behind other bytes.
    if ZipArchive.isBehind(source) { return .zip }
    if LMDBFile.isDatabase(source) { return .lmdb }
    if LevelDBLog.isLog(source) { return .levelDBLog }
    if HiveBox(source) != nil { return .hive }
    return MMKVStore.isStore(source) ? .mmkv : type
  }

  /// Detects a type by the first bytes.
  ///
  /// - Parameters:
  ///   - head: The first ``headLength`` bytes, or all if the file is shorter. Types that need more
  ///     bytes than are given are not detected.
  ///   - isWhole: True if nothing follows the head. A character that is cut off at its end then
  ///     means that it is not text.
  package static func read(_ head: [UInt8], isWhole: Bool = false) -> FileType {
    if head.isEmpty { return .empty }
    return magic(head) ?? media(head) ?? text(head, isWhole: isWhole) ?? .unknown
  }

  private static func magic(_ head: [UInt8]) -> FileType? {
    if head.has("SQLite format 3\0", at: 0) { return .sqlite }
    if head.has("bplist", at: 0) { return .binaryPropertyList }
    if head.has("cook", at: 0), head.bigEndian(at: 4, size: 4).map({ $0 < 1 << 24 }) == true {
      return .binaryCookies
    }
    if head.has("DynamicDictionary-", at: 0) { return .keyboard }
    if head.has("T-DB", at: 16) { return .realm }
    if head.has("SEGB", at: 52) || head.has("SEGB", at: 0) && head.count >= 32 { return .segb }
    if head.has("DUCK", at: 8), let version = head.littleEndian(at: 12, size: 7),
      (1..<1 << 16).contains(version)
    {
      return .duckDB
    }
    if UnifiedLog.isLog(head) { return .unifiedLog }
    if head.has("bv41", at: 0) || head.has("bv4-", at: 0) || head.has("bv4$", at: 0) {
      return .appleLZ4
    }
    if ["bvx-", "bvx1", "bvx2", "bvxn", "bvx$"].contains(where: { head.has($0, at: 0) }) {
      return .lzfse
    }
    if head.has("PK\u{3}\u{4}", at: 0) || head.has("PK\u{5}\u{6}", at: 0) { return .zip }
    if head.has("BZh", at: 0), head.has("1AY&SY", at: 4) { return .bzip2 }
    switch head.bigEndian(at: 0, size: 4) {
    case 0x377F_0682, 0x377F_0683: return .sqliteWAL
    case 0xD9D5_05F9 where head.bigEndian(at: 4, size: 4) == 0x20A1_63D7: return .sqliteJournal
    // The version of the index, 3007000, in either byte order.
    case 0x002D_E218, 0x18E2_2D00: return .sqliteSharedMemory
    case 0xFEED_FACE, 0xFEED_FACF, 0xCEFA_EDFE, 0xCFFA_EDFE: return .machO
    // Java class files begin with the same bytes, followed by a version of 45 or more where fat
    // files have the number of their parts.
    case 0xCAFE_BABE, 0xCAFE_BABF:
      return head.bigEndian(at: 4, size: 4).map { (1..<45).contains($0) } == true ? .machO : nil
    case 0x0422_4D18: return .lz4
    case 0x28B5_2FFD: return .zstd
    case 0xFD37_7A58 where head.bigEndian(at: 4, size: 2) == 0x5A00: return .xz
    case 0x377A_BCAF where head.bigEndian(at: 4, size: 2) == 0x271C: return .sevenZip
    default: break
    }
    if head.bigEndian(at: 0, size: 3) == 0x1F8B08 { return .gzip }
    if isSignedMessage(head) { return .signedMessage }
    if isLZMA(head) { return .lzma }
    if TarArchive.isHeader(head) { return .tar }
    return nil
  }

  /// Returns true for the header of LZMA alone: the usual properties, the size of a dictionary as
  /// encoders choose it, and a size that is unknown or plausible.
  package static func isLZMA(_ head: some RandomAccessCollection<UInt8>) -> Bool {
    let header = Array(head.prefix(14))
    guard header.count == 14, header[0] == 0x5D, header[13] == 0,
      let dictionary = header.littleEndian(at: 1, size: 4),
      let size = header.littleEndian64(at: 5)
    else { return false }
    let bits = dictionary.nonzeroBitCount
    let isPower = bits == 1 || bits == 2 && dictionary & dictionary >> 1 != 0
    return isPower && (1 << 12...1 << 30).contains(dictionary) && (size == .max || size < 1 << 38)
  }

  /// Returns true for a sequence whose first element is the object identifier of signed data (RFC
  /// 5652).
  private static func isSignedMessage(_ head: [UInt8]) -> Bool {
    let identifier: [UInt8] = [
      0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
    ]
    guard head.count > 17, head[0] == 0x30 else { return false }
    let start = head[1] < 0x80 || head[1] == 0x80 ? 2 : 2 + Int(head[1] & 0x7F)
    return start <= 6 && head[start...].starts(with: identifier)
  }
}
