import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// The keychain of calls that name none, as those of `import Security` do.
///
/// Which one that is, the first that applies:
///
/// 1. the simulated device that the calling task runs on;
/// 2. what the process chose last: a keychain (``set(_:)``), or a simulated device;
/// 3. in a process that has Swift Testing or XCTest loaded, or that made a simulated device: a device in
///    memory, unlocked, whose user says yes to every prompt. A test never reaches a real store by
///    accident. A notice in the log says so; what the program is called decides nothing;
/// 4. the store of ``StoreLocation``, made without a passcode where the device remembers none there.
///
/// Of the last two the application is who the environment says:
///
/// | variable | what | default |
/// | --- | --- | --- |
/// | `ATREST_APPLICATION_IDENTIFIER` | the application identifier | the bundle's, or the program's name |
/// | `ATREST_KEYCHAIN_ACCESS_GROUPS` | access groups, with commas between them | none |
/// | `ATREST_APPLICATION_GROUPS` | application groups, with commas between them | none |
///
/// Safe to use from several threads.
public enum DefaultKeychain {
  /// Uses a keychain for all calls of this process that name none.
  ///
  /// ```swift
  /// let keybag = try StoreLocation(store: "/var/lib/app/store").openKeybag()
  /// try keybag.unlock(passcode: passcode)
  /// DefaultKeychain.set(try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app")))
  /// ```
  ///
  /// - Parameter keychain: nil goes back to what the environment says.
  public static func set(_ keychain: Keychain?) { choose(keychain.map { .keychain($0) }) }

  /// Uses a simulated device for all calls of this process that name none, on whatever queue or
  /// thread they come.
  package static func set(_ source: Source) { choose(.source(source)) }

  /// Forgets the keychain that was chosen or opened, and which store belongs in the folder of
  /// ``StoreLocation``.
  ///
  /// The device remembers that store, so that a store which was removed, or whose disk is not mounted, is
  /// not replaced by an empty one. After this call the next one takes the store that is there, or makes
  /// one. No store is changed.
  ///
  /// - Throws: As `StoreLocation.forgetStore()`.
  public static func reset() throws {
    set(nil)
    try StoreLocation().forgetStore()
  }

  private static func choose(_ choice: Choice?) {
    state.withLock {
      $0.chosen = choice
      $0.opened = nil
    }
  }

  /// The keychain that calls of this task use now, opened or made where it is not yet.
  ///
  /// - Throws: ``AtRestError/Code/storeMissing`` if the device remembers another store in the
  ///   folder
  ///   than is there now, or a store that is missing: see ``reset()``; otherwise what opening or making
  ///   the store throws. The next call tries again.
  public static func get() throws -> Keychain {
    if let source { return try source.keychain() }
    return try state.withLock { state in
      if case .keychain(let keychain) = state.chosen { return keychain }
      if let keychain = state.opened { return keychain }
      let keychain: Keychain
      if state.isSimulated {
        keychain = try makeInMemory()
      } else if let library = TestingLibrary.loaded {
        Keychain.logger.notice(
          "The default keychain is in memory: this process has a testing library loaded",
          metadata: ["library": "\(library.rawValue)"])
        keychain = try makeInMemory()
      } else {
        keychain = try openStore()
      }
      state.opened = keychain
      return keychain
    }
  }

  /// Where a simulated device comes in.
  package struct Source: Sendable {
    package let keychain: @Sendable () throws -> Keychain
    package let record: @Sendable (KeychainCall) -> Void

    package init(
      keychain: @escaping @Sendable () throws -> Keychain,
      record: @escaping @Sendable (KeychainCall) -> Void
    ) {
      self.keychain = keychain
      self.record = record
    }
  }
  /// The simulated device that calls of this task use now, if it is one.
  package static var source: Source? {
    if let taskSource { return taskSource }
    guard case .source(let source) = state.withLock({ $0.chosen }) else { return nil }
    return source
  }
  @TaskLocal package static var taskSource: Source?

  /// From now on no call of this process opens a real store, unless ``set(_:)`` gives one.
  package static func keepFromRealStore() {
    state.withLock { state in
      guard !state.isSimulated else { return }
      state.isSimulated = true
      state.opened = nil
    }
  }

  private enum Choice {
    case keychain(Keychain)
    case source(Source)
  }
  private struct State {
    var chosen: Choice?
    var opened: Keychain?
    var isSimulated = false
  }
  private static let state = Mutex(State())

  // MARK: Making one

  private static func openStore() throws -> Keychain {
    let keybag = try StoreLocation().openOrMakeKeybag()
    if !keybag.hasPasscode { try keybag.unlock() }
    return try Keychain.open(keybag, identity: identity)
  }

  private static func makeInMemory() throws -> Keychain {
    let user = CompliantUser()
    let keybag = try Keybag.create(
      in: MemoryStorage(), device: MemoryDeviceKey(), passcode: user.knownPasscode,
      options: Keybag.Options(kdf: .forTesting))
    return try Keychain.open(
      keybag, in: Keychain.MemoryDatabase(), identity: identity, authenticator: user)
  }

  static var identity: ApplicationIdentity {
    let environment = ProcessInfo.processInfo.environment
    func groups(_ name: String) -> [String] {
      (environment[name] ?? "").split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      }.filter { !$0.isEmpty }
    }
    let named = environment["ATREST_APPLICATION_IDENTIFIER"].flatMap { $0.isEmpty ? nil : $0 }
    return ApplicationIdentity(
      named ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
      keychainAccessGroups: groups("ATREST_KEYCHAIN_ACCESS_GROUPS"),
      applicationGroups: groups("ATREST_APPLICATION_GROUPS"))
  }
}

/// The user of a device in memory that no test scripts: knows the passcode, and has a finger.
private struct CompliantUser: Authenticator {
  let knownPasscode = SecretBox(SecretBytes.random(count: 16))

  var biometry: BiometryState { .enrolled(Data([1])) }
  func passcode(for request: AuthenticationRequest) -> SecretBytes {
    knownPasscode.bytes.duplicate()
  }
  func matchesBiometry(for request: AuthenticationRequest) -> Bool { true }
  func applicationPassword(for request: AuthenticationRequest) throws -> SecretBytes {
    throw AtRestError(
      .canceled, "Nobody knows the application password.",
      remedy: "Set it as a credential of the context.")
  }
}
