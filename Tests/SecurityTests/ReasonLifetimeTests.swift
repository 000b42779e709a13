import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests how long the reason of a failure is remembered.
@Suite struct ReasonLifetimeTests {
  @Test func aCallThatSucceedsClearsTheReason() throws {
    try onDevice { _ in
      #expect(add(password([kSecValueData: "text"])) == errSecParam)
      #expect(SecCopyFailureReasonString(errSecParam) != nil)
      #expect(SecCopyFailureReasonString(errSecDecode) == nil)
      #expect(add(password()) == errSecSuccess)
      #expect(SecCopyFailureReasonString(errSecParam) == nil)
    }
  }

  @Test func theReasonIsOfItsThread() throws {
    try onDevice { _ in
      #expect(add(password([kSecValueData: "text"])) == errSecParam)
      let thread = Thread { #expect(SecCopyFailureReasonString(errSecParam) == nil) }
      thread.start()
      while !thread.isFinished { Thread.yield() }
      #expect(SecCopyFailureReasonString(errSecParam) != nil)
    }
  }
}

extension Thread {
  fileprivate static func yield() { sched_yield() }
}
