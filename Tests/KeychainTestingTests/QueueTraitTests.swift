import Dispatch
import Foundation
import KeychainTesting
import Security
import Testing

/// A phone on every queue is the phone of all tests of its process that have none, so these tests have a process of
/// their own.
@Suite(.disabled(if: isAlone)) struct QueueTraitProcessTests {
  @Test func theyPass() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["--testing-library", "swift-testing", "--filter", "QueueTraitTests/"]
    process.environment = ProcessInfo.processInfo.environment.merging([alone: "1"]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(output)")
    #expect(output.contains("with 3 tests"), "\(output)")
  }
}

private let alone = "ATREST_TESTS_ALONE"
private let isAlone = ProcessInfo.processInfo.environment[alone] != nil

/// Tests code that calls the keychain on a queue.
@Suite(.enabled(if: isAlone)) struct QueueTraitTests {
  @Test(.phone(onEveryQueue: true), .given { try Token.save() }, .lockedPhone)
  func aQueueUsesThePhone() async throws {
    #expect(await onAQueue { Token.read() } == errSecInteractionNotAllowed)
    let device = try SimulatedDevice.current
    #expect(await onAQueue { (try? SimulatedDevice.current) === device })
  }

  @Test(.phone(onEveryQueue: true), .given { try Token.save() }, .restoredElsewhere)
  func aQueueUsesTheNextPhone() async throws {
    #expect(await onAQueue { Token.read() } == errSecSuccess)
  }

  // Control: the phone of a test that says nothing is not the queue's. The queue may use that of a test
  // that runs at the same time.
  @Test(.phone) func aQueueOfAnotherTestDoesNot() async throws {
    let device = try SimulatedDevice.current
    #expect(await onAQueue { (try? SimulatedDevice.current) !== device })
  }

  private func onAQueue<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "keychain").async { continuation.resume(returning: body()) }
    }
  }
}
