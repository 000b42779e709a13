import AtRestAuditModel

extension RuleID {
  static let plaintextPlist = RuleID("plaintext-plist")
  static let plaintextArchive = RuleID("plaintext-archive")
  static let plaintextFile = RuleID("plaintext-file")
  static let noFileProtection = RuleID("no-file-protection")
  static let backupExclusionReliedOn = RuleID("backup-exclusion-relied-on")
  static let sharedContainer = RuleID("shared-container")
}

extension Rulebook {
  /// Files, and who else reads them.
  static let files: [Rule] = [
    Rule(
      .plaintextPlist, "Secret or personal data in a property list",
      severity: .high, level: .required,
      consequence:
        "The file holds the value in clear: who has a backup or the device's files opens it "
        + "with any editor.",
      remedy:
        "Keep the value in the keychain with SecItemAdd, or encrypt it with a key from there, "
        + "as with AES.GCM.seal, before it is written.",
      references: plaintext,
      bad: .init(
        "Account.swift",
        """
        func save(user: String, password: String, in folder: URL) {
          let account: NSDictionary = ["user": user, "password": password]
          account.write(to: folder.appendingPathComponent("account.plist"), atomically: true)
        }
        """),
      good: .init(
        "Account.swift",
        """
        func save(user: String, theme: String, in folder: URL) {
          let account: NSDictionary = ["user": user, "theme": theme]
          account.write(to: folder.appendingPathComponent("account.plist"), atomically: true)
        }
        """)),
    Rule(
      .plaintextArchive, "Secret or personal data in an archive of objects",
      severity: .high, level: .required,
      consequence:
        "An archive of NSKeyedArchiver is a property list: who has a backup or the device's "
        + "files reads the value in it.",
      remedy:
        "Encrypt the archived data with a key from the keychain, as with AES.GCM.seal, before "
        + "it is written.",
      references: plaintext,
      bad: .init(
        "Account.swift",
        """
        func save(password: String, to file: URL) throws {
          let data = try NSKeyedArchiver.archivedData(
            withRootObject: ["password": password], requiringSecureCoding: true)
          try data.write(to: file)
        }
        """),
      good: .init(
        "Account.swift",
        """
        func save(password: String, to file: URL, key: SymmetricKey) throws {
          let data = try NSKeyedArchiver.archivedData(
            withRootObject: ["password": password], requiringSecureCoding: true)
          let sealed = try AES.GCM.seal(data, using: key).combined!
          try sealed.write(to: file, options: .completeFileProtection)
        }
        """)),
    Rule(
      .plaintextFile, "Secret or personal data in a file",
      severity: .high, level: .required,
      consequence:
        "The file holds the value in clear: who has a backup or the device's files reads it "
        + "there.",
      remedy:
        "Encrypt the data with a key from the keychain, as with AES.GCM.seal, and write it "
        + "with .completeFileProtection; what is short goes into the keychain itself.",
      references: plaintext,
      bad: .init(
        "Token.swift",
        """
        func save(accessToken: String, to file: URL) throws {
          try accessToken.write(to: file, atomically: true, encoding: .utf8)
        }
        """),
      good: .init(
        "Token.swift",
        """
        func save(accessToken: String, to file: URL, key: SymmetricKey) throws {
          let sealed = try AES.GCM.seal(Data(accessToken.utf8), using: key).combined!
          try sealed.write(to: file, options: .completeFileProtection)
        }
        """)),
    Rule(
      .noFileProtection, "File without protection by the passcode",
      severity: .low, level: .required,
      consequence:
        "The file can be read while the device is locked, so who finds the device reads it "
        + "without knowing the passcode.",
      remedy:
        "Write with .completeFileProtection, or set FileProtectionType.complete under "
        + "FileAttributeKey.protectionKey; .completeUnlessOpen serves what is written in the "
        + "background.",
      references: .init(
        masvs: ["MSTG-STORAGE-1"], mastg: ["MASTG-TEST-0299"], cwe: [311, 922]),
      bad: .init(
        "Notes.swift",
        """
        func save(_ notes: Data, to file: URL) throws {
          try notes.write(to: file, options: [.atomic, .noFileProtection])
        }
        """),
      good: .init(
        "Notes.swift",
        """
        func save(_ notes: Data, to file: URL) throws {
          try notes.write(to: file, options: [.atomic, .completeFileProtection])
        }
        """)),
    Rule(
      .backupExclusionReliedOn, "Exclusion from backups that is taken for protection",
      severity: .low, level: .recommended,
      consequence:
        "A file that the system or a copy puts into a backup after all is there in clear, for "
        + "whoever opens the backup.",
      remedy:
        "Encrypt what must not be in a backup with a key from the keychain whose accessibility "
        + "ends in ThisDeviceOnly, and take isExcludedFromBackup for a wish that saves room.",
      references: .init(
        masvs: ["MSTG-STORAGE-8"], maswe: ["MASWE-0006"], masweBeta: ["MASWE-0004", "MASWE-0003"],
        mastg: ["MASTG-TEST-0215", "MASTG-TEST-0298"], cwe: [530]),
      bad: .init(
        "Store.swift",
        """
        func leaveOutOfBackups(_ file: inout URL) throws {
          var values = URLResourceValues()
          values.isExcludedFromBackup = true
          try file.setResourceValues(values)
        }
        """),
      good: .init(
        "Store.swift",
        """
        func protect(_ file: URL) throws {
          try FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.complete], ofItemAtPath: file.path)
        }
        """)),
    Rule(
      .sharedContainer, "Files or preferences that other apps of a group share",
      severity: .note, level: .recommended,
      consequence:
        "Every app and extension of the group reads and changes what lies there, so the "
        + "weakest of them decides how well it is kept.",
      remedy:
        "Put into the container of a group only what its other members need, and secrets into "
        + "a keychain access group, kSecAttrAccessGroup.",
      references: .init(masvs: ["MSTG-STORAGE-6"], mastg: ["MASTG-TEST-0388"], cwe: [668]),
      bad: .init(
        "Shared.swift",
        """
        let defaults = UserDefaults(suiteName: "group.org.example.app")
        """),
      good: .init(
        "Own.swift",
        """
        let defaults = UserDefaults.standard
        """)),
  ]

  private static let plaintext = Rule.References(
    masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-2"], maswe: ["MASWE-0001"],
    masweBeta: ["MASWE-0006", "MASWE-0002", "MASWE-0118"],
    mastg: ["MASTG-TEST-0300", "MASTG-TEST-0301", "MASTG-TEST-0302"], cwe: [311, 312])
}
