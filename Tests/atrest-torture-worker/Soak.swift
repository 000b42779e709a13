import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Synchronization

/// Threads that increment counters kept as secrets, in a store that other processes use too.
///
/// The command is `soak STORE DEVICE THREADS SECONDS COUNTERS ROLE`. It writes the number of
/// increments of each counter. The ROLE `changer` rewraps the class keys now and then, which locks the
/// other processes; they unlock the store again, and verify the passcode now and then.
final class Soak: Sendable {
  private let store: Store
  private let threads: Int
  private let seconds: Double
  private let counters: Int
  private let changes: Bool
  private let tally: Mutex<Tally>

  private struct Tally {
    var increments: [Int]
    var reads = 0
    var passcodes = 0
    var errors: [String] = []
  }

  init(_ store: Store, _ arguments: [String]) throws {
    guard arguments.count == 4, let threads = Int(arguments[0]),
      let seconds = Double(arguments[1]), let counters = Int(arguments[2])
    else { throw Unusable("soak STORE DEVICE THREADS SECONDS COUNTERS ROLE") }
    self.store = store
    self.threads = threads
    self.seconds = seconds
    self.counters = counters
    changes = arguments[3] == "changer"
    tally = Mutex(Tally(increments: Array(repeating: 0, count: counters)))
  }

  static func key(_ counter: Int) -> PrimaryKey {
    .genericPassword(service: "counter", account: "\(counter)")
  }

  func run() throws {
    let keybag = try store.keybag()
    try keybag.unlock(passcode: Store.passcode)
    // Two keychains per process: connections within a process meet as they do between processes.
    let keychains = try (0..<2).map { _ in
      try Keychain.open(keybag, identity: Store.identity)
    }
    let end = Date().addingTimeInterval(seconds)
    let group = DispatchGroup()
    for number in 0..<threads {
      group.enter()
      Thread {
        self.work(number, keychains[number % 2], end)
        group.leave()
      }.start()
    }
    group.wait()
    keychains.forEach { $0.close() }
    keybag.close()
    tally.withLock { tally in
      for (counter, count) in tally.increments.enumerated() { say("counter \(counter) \(count)") }
      say("reads \(tally.reads)")
      say("passcodes \(tally.passcodes)")
      for error in tally.errors { say("error \(error)") }
    }
  }

  private func work(_ number: Int, _ keychain: Keychain, _ end: Date) {
    var generator = SplitMix(UInt64(number) << 32 | UInt64(getpid()))
    var seen = Array(repeating: 0, count: counters)
    // The first threads begin with one call of each kind, so chance leaves none of them out.
    var first: Int? = [0: 0, 1: 1, 2: 99][number]
    while first != nil || Date() < end {
      let counter = generator.below(counters)
      do {
        switch first.take() ?? generator.below(100) {
        case 0:
          if changes {
            try keychain.keybag.changePasscode(from: Store.passcode, to: Store.passcode)
          } else {
            try keychain.keybag.verify(passcode: Store.passcode)
          }
          tally.withLock { $0.passcodes += 1 }
        case ..<40:
          let value = try Self.value(keychain, counter)
          guard value >= seen[counter] else {
            throw Unusable("counter \(counter) went back from \(seen[counter]) to \(value)")
          }
          seen[counter] = value
          tally.withLock { $0.reads += 1 }
        default:
          try keychain.transaction {
            let value = try Self.value(keychain, counter)
            try keychain.update(
              Self.key(counter), secret: SecretBytes(utf8: "\(value + 1)"))
          }
          tally.withLock { $0.increments[counter] += 1 }
        }
      } catch AtRestError.Code.locked where !changes {
        unlockAgain(keychain.keybag)
      } catch {
        tally.withLock { $0.errors.append("\(error)") }
      }
    }
  }

  /// Unlocks the store after another process changed the passcode, which locks this one.
  private func unlockAgain(_ keybag: Keybag) {
    do {
      try keybag.unlock(passcode: Store.passcode)
    } catch {
      tally.withLock { $0.errors.append("\(error)") }
    }
  }

  static func value(_ keychain: Keychain, _ counter: Int) throws -> Int {
    let text = String(copying: try keychain.secret(for: key(counter)))
    guard let value = text.flatMap({ Int($0) }) else { throw Unusable("not a number") }
    return value
  }
}
