@_spi(Tools) import AtRestCrypto
import Foundation

/// The keybag in its stored form: `docs/Formats.md`, *Keybag*.
///
/// The file also contains the store's share of the effaceable key. This value does not, because the
/// share is a secret: use ``share(in:location:)`` to read it.
struct KeybagFile {
  /// The name of the file in the store's folder.
  static let fileName = "keybag"
  static let magic = Data("AtRestKB".utf8)
  static let version: UInt16 = 1
  static let macCount = 32
  static let shareCount = 32
  private static let shareOffset = 42
  /// The maximum number of sets. Each first passcode adds a set, and no set can be dropped while
  /// files may need it.
  static let setLimit = 255
  /// The maximum number of sets of other stores. With ``setLimit`` sets of its own, the file stays
  /// below the limit of ``FolderStorage``.
  static let formerSetLimit = 1024
  private static let passcodeSecretLimit = 1024

  /// The part that identifies the keybag. Do not trust it until the whole file is authenticated.
  struct Head {
    var generation: UInt64
    var store: StoreIdentity
    var device: Data
  }

  var generation: UInt64
  var store: StoreIdentity
  var device: Data
  var hasPasscode: Bool
  var isPasscodeWeak: Bool
  var attemptLimit: UInt16
  var kdf: PasswordKDF
  var salt: Data
  /// The passcode secret of the device, encrypted by it, or empty: see
  /// ``DeviceKeyProvider/makePasscodeSecret(authorization:)``.
  var passcodeSecret = Data()
  var wrappedIndexKey: Data
  /// The sets in ascending order of their numbers. The last one is the current set.
  var sets: [KeySet]
  /// The class keys for files of stores whose backups were restored into this one, oldest first.
  var formerSets: [FormerKeySet] = []

  var present: KeySet { sets[sets.count - 1] }

  /// The entries of the current set.
  var entries: [KeyClass: KeySet.Entry] { present.entries }

  func entry(_ keyClass: KeyClass, set: UInt32) -> KeySet.Entry? {
    sets.first { $0.number == set }?.entries[keyClass]
  }

  /// True if the keybag has the class keys of a set of this store.
  func has(_ set: FileKeySet) -> Bool {
    set.keys.allSatisfy { entry($0.key, set: set.number)?.id == $0.value.id }
  }

  /// Returns the file's bytes. They contain the share, so the caller must erase them after use.
  func encoded(
    share: borrowing SecretBytes, authenticatedBy key: borrowing SecretBytes
  ) -> Data {
    var writer = ByteWriter(capacity: 1024 + 640 * sets.count + 256 * formerSets.count)
    defer { writer.erase() }
    writer.fixed(Self.magic)
    writer.integer(Self.version)
    writer.integer(generation)
    writer.fixed(store.bytes)
    writer.fixed(device)
    share.withUnsafeBytes { writer.fixed($0) }
    writer.integer(UInt8((hasPasscode ? 1 : 0) | (isPasscodeWeak ? 2 : 0)))
    writer.integer(attemptLimit)
    writer.fixed(kdf.encoded)
    writer.fixed(salt)
    writer.counted(passcodeSecret)
    writer.fixed(wrappedIndexKey)
    writer.integer(UInt8(sets.count))
    for set in sets {
      writer.integer(set.number)
      writer.integer(UInt8(set.entries.count))
      for (keyClass, entry) in set.entries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        writer.integer(keyClass.rawValue)
        writer.integer(entry.id)
        if keyClass == .completeUnlessOpen { writer.fixed(entry.publicKey) }
        writer.fixed(entry.wrapped)
      }
    }
    writer.integer(UInt16(formerSets.count))
    for set in formerSets {
      writer.fixed(set.store.bytes)
      writer.integer(set.number)
      writer.integer(set.wrappingSet)
      writer.integer(UInt8(set.entries.count))
      for (keyClass, entry) in set.entries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        writer.integer(keyClass.rawValue)
        writer.integer(entry.id)
        writer.fixed(entry.wrapped)
      }
    }
    writer.fixed(key.authenticationCode(for: writer.bytes))
    return writer.data
  }

  // MARK: Reading

  private static func name(_ location: String) -> String { "The keybag in \(location)" }

  static func head(of data: Data, location: String) throws -> Head {
    try data.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: name(location))
      return try head(&reader, location: location)
    }
  }

  private static func head(_ reader: inout ByteReader, location: String) throws -> Head {
    guard try reader.fixed(8).elementsEqual(magic) else {
      throw AtRestError.damaged("\(name(location)) is not a keybag.")
    }
    let found = try reader.integer(UInt16.self)
    guard found == version else {
      throw AtRestError.unsupported("\(name(location))", version: found, known: version)
    }
    return Head(
      generation: try reader.integer(),
      store: StoreIdentity(Data(try reader.fixed(StoreIdentity.count))),
      device: Data(try reader.fixed(8)))
  }

  /// Reads the store's share of the effaceable key.
  static func share(in data: Data, location: String) throws -> SecretBytes {
    guard data.count >= shareOffset + shareCount else {
      throw AtRestError.damaged("\(name(location)) is cut off.")
    }
    return data.withUnsafeBytes { bytes in
      SecretBox(
        SecretBytes(
          copying: UnsafeRawBufferPointer(rebasing: bytes[shareOffset..<shareOffset + shareCount])))
    }.bytes.duplicate()
  }

  /// Authenticates the file, then reads the part after the header and the share.
  static func decoded(
    _ data: Data, location: String, authenticatedBy key: borrowing SecretBytes
  ) throws -> KeybagFile {
    let name = name(location)
    let count = max(0, data.count - macCount)
    // An escaping closure cannot capture a noncopyable value, but it can capture a flag.
    let isAuthentic = key.isValid(
      authenticationCode: data.suffix(macCount), for: data.prefix(count))
    return try data.withUnsafeBytes { bytes in
      var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)), name: name)
      let head = try head(&reader, location: location)
      guard isAuthentic else {
        throw AtRestError.damaged(
          "\(name) was modified or cut off: its authentication code does not match.")
      }
      _ = try reader.fixed(shareCount)
      let flags = try reader.integer(UInt8.self)
      guard flags < 4 else {
        throw AtRestError.damaged("\(name) has unknown flags \(flags).")
      }
      let limit = try reader.integer(UInt16.self)
      let kdf = try PasswordKDF.decoded(from: Data(try reader.fixed(PasswordKDF.encodedCount)))
      let salt = Data(try reader.fixed(16))
      let passcodeSecret = Data(try reader.counted(limit: passcodeSecretLimit))
      let wrappedIndexKey = Data(try reader.fixed(40))
      var sets: [KeySet] = []
      for _ in 0..<(try reader.integer(UInt8.self)) {
        let set = try readSet(&reader, name: name)
        guard set.number > sets.last?.number ?? 0 else {
          throw AtRestError.damaged("\(name) has sets of class keys that are out of order.")
        }
        sets.append(set)
      }
      var formerSets: [FormerKeySet] = []
      for _ in 0..<(try reader.integer(UInt16.self)) {
        formerSets.append(try readFormerSet(&reader, name: name))
      }
      try reader.finish()
      guard !sets.isEmpty else {
        throw AtRestError.damaged("\(name) has no class keys.")
      }
      return KeybagFile(
        generation: head.generation, store: head.store, device: head.device,
        hasPasscode: flags & 1 != 0, isPasscodeWeak: flags & 2 != 0, attemptLimit: limit,
        kdf: kdf, salt: salt, passcodeSecret: passcodeSecret, wrappedIndexKey: wrappedIndexKey,
        sets: sets, formerSets: formerSets)
    }
  }

  private static func readFormerSet(
    _ reader: inout ByteReader, name: String
  ) throws -> FormerKeySet {
    var set = FormerKeySet(
      store: StoreIdentity(Data(try reader.fixed(StoreIdentity.count))),
      number: try reader.integer(), wrappingSet: try reader.integer())
    for _ in 0..<(try reader.integer(UInt8.self)) {
      let number = try reader.integer(UInt8.self)
      guard let keyClass = KeyClass(rawValue: number), keyClass.isForFiles else {
        throw AtRestError.damaged("\(name) has an unknown class \(number) of files.")
      }
      set.entries[keyClass] = FormerKeySet.Entry(
        id: try reader.integer(), wrapped: Data(try reader.fixed(40)))
    }
    return set
  }

  private static func readSet(_ reader: inout ByteReader, name: String) throws -> KeySet {
    var set = KeySet(number: try reader.integer(), entries: [:])
    for _ in 0..<(try reader.integer(UInt8.self)) {
      let number = try reader.integer(UInt8.self)
      guard let keyClass = KeyClass(rawValue: number) else {
        throw AtRestError.damaged("\(name) has an unknown class \(number).")
      }
      let id = try reader.integer(UInt64.self)
      let publicKey = keyClass == .completeUnlessOpen ? Data(try reader.fixed(32)) : Data()
      set.entries[keyClass] = KeySet.Entry(
        id: id, publicKey: publicKey, wrapped: Data(try reader.fixed(40)))
    }
    return set
  }
}
