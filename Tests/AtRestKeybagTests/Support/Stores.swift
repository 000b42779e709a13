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

/// The code of the error that a piece of work throws, or nil where it throws none of ours.
func refusal<Result>(_ body: () throws -> Result) -> AtRestError.Code? { thrown(body)?.code }

/// A clock that a test moves.
final class Clock: Sendable {
  private let now = Mutex<UInt64>(1_000_000)
  var seconds: @Sendable () -> UInt64 { { self.now.withLock { $0 } } }
  func advance(_ seconds: UInt64) { now.withLock { $0 += seconds } }
  func setBack(_ seconds: UInt64) { now.withLock { $0 -= seconds } }
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
      options: .init(kdf: .forTesting, attemptLimit: attemptLimit), clock: clock.seconds)
  }

  func open(acceptingOlder: Bool = false) throws -> Keybag {
    try Keybag.open(
      in: storage, device: device, acceptingOlder: acceptingOlder, clock: clock.seconds)
  }
}

/// A folder that is removed with its owner.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("atrest-\(UUID().uuidString)")
  deinit { try? FileManager.default.removeItem(at: url) }
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

extension Keybag {
  func unlock(_ passcode: String) throws { try unlock(passcode: SecretBytes(utf8: passcode)) }
  func change(_ old: String, _ new: String) throws {
    try changePasscode(from: SecretBytes(utf8: old), to: SecretBytes(utf8: new))
  }
  func set(_ passcode: String, attemptLimit: UInt16 = 0) throws {
    try setPasscode(
      SecretBytes(utf8: passcode),
      options: .init(kdf: .forTesting, attemptLimit: attemptLimit))
  }
  func remove(_ passcode: String) throws { try removePasscode(SecretBytes(utf8: passcode)) }

  /// The classes whose keys are in memory.
  var available: Set<KeyClass> { Set(KeyClass.allCases.filter { isAvailable($0) }) }

  /// A known key, wrapped under every class that is available.
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
