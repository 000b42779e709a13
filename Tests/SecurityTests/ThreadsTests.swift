import AtRestSimulation
import Foundation
import Security
import Synchronization
import Testing

/// Tests eight threads on one device. `make race` repeats the calls 100,000 times under the thread
/// sanitizer.
@Suite struct ThreadsTests {
  private static let calls =
    ProcessInfo.processInfo.environment["ATREST_RACE_CALLS"].flatMap { Int($0) } ?? 2_000
  private static let threads = 8

  @Test func callsFromEightThreadsDoNotMix() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let wrong = Mutex<[String]>([])
    let group = DispatchGroup()
    for number in 0..<Self.threads {
      group.enter()
      Thread {
        device.run {
          for round in 0..<(Self.calls / Self.threads / 4) {
            if let step = Self.step(number, round) {
              wrong.withLock { $0.append("thread \(number), round \(round): \(step)") }
            }
          }
        }
        group.leave()
      }.start()
    }
    group.wait()
    #expect(wrong.withLock { $0 } == [])
    device.run { #expect(exists([kSecClass: kSecClassGenericPassword]) == errSecItemNotFound) }
  }

  /// Adds, finds, updates and deletes an item of the thread. Returns the call that failed, or nil.
  private static func step(_ thread: Int, _ round: Int) -> String? {
    let account = "\(thread)-\(round % 7)"
    guard add(password(account, value: "\(thread) \(round)")) == errSecSuccess else {
      return "add"
    }
    guard value(query(account)) == "\(thread) \(round)" else { return "find" }
    guard update(query(account), [kSecValueData: Data("new \(round)".utf8)]) == errSecSuccess
    else { return "update" }
    guard value(query(account)) == "new \(round)" else { return "find after the update" }
    return delete(query(account)) == errSecSuccess ? nil : "delete"
  }
}
