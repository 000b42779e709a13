import AtRestAuditModel
import AtRestContainers
import AtRestFormats

extension FileType {
  /// The name of the type for people.
  var noun: String {
    switch self {
    case .sqlite: "SQLite"
    case .sqliteWAL: "SQLite write-ahead log"
    case .sqliteJournal: "SQLite journal"
    case .sqliteSharedMemory: "SQLite shared memory"
    case .binaryPropertyList: "binary property list"
    case .xmlPropertyList: "XML property list"
    case .json, .xml, .html: rawValue.uppercased()
    case .binaryCookies: "cookies"
    case .keyboard: "keyboard dictionary"
    case .realm: "Realm"
    case .levelDBTable: "LevelDB table"
    case .levelDBLog: "LevelDB log"
    case .mmkv: "MMKV store"
    case .hive: "Hive box"
    case .lmdb: "LMDB database"
    case .segb: "Biome stream"
    case .duckDB: "DuckDB"
    case .unifiedLog: "unified log"
    case .machO: "Mach-O"
    case .signedMessage: "signed message"
    case .appleLZ4: "LZ4 (Apple)"
    case .ktx, .png, .jpeg, .webp, .heic: rawValue.uppercased()
    case .otherImage: "image"
    default: rawValue
    }
  }
}
