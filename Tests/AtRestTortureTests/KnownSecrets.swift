#if os(Linux)
  import AtRestKeychain
  import Crypto
  import Foundation
  import GRDB
  import Testing

  // The tests of the package Agent/, which are built in debug, use this file too.
  #if DEBUG
    @testable import AtRestCrypto
    @testable import AtRestKeybag
  #else
    import AtRestCrypto
    import AtRestKeybag
  #endif

  /// A store whose keys and secrets are all known, with the needles for which memory is searched.
  struct KnownSecrets {
    static let classes: [(Accessibility, KeyClass)] = [
      (.whenUnlocked, .whenUnlocked), (.afterFirstUnlock, .afterFirstUnlock),
      (.always, .always), (.whenUnlockedThisDeviceOnly, .whenUnlockedThisDeviceOnly),
      (.whenPasscodeSetThisDeviceOnly, .whenPasscodeSetThisDeviceOnly),
    ]

    /// The lengths of secrets. Copies of different lengths use different registers.
    enum Length: String, CaseIterable {
      case short, middle, long

      var count: Int { [.short: 16, .middle: 64, .long: 4_000][self]! }
    }

    private(set) var needles: [Needle] = []

    /// Creates the store. It has three secrets of each class: a short, a medium and a long one.
    init(_ scratch: Scratch, passcode: Data) throws {
      addPieces(of: passcode, "passcode")
      let device = RecordingDevice(try FileDeviceKey.openOrCreate(in: scratch.device))
      let keybag = try Keybag.create(
        at: scratch.store, device: device, passcode: SecretBytes(passcode),
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
      try addDeviceKeys(scratch, device)
      try addClassKeys(scratch, device)
      try addItemKeys(scratch, keybag)
    }

    // MARK: Keys

    private mutating func addDeviceKeys(_ scratch: Scratch, _ device: RecordingDevice) throws {
      // As `docs/Formats.md` specifies: the key comes after the mark and the version.
      let file = try Data(contentsOf: scratch.device.appendingPathComponent("device.key"))
      addKey(file[10..<42], "device-key")
      let effaceable = try #require(device.inputs("atrest.class-d-wrap.v1"))
      addPieces(of: effaceable, "effaceable")
      addPads(of: effaceable, "effaceable")
      let stretched = try #require(device.inputs("atrest.passcode-wrap.v1")).prefix(32)
      addKey(stretched, "kdf-output")
      let authorization = SecretBytes(Data(stretched))
        .derive(Purpose("atrest.passcode-authorization.v1"))
      addKey(Data(copying: authorization), "passcode-authorization")
      let passcodeKey = try #require(device.answers("atrest.passcode-wrap.v1"))
      let deviceWrap = try #require(device.answers("atrest.class-d-wrap.v1"))
      addKey(passcodeKey, "passcode-wrap")
      addKey(deviceWrap, "device-wrap")
    }

    /// Unwraps the class keys as `docs/Formats.md` specifies, with the answers that the device
    /// gave.
    private mutating func addClassKeys(_ scratch: Scratch, _ device: RecordingDevice) throws {
      let file = try Data(contentsOf: scratch.store.appendingPathComponent("keybag"))
      let passcodeKey = try #require(device.answers("atrest.passcode-wrap.v1"))
      let deviceWrap = try #require(device.answers("atrest.class-d-wrap.v1"))
      // There is no passcode secret, so the first set begins at 151, with its number and the count of
      // its entries.
      var offset = 156
      for _ in 0..<file[155] {
        let keyClass = try #require(KeyClass(rawValue: file[offset]))
        offset += 9 + (keyClass == .completeUnlessOpen ? 32 : 0)
        let wrapping = keyClass.availability == .always ? deviceWrap : passcodeKey
        let key = try WrappingKey(SecretBytes(wrapping))
          .unwrap(file[offset..<offset + 40], name: "\(keyClass)")
        addKey(Data(copying: key), "class.\(keyClass)")
        offset += 40
      }
    }

    private mutating func addItemKeys(_ scratch: Scratch, _ keybag: Keybag) throws {
      let path = scratch.store.appendingPathComponent("keychain.db").path
      let rows = try DatabaseQueue(path: path).read { database in
        try Row.fetchAll(database, sql: "SELECT id, info, key FROM item")
      }
      for row in rows {
        let keyClass = try #require(KeyClass(rawValue: UInt8((row["info"] as Int) >> 8 & 255)))
        let wrapping = try WrappingKey(
          keybag.derive(Purpose("atrest.keychain.item-wrap.v1"), from: keyClass))
        let key = try wrapping.unwrap(row["key"] as Data, name: "item")
        addKey(Data(copying: key), "item-key.\(keyClass).\(row["id"] as Int)")
      }
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
