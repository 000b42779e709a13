import AtRestCrypto
import Crypto
import Foundation

/// The files of a keybag, as other processes change them too, and the wrapping of class keys in them.
extension Keybag {
  /// Reads the files again, after another process may have changed the passcode or wiped the store.
  package func refresh() throws {
    try tellingOfLostKeys { try state.withLock { try reload(&$0, mayWrite: false) } }
  }

  /// Runs a piece of work, and has erased what hangs on class keys that went away in it.
  func tellingOfLostKeys<Result>(_ body: () throws -> Result) rethrows -> Result {
    func keys() -> [KeyClass: UInt64] {
      state.withLock { state in
        let file = state.file
        return state.keys.reduce(into: [:]) { $0[$1.key] = file.entries[$1.key]?.id }
      }
    }
    let before = keys()
    defer {
      let after = keys()
      if before.contains(where: { after[$0.key] != $0.value }) {
        state.withLock { $0.lockObservers }.forEach { $0() }
      }
    }
    return try body()
  }

  package static let systemClock: @Sendable () -> UInt64 = {
    UInt64(max(0, Date().timeIntervalSince1970))
  }

  static func fingerprint(of device: any DeviceKeyProvider) throws -> Data {
    let mark = try device.tangle(
      SecretBytes(utf8: "device"), purpose: Purpose("atrest.device-fingerprint.v1"))
    return Data(copying: mark).prefix(8)
  }

  package func deviceFingerprint() throws -> Data { try Self.fingerprint(of: device) }

  static func authenticationKey(
    _ effaceable: SecretBox, _ device: any DeviceKeyProvider
  ) throws -> SecretBytes {
    try device.tangle(effaceable.bytes, purpose: Purpose("atrest.keybag-authentication.v1"))
  }

  static func deviceWrap(
    _ effaceable: SecretBox, _ device: any DeviceKeyProvider
  ) throws -> WrappingKey {
    try WrappingKey(
      device.tangle(effaceable.bytes, purpose: Purpose("atrest.class-d-wrap.v1")))
  }

  /// The passcode key: the KDF's result, tangled with the effaceable key and the device key.
  static func passcodeWrap(
    _ passcode: SecretBox?, _ file: KeybagFile, _ effaceable: SecretBox,
    _ device: any DeviceKeyProvider
  ) throws -> WrappingKey {
    guard let passcode else {
      return try WrappingKey(
        device.tangle(effaceable.bytes, purpose: Purpose("atrest.no-passcode-wrap.v1")))
    }
    let stretched = try file.kdf.deriveKey(from: passcode.bytes, salt: file.salt)
    let both = SecretBytes(count: 64) { bytes in
      stretched.withUnsafeBytes { bytes.copyMemory(from: $0) }
      effaceable.bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: bytes[32...]).copyMemory(from: $0)
      }
    }
    return try WrappingKey(device.tangle(both, purpose: Purpose("atrest.passcode-wrap.v1")))
  }

  static func check(passcode: SecretBox) throws {
    guard passcode.bytes.count > 0 else {
      throw AtRestError.invalid(
        "The passcode is empty.", remedy: "Give at least one character, better a phrase.")
    }
  }

  static func seal(
    _ keys: [KeyClass: SecretBox], into file: inout KeybagFile, passcode: SecretBox?,
    kdf: PasswordKDF, effaceable: SecretBox, device: any DeviceKeyProvider
  ) throws {
    if let passcode { try check(passcode: passcode) }
    file.hasPasscode = passcode != nil
    file.kdf = kdf
    file.salt = RandomBytes.data(count: 16)
    let deviceWrap = try deviceWrap(effaceable, device)
    let passcodeWrap = try passcodeWrap(passcode, file, effaceable, device)
    let before = file.entries
    file.entries = [:]
    for (keyClass, key) in keys {
      let wrapped =
        keyClass.availability == .always
        ? try deviceWrap.wrap(key.bytes) : try passcodeWrap.wrap(key.bytes)
      let publicKey =
        keyClass == .completeUnlessOpen
        ? try key.bytes.withUnsafeBytes {
          try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0).publicKey
            .rawRepresentation
        } : Data()
      file.entries[keyClass] = KeybagFile.Entry(
        id: before[keyClass]?.id ?? .random(in: 1 ... .max), publicKey: publicKey,
        wrapped: wrapped)
    }
  }

  func effaceable(_ state: borrowing State) throws -> SecretBox {
    guard let key = state.effaceable else { throw refusalWhenClosed }
    return key
  }

  func openDeviceClasses(_ state: inout State) throws {
    let wrap = try Self.deviceWrap(effaceable(state), device)
    for (keyClass, entry) in state.file.entries where keyClass.availability == .always {
      state.keys[keyClass] = SecretBox(
        try wrap.unwrap(entry.wrapped, name: "Class key \(keyClass.name)"))
    }
  }

  /// All class keys, or ``AtRestError/Code/authenticationFailed``: the keybag is authentic, so a
  /// class key that does not unwrap means a wrong passcode.
  func unwrapAll(
    _ file: KeybagFile, passcode: SecretBox?, effaceable: SecretBox
  ) throws -> [KeyClass: SecretBox] {
    let deviceWrap = try Self.deviceWrap(effaceable, device)
    let passcodeWrap = try Self.passcodeWrap(passcode, file, effaceable, device)
    var keys: [KeyClass: SecretBox] = [:]
    for (keyClass, entry) in file.entries {
      let name = "Class key \(keyClass.name)"
      if keyClass.availability == .always {
        keys[keyClass] = SecretBox(try deviceWrap.unwrap(entry.wrapped, name: name))
        continue
      }
      do {
        keys[keyClass] = SecretBox(try passcodeWrap.unwrap(entry.wrapped, name: name))
      } catch {
        throw AtRestError(
          .authenticationFailed, "The passcode is wrong.",
          remedy: "Try again; after five wrong ones a delay begins.")
      }
    }
    return keys
  }

  /// - Parameter mayWrite: Whether the caller has the turn.
  func reload(_ state: inout State, mayWrite: Bool) throws {
    do {
      let (file, effaceable, _) = try Self.load(storage, device, mayWrite: mayWrite)
      guard file.store == store else {
        throw AtRestError(
          .wiped, "The store in \(storage.location) was replaced by another.",
          remedy: "Open it again.")
      }
      // Another process may have removed the passcode, and set one anew: the class has another key.
      let former = state.file.entries
      state.keys = state.keys.filter { keyClass, _ in
        file.entries[keyClass] != nil && file.entries[keyClass]?.id == former[keyClass]?.id
      }
      state.file = file
      if state.effaceable != nil { state.effaceable = effaceable }
    } catch AtRestError.Code.notFound {
      state.keys = [:]
      state.effaceable = nil
      throw AtRestError(
        .wiped, "The store in \(storage.location) was wiped.",
        remedy: "Make a new store and restore a backup.")
    } catch AtRestError.Code.wiped {
      state.keys = [:]
      state.effaceable = nil
      throw AtRestError(
        .wiped, "The store in \(storage.location) was wiped.",
        remedy: "Make a new store and restore a backup.")
    }
  }

  func rewrap(
    _ state: inout State, _ keys: [KeyClass: SecretBox], passcode: SecretBox?,
    kdf: PasswordKDF
  ) throws {
    var file = state.file
    try Self.seal(
      keys, into: &file, passcode: passcode, kdf: kdf, effaceable: effaceable(state),
      device: device)
    state.file = file
    try write(&state)
    let isUnlocked = state.lockState == .unlocked
    state.keys = keys.filter { key, _ in isUnlocked || state.keys[key] != nil }
  }

  func write(_ state: inout State) throws {
    state.file.generation += 1
    let key = try Self.authenticationKey(effaceable(state), device)
    try storage.replace(Self.fileName, with: state.file.encoded(authenticatedBy: key))
    guard var record = try DeviceRecord.load(store, from: device) else { return }
    record.generation = state.file.generation
    try record.save(store, to: device)
  }

  // MARK: Wipe

  /// Destroys the effaceable key: everything in the store is unreadable at once, whatever its size.
  ///
  /// The keychain's database stays as it is; `Keychain.wipe()` removes it too.
  ///
  /// - Throws: ``AtRestError/Code/system`` where the file system refuses.
  public func wipe() throws {
    try storage.exclusively { try state.withLock { try wipe(&$0) } }
    close()
  }

  func wipe(_ state: inout State) throws {
    try storage.destroy(EffaceableFile.name)
    try storage.destroy(Self.fileName)
    try device.forget(DeviceRecord.name(store))
    try device.forget(counterName)
    if let folder = (storage as? FolderStorage)?.folder {
      try StorePlace(folder).forget(store, on: device)
    }
    state.keys = [:]
    state.effaceable = nil
    state.lockState = .beforeFirstUnlock
  }
}
