import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// The keychain for calls that do not specify one, such as the calls of the module `Security`.
///
/// The first of these rules that applies selects the keychain:
///
/// 1. the simulated device on which the calling task runs. Outside such a task, a call of Keychain
///    Services with an `LAContext` uses the device on which the context was created, on any thread;
/// 2. the simulated device that a test uses for the process until its closure ends; otherwise the
///    keychain (``set(_:)``) or simulated device that the process chose last;
/// 3. in a process that has Swift Testing or XCTest loaded, or that created a simulated device: an
///    unlocked device in memory, whose user complies with every prompt except one for an
///    application password. A test therefore never reaches a real store by accident. If a testing
///    library is the cause, a notice in the log names the library. The name of the program does not
///    matter;
/// 4. the store of ``StoreLocation``. If the device remembers no store for this location, a store
///    without a passcode is created.
///
/// For rules 3 and 4, the environment determines the identity of the application:
///
/// | variable | value | default |
/// | --- | --- | --- |
/// | `ATREST_APPLICATION_IDENTIFIER` | the application identifier | the bundle's, or the program's name |
/// | `ATREST_KEYCHAIN_ACCESS_GROUPS` | access groups, separated by commas | none |
/// | `ATREST_APPLICATION_GROUPS` | application groups, separated by commas | none |
///
/// Safe to use from several threads.
public enum DefaultKeychain {
  /// Uses a keychain for all calls in this process that do not specify one.
  ///
  /// ```swift
  /// let keybag = try StoreLocation(store: "/var/lib/app/store").openKeybag()
  /// try keybag.unlock(passcode: passcode)
  /// DefaultKeychain.set(try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app")))
  /// ```
  ///
  /// - Parameter keychain: The keychain. nil withdraws the choice, so that the other rules of
  ///   ``DefaultKeychain`` apply.
  public static func set(_ keychain: Keychain?) { choose(keychain.map { .keychain($0) }) }

  /// Uses a simulated device for all calls in this process that do not specify a keychain, on any
  /// queue or thread.
  package static func set(_ source: Source) { choose(.source(source)) }

  /// Forgets the keychain that was chosen or opened, and the device's record of the store that
  /// belongs in the folder of ``StoreLocation``.
  ///
  /// The device remembers the store, so that no empty store replaces a store that was removed or
  /// whose disk is not mounted. After a reset, the next use of the default keychain accepts the
  /// store that is in the folder, or creates a store. A reset changes no store.
  ///
  /// - Throws: The errors of `StoreLocation.forgetStore()`.
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

  /// Returns the keychain that calls of this task use now. Opens or creates the keychain if
  /// necessary.
  ///
  /// - Throws: ``AtRestError/Code/storeMissing`` if the folder does not contain the store that the
  ///   device remembers: see ``reset()``. Otherwise the errors of opening or creating the store.
  ///   After an error, the next call tries again.
  public static func get() throws -> Keychain { try get(for: nil, "DefaultKeychain.get") }

  /// Returns the keychain that a call with a context uses now.
  ///
  /// - Parameter function: The name of the call, which is reported if the call reaches no device.
  /// - Throws: The errors of ``get()``.
  package static func get(
    for holder: (any AuthenticationContextHolder)?, _ function: String
  ) throws -> Keychain {
    let route = route(for: holder)
    route.recordStray(KeychainCall(function: function, query: [:], status: 0))
    return try route.keychain()
  }

  /// Returns the keychain that is not of a simulated device.
  static func shared() throws -> Keychain {
    try state.withLock { state in
      if case .keychain(let keychain) = state.chosen { return keychain }
      if let keychain = state.opened { return keychain }
      let keychain: Keychain
      if state.devices != nil {
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

  // MARK: Choice

  enum Choice {
    case keychain(Keychain)
    case source(Source)
  }

  private struct State {
    /// The choice that applies while no closure uses a device for the process.
    var chosen: Choice?
    var opened: Keychain?
    /// The devices of this process, if there were any.
    var devices: (any SimulatedDevices)?
  }

  private static let state = Mutex(State())

  /// The choice that applies now.
  static var choice: Choice? {
    state.withLock { state in
      state.devices?.sourceForProcess.map { .source($0) } ?? state.chosen
    }
  }

  /// The devices of this process, or nil if it never had one.
  static var devices: (any SimulatedDevices)? { state.withLock { $0.devices } }

  /// Asks the simulated devices of this process from now on, and prevents calls from opening a real store,
  /// unless ``set(_:)`` provides one.
  package static func simulate(_ devices: any SimulatedDevices) {
    state.withLock { state in
      guard state.devices == nil else { return }
      state.devices = devices
      state.opened = nil
    }
  }

  // MARK: Creation

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

/// The user of the default keychain in memory. This user knows the passcode and has an enrolled
/// finger, but knows no application password.
private struct CompliantUser: Authenticator {
  let knownPasscode = SecretBox(SecretBytes.random(count: 16))

  var biometry: BiometryState { .enrolled(Data([1])) }
  func passcode(for request: AuthenticationRequest) -> SecretBytes {
    knownPasscode.bytes.duplicate()
  }
  func matchesBiometry(for request: AuthenticationRequest) -> Bool { true }
  func applicationPassword(for request: AuthenticationRequest) throws -> SecretBytes {
    throw AtRestError(
      .canceled, "The application password is unknown.",
      remedy: "Set it as a credential of the context.")
  }
}
