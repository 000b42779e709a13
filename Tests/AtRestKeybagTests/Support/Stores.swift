import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

func thrown<Result>(_ body: () throws -> Result) -> AtRestError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? AtRestError
  }
}

/// Returns the code of the error that a closure throws, or nil if it throws none of AtRest's
/// errors.
func refusal<Result>(_ body: () throws -> Result) -> AtRestError.Code? { thrown(body)?.code }

/// A clock that a test controls. It starts in the first boot.
final class Clock: Sendable {
  private struct State {
    var boot: UInt8 = 1
    var seconds: UInt64 = 1_000_000
    var date: UInt64 = 1_700_000_000
    var shift: UInt64 = 0
    var isShifted = false
    var knowsBoot = true
  }
  private let state = Mutex(State())

  var boot: BootClock {
    BootClock {
      self.state.withLock {
        BootClock.Reading(
          boot: Data(repeating: $0.knowsBoot ? $0.boot : 0, count: 16),
          seconds: $0.seconds &+ $0.shift, date: $0.date, isShifted: $0.isShifted)
      }
    }
  }

  func advance(_ seconds: UInt64) {
    state.withLock { state in
      state.seconds += seconds
      state.date += seconds
    }
  }
  /// Enters a time namespace with an offset, or leaves it with nil.
  func shift(by seconds: UInt64?) {
    state.withLock { state in
      state.shift = seconds ?? 0
      state.isShifted = seconds != nil
    }
  }
  /// Hides the identifier of the boot, or shows it again.
  func hideBoot(_ isHidden: Bool) { state.withLock { $0.knowsBoot = !isHidden } }
  /// Sets only the wall clock, as its owner may.
  func setDate(_ date: UInt64) { state.withLock { $0.date = date } }
  /// Sets the boot-time clock back, which no system does.
  func setBack(_ seconds: UInt64) { state.withLock { $0.seconds -= seconds } }
  /// Restarts the system, as of a number of seconds ago.
  func restart(_ seconds: UInt64 = 0) {
    state.withLock { state in
      state.boot += 1
      state.seconds = seconds
    }
  }
}

/// A count that closures share.
final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}

/// A store in memory, whose files and device a test can reach.
struct MemoryStore {
  let storage = MemoryStorage()
  let device = MemoryDeviceKey()
  let clock = Clock()
  let keybag: Keybag

  init(passcode: String? = nil, attemptLimit: UInt16 = 0) throws {
    keybag = try Keybag.create(
      in: storage, device: device,
      passcode: passcode.map { SecretBox(SecretBytes(utf8: $0)) },
      options: .forTesting(attemptLimit: attemptLimit), clock: clock.boot)
  }

  func open(expecting: StoreIdentity? = nil) throws -> Keybag {
    try Keybag.open(in: storage, device: device, expecting: expecting, clock: clock.boot)
  }
}

extension Keybag.Options {
  /// Options with a fast KDF, which accept the short passcodes of readable tests.
  static func forTesting(attemptLimit: UInt16 = 0) -> Keybag.Options {
    Keybag.Options(kdf: .forTesting, attemptLimit: attemptLimit, allowsWeakPasscode: true)
  }
}

/// A folder that is removed together with its owner.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("atrest-\(UUID().uuidString)")
  deinit { try? FileManager.default.removeItem(at: url) }
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

extension Keybag {
  func unlock(_ passcode: String) throws { try unlock(passcode: SecretBytes(utf8: passcode)) }
  func change(_ old: String, _ new: String) throws {
    try changePasscode(
      from: SecretBytes(utf8: old), to: SecretBytes(utf8: new), allowsWeakPasscode: true)
  }
  func set(_ passcode: String, attemptLimit: UInt16 = 0) throws {
    try setPasscode(
      SecretBytes(utf8: passcode), options: .forTesting(attemptLimit: attemptLimit))
  }
  func remove(_ passcode: String) throws { try removePasscode(SecretBytes(utf8: passcode)) }

  /// The classes whose keys are in memory.
  var available: Set<KeyClass> { Set(KeyClass.allCases.filter { isAvailable($0) }) }

  /// Wraps a known key under every class that is available.
  func wrapAll() throws -> [KeyClass: Data] {
    var wrapped: [KeyClass: Data] = [:]
    for keyClass in available {
      wrapped[keyClass] = try wrap(SecretBytes(Data(repeating: 7, count: 32)), under: keyClass)
    }
    return wrapped
  }

  func opens(_ wrapped: Data, _ keyClass: KeyClass) -> Bool {
    let key = try? Data(copying: unwrap(wrapped, under: keyClass, name: "key"))
    return key == Data(repeating: 7, count: 32)
  }
}

extension Set<KeyClass> {
  static var all: Self { Set(KeyClass.allCases) }
  static var withoutPasscode: Self { all.subtracting([.whenPasscodeSetThisDeviceOnly]) }
  static func available(_ availabilities: KeyClass.Availability...) -> Self {
    all.filter { availabilities.contains($0.availability) }
  }
}
