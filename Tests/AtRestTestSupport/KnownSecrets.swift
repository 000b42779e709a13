#if os(Linux)
  import AtRestCrypto
  import AtRestKeybag
  import AtRestKeychain
  import Crypto
  import Foundation
  import GRDB

  /// A store whose keys and secrets are all known, with the needles for which memory is searched.
  public struct KnownSecrets {
    public static let classes: [(Accessibility, KeyClass)] = [
      (.whenUnlocked, .whenUnlocked), (.afterFirstUnlock, .afterFirstUnlock),
      (.always, .always), (.whenUnlockedThisDeviceOnly, .whenUnlockedThisDeviceOnly),
      (.whenPasscodeSetThisDeviceOnly, .whenPasscodeSetThisDeviceOnly),
    ]

    /// The lengths of secrets. Copies of different lengths use different registers.
    public enum Length: String, Sendable, CaseIterable {
      case short
      case middle
      case long

      public var count: Int { [.short: 16, .middle: 64, .long: 4_000][self]! }
    }

    public private(set) var needles: [Needle] = []

    /// Creates the store. It has three secrets of each class: a short, a medium and a long one.
    public init(store: URL, device: URL, passcode: Data) throws {
      addPieces(of: passcode, "passcode")
      let recording = RecordingDevice(try FileDeviceKey.openOrCreate(in: device))
      let keybag = try Keybag.create(
        at: store, device: recording, passcode: SecretBytes(passcode),
        options: .init(kdf: .forTesting))
      let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("torture"))
      defer {
        keychain.close()
        keybag.close()
      }
      for (number, (accessibility, _)) in Self.classes.enumerated() {
        for length in Length.allCases {
          let secret = RandomBytes.data(count: length.count)
          try keychain.add(
            .genericPassword(service: length.rawValue, account: "\(number)"),
            secret: SecretBytes(secret), protection: .accessible(accessibility))
          addPieces(of: secret.prefix(64), "secret.\(accessibility).\(length)")
        }
      }
      for (_, keyClass) in Self.classes {
        for purpose in ["metadata", "item-wrap"] {
          // Metadata are sealed with one key per epoch; this store is in its first epoch.
          let epoch = Data(count: purpose == "metadata" ? 8 : 0)
          let key = try keybag.derive(
            Purpose("atrest.keychain.\(purpose).v1"), from: keyClass, context: epoch)
          addKey(Data(copying: key), "\(purpose).\(keyClass)")
        }
      }
      try addDeviceKeys(device, recording)
      try addClassKeys(store, recording)
      try addItemKeys(store, keybag)
    }

    // MARK: Keys

    private mutating func addDeviceKeys(_ folder: URL, _ device: RecordingDevice) throws {
      // As `docs/Formats.md` specifies: the key comes after the mark and the version.
      let file = try Data(contentsOf: folder.appendingPathComponent("device.key"))
      addKey(file[10..<42], "device-key")
      let effaceable = try device.input("atrest.class-d-wrap.v1")
      addPieces(of: effaceable, "effaceable")
      addPads(of: effaceable, "effaceable")
      let stretched = try device.input("atrest.passcode-wrap.v1").prefix(32)
      addKey(stretched, "kdf-output")
      let authorization = SecretBytes(Data(stretched))
        .derive(Purpose("atrest.passcode-authorization.v1"))
      addKey(Data(copying: authorization), "passcode-authorization")
      let passcodeKey = try device.answer("atrest.passcode-wrap.v1")
      let deviceWrap = try device.answer("atrest.class-d-wrap.v1")
      addKey(passcodeKey, "passcode-wrap")
      addKey(deviceWrap, "device-wrap")
    }

    /// Unwraps the class keys as `docs/Formats.md` specifies, with the answers that the device
    /// gave.
    private mutating func addClassKeys(_ store: URL, _ device: RecordingDevice) throws {
      let file = try Data(contentsOf: store.appendingPathComponent("keybag"))
      let passcodeKey = try device.answer("atrest.passcode-wrap.v1")
      let deviceWrap = try device.answer("atrest.class-d-wrap.v1")
      // There is no passcode secret, so the first set begins at 151, with its number and the count of
      // its entries.
      var offset = 156
      for _ in 0..<file[155] {
        let keyClass = try Self.keyClass(file[offset])
        offset += 9 + (keyClass == .completeUnlessOpen ? 32 : 0)
        let wrapping = keyClass.availability == .always ? deviceWrap : passcodeKey
        let key = try WrappingKey(SecretBytes(wrapping))
          .unwrap(file[offset..<offset + 40], name: "\(keyClass)")
        addKey(Data(copying: key), "class.\(keyClass)")
        offset += 40
      }
    }

    private mutating func addItemKeys(_ store: URL, _ keybag: Keybag) throws {
      let path = store.appendingPathComponent("keychain.db").path
      let rows = try DatabaseQueue(path: path).read { database in
        try Row.fetchAll(database, sql: "SELECT id, info, key FROM item")
      }
      for row in rows {
        let keyClass = try Self.keyClass(UInt8((row["info"] as Int) >> 8 & 255))
        let wrapping = try WrappingKey(
          keybag.derive(Purpose("atrest.keychain.item-wrap.v1"), from: keyClass))
        let key = try wrapping.unwrap(row["key"] as Data, name: "item")
        addKey(Data(copying: key), "item-key.\(keyClass).\(row["id"] as Int)")
      }
    }

    private static func keyClass(_ number: UInt8) throws -> KeyClass {
      guard let keyClass = KeyClass(rawValue: number) else {
        throw AtRestError.damaged("There is no class \(number).")
      }
      return keyClass
    }

    // MARK: Needles

    /// Adds the values that code derives from a key: the AES key schedules, whose round keys are
    /// separate needles, so a pair is found in any arrangement; the paddings of HMAC; and the key
    /// that HKDF extracts from it without a salt.
    private mutating func addKey(_ key: Data, _ name: String) {
      addPieces(of: key, name)
      addPads(of: key, name)
      let schedule = AESKeySchedule(key: Array(key))
      for (round, bytes) in schedule.forward.enumerated().dropFirst(2) {
        needles.append(Needle(name: "\(name).encryption-round-\(round)", bytes: bytes))
      }
      for (round, bytes) in schedule.inverse.enumerated() {
        needles.append(Needle(name: "\(name).decryption-round-\(round + 1)", bytes: bytes))
      }
      let extracted = Data(
        HKDF<SHA256>.extract(inputKeyMaterial: SymmetricKey(data: key), salt: Data()))
      addPieces(of: extracted, "\(name).extracted")
      addPads(of: extracted, "\(name).extracted")
    }

    /// Adds pieces of 16 bytes, because a register holds no more of some copies.
    private mutating func addPieces(of bytes: Data, _ name: String) {
      let bytes = Array(bytes)
      for start in stride(from: 0, to: bytes.count, by: Needle.count) {
        needles.append(
          Needle(name: "\(name)/\(start)", bytes: Array(bytes[start..<start + Needle.count])))
      }
    }

    private mutating func addPads(of key: Data, _ name: String) {
      addPieces(of: Data(key.map { $0 ^ 0x36 }), "\(name).inner-pad")
      addPieces(of: Data(key.map { $0 ^ 0x5c }), "\(name).outer-pad")
    }
  }
#endif
