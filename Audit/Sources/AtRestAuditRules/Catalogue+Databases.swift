import AtRestAuditModel

extension RuleID {
  static let coreDataUnprotected = RuleID("core-data-unprotected")
  static let coreDataNoFileProtection = RuleID("core-data-no-file-protection")
  static let coreDataSensitiveAttribute = RuleID("core-data-sensitive-attribute")
  static let swiftDataUnprotected = RuleID("swiftdata-unprotected")
  static let plaintextSqlite = RuleID("plaintext-sqlite")
  static let grdbUnencrypted = RuleID("grdb-unencrypted")
  static let realmUnencrypted = RuleID("realm-unencrypted")
  static let couchbaseUnencrypted = RuleID("couchbase-unencrypted")
  static let yapUnencrypted = RuleID("yap-unencrypted")
  static let firebasePersistence = RuleID("firebase-persistence")
}

extension Rulebook {
  /// Databases.
  static let databases: [Rule] = [
    Rule(
      .coreDataUnprotected, "Secret or personal data in Core Data",
      severity: .high, level: .required,
      consequence:
        "Core Data keeps its objects in a database in clear: who has a backup or the device's "
        + "files reads the value there.",
      remedy:
        "Keep the value in the keychain and its identifier in the object, or encrypt it with "
        + "AES.GCM.seal and a key from the keychain before it is set.",
      references: database,
      bad: .init(
        "Account.swift",
        """
        final class Account: NSManagedObject {
          @NSManaged var password: String?
        }

        func change(_ account: Account, password: String) {
          account.password = password
        }
        """),
      good: .init(
        "Account.swift",
        """
        final class Account: NSManagedObject {
          @NSManaged var sealedPassword: Data?
        }

        func change(_ account: Account, password: String, key: SymmetricKey) throws {
          account.sealedPassword = try AES.GCM.seal(Data(password.utf8), using: key).combined
        }
        """)),
    Rule(
      .coreDataNoFileProtection, "Core Data store without complete file protection",
      severity: .low, level: .required,
      consequence:
        "The database can be read whenever the device was unlocked once since it was switched "
        + "on, locked or not.",
      remedy:
        "Set FileProtectionType.complete under NSPersistentStoreFileProtectionKey, as an "
        + "option of the NSPersistentStoreDescription, before the store is loaded.",
      references: .init(masvs: ["MSTG-STORAGE-1"], mastg: ["MASTG-TEST-0299"], cwe: [311, 922]),
      bad: .init(
        "Store.swift",
        """
        func load() -> NSPersistentContainer {
          let container = NSPersistentContainer(name: "Model")
          container.loadPersistentStores { _, error in assert(error == nil) }
          return container
        }
        """),
      good: .init(
        "Store.swift",
        """
        func load() -> NSPersistentContainer {
          let container = NSPersistentContainer(name: "Model")
          container.persistentStoreDescriptions.first?.setOption(
            FileProtectionType.complete as NSObject, forKey: NSPersistentStoreFileProtectionKey)
          container.loadPersistentStores { _, error in assert(error == nil) }
          return container
        }
        """)),
    Rule(
      .coreDataSensitiveAttribute, "Attribute of a data model that holds a secret",
      severity: .medium, level: .required,
      consequence:
        "Core Data keeps the attribute in a database in clear: who has a backup or the "
        + "device's files reads it there.",
      remedy:
        "Keep the value in the keychain, or make the attribute a Transformable whose value "
        + "transformer encrypts it with a key from there.",
      references: database,
      bad: .init(
        "Model.xcdatamodel/contents",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Account" representedClassName="Account">
            <attribute name="password" optional="YES" attributeType="String"/>
          </entity>
        </model>
        """),
      good: .init(
        "Model.xcdatamodel/contents",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Account" representedClassName="Account">
            <attribute name="password" optional="YES" attributeType="Transformable"
              valueTransformerName="EncryptingTransformer"/>
          </entity>
        </model>
        """)),
    Rule(
      .swiftDataUnprotected, "Secret or personal data in SwiftData",
      severity: .medium, level: .required,
      consequence:
        "SwiftData keeps its models in a database in clear: who has a backup or the device's "
        + "files reads the property there.",
      remedy:
        "Keep the value in the keychain and its identifier in the model, mark the property "
        + "@Transient, or encrypt it with AES.GCM.seal and a key from the keychain.",
      references: database,
      bad: .init(
        "Account.swift",
        """
        @Model final class Account {
          var user: String
          var password: String
          init(user: String, password: String) {
            self.user = user
            self.password = password
          }
        }
        """),
      good: .init(
        "Account.swift",
        """
        @Model final class Account {
          var user: String
          @Transient var password: String?
          init(user: String) { self.user = user }
        }
        """)),
    Rule(
      .plaintextSqlite, "SQLite database without encryption",
      severity: .medium, level: .required,
      consequence:
        "Every table lies in a file in clear, with rows that were deleted: who has a backup or "
        + "the device's files reads them.",
      remedy:
        "Link SQLCipher in place of the system's SQLite and give the key, from the keychain, "
        + "with sqlite3_key before anything else; the system's library ignores PRAGMA key.",
      references: database,
      bad: .init(
        "Database.swift",
        """
        import SQLite3

        func open(_ path: String) -> OpaquePointer? {
          var database: OpaquePointer?
          return sqlite3_open(path, &database) == SQLITE_OK ? database : nil
        }
        """),
      good: .init(
        "Database.swift",
        """
        import SQLCipher

        func open(_ path: String, key: Data) -> OpaquePointer? {
          var database: OpaquePointer?
          guard sqlite3_open(path, &database) == SQLITE_OK else { return nil }
          _ = key.withUnsafeBytes { sqlite3_key(database, $0.baseAddress, Int32($0.count)) }
          return database
        }
        """)),
    Rule(
      .grdbUnencrypted, "GRDB database without encryption",
      severity: .medium, level: .required,
      consequence:
        "Every table lies in a file in clear: who has a backup or the device's files reads it.",
      remedy:
        "Build GRDB with SQLCipher and call usePassphrase(_:) with a key from the keychain in "
        + "the Configuration's prepareDatabase.",
      references: database,
      bad: .init(
        "Database.swift",
        """
        import GRDB

        func open(_ path: String) throws -> DatabaseQueue {
          try DatabaseQueue(path: path)
        }
        """),
      good: .init(
        "Database.swift",
        """
        import GRDB

        func open(_ path: String, key: Data) throws -> DatabaseQueue {
          var configuration = Configuration()
          configuration.prepareDatabase { database in try database.usePassphrase(key) }
          return try DatabaseQueue(path: path, configuration: configuration)
        }
        """)),
    Rule(
      .realmUnencrypted, "Realm without encryption",
      severity: .medium, level: .required,
      consequence:
        "The Realm's file is in clear: who has a backup or the device's files reads every "
        + "object.",
      remedy:
        "Give Realm.Configuration an encryptionKey of 64 random bytes, made once with "
        + "SecRandomCopyBytes and kept in the keychain.",
      references: database,
      bad: .init(
        "Database.swift",
        """
        import RealmSwift

        func open() throws -> Realm {
          try Realm()
        }
        """),
      good: .init(
        "Database.swift",
        """
        import RealmSwift

        func open(key: Data) throws -> Realm {
          try Realm(configuration: Realm.Configuration(encryptionKey: key))
        }
        """)),
    Rule(
      .couchbaseUnencrypted, "Couchbase Lite database without encryption",
      severity: .medium, level: .required,
      consequence:
        "The documents lie in a file in clear: who has a backup or the device's files reads "
        + "them.",
      remedy:
        "Set the encryptionKey of the DatabaseConfiguration, with a key from the keychain, "
        + "before the database is opened.",
      references: database,
      bad: .init(
        "Database.swift",
        """
        import CouchbaseLiteSwift

        func open() throws -> Database {
          try Database(name: "notes")
        }
        """),
      good: .init(
        "Database.swift",
        """
        import CouchbaseLiteSwift

        func open(key: Data) throws -> Database {
          var configuration = DatabaseConfiguration()
          configuration.encryptionKey = EncryptionKey.key(key)
          return try Database(name: "notes", config: configuration)
        }
        """)),
    Rule(
      .yapUnencrypted, "YapDatabase without encryption",
      severity: .medium, level: .required,
      consequence:
        "Keys and objects lie in a file in clear: who has a backup or the device's files reads "
        + "them.",
      remedy:
        "Use the subspec with SQLCipher and set the cipherKeyBlock of YapDatabaseOptions, "
        + "which gives a key from the keychain.",
      references: database,
      bad: .init(
        "Database.swift",
        """
        import YapDatabase

        func open(_ url: URL) -> YapDatabase? {
          YapDatabase(url: url)
        }
        """),
      good: .init(
        "Database.swift",
        """
        import YapDatabase

        func open(_ url: URL, key: Data) -> YapDatabase? {
          let options = YapDatabaseOptions()
          options.cipherKeyBlock = { key }
          return YapDatabase(url: url, options: options)
        }
        """)),
    Rule(
      .firebasePersistence, "Firebase that keeps its data on the device",
      severity: .medium, level: .recommended,
      consequence:
        "What the app reads from and writes to Firebase lies in a database in clear: who has "
        + "the device's files reads it, even after the logout.",
      remedy:
        "Leave isPersistenceEnabled false, or use MemoryCacheSettings for Firestore, where the "
        + "data is personal, and call clearPersistence at logout.",
      references: database,
      bad: .init(
        "Remote.swift",
        """
        import FirebaseDatabase

        func setUp() {
          Database.database().isPersistenceEnabled = true
        }
        """),
      good: .init(
        "Remote.swift",
        """
        import FirebaseDatabase

        func setUp() {
          Database.database().isPersistenceEnabled = false
        }
        """)),
  ]

  private static let database = Rule.References(
    masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-2"], maswe: ["MASWE-0001"],
    masweBeta: ["MASWE-0006", "MASWE-0002", "MASWE-0118"],
    mastg: ["MASTG-TEST-0300", "MASTG-TEST-0301", "MASTG-TEST-0302"], cwe: [311, 312])
}
