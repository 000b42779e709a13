import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests the passwords of websites.
@Suite struct WebCredentialTests {
  private func add(_ site: String, _ account: String, _ password: String?) async -> Int? {
    await withCheckedContinuation { continuation in
      SecAddSharedWebCredential(
        site as CFString, account as CFString, password.map { $0 as CFString }
      ) { continuation.resume(returning: $0.map { CFErrorGetCode($0) }) }
    }
  }

  private func request(_ site: String?) async -> [[String: String]] {
    await withCheckedContinuation { continuation in
      SecRequestSharedWebCredential(site.map { $0 as CFString }, nil) { found, _ in
        continuation.resume(returning: found as? [[String: String]] ?? [])
      }
    }
  }

  @Test func aPasswordIsAddedChangedAndRemoved() async throws {
    let device = try SimulatedDevice(passcode: "1234")
    await device.run {
      #expect(await add("example.com", "eva", "first") == nil)
      #expect(await add("example.com", "eva", "second") == nil)
      #expect(await add("other.example", "eva", "other") == nil)
      let wanted = [["srvr": "example.com", "acct": "eva", "spwd": "second"]]
      #expect(await request("example.com") == wanted)
      #expect(await request(nil).count == 2)
      #expect(await add("example.com", "eva", nil) == nil)
      #expect(await request("example.com") == [])
      #expect(await add("example.com", "eva", nil) == Int(errSecItemNotFound))
    }
    #expect(device.calls.count == 9)
  }

  @Test func anErrorHasTheReasonOfItsCall() async throws {
    let device = try SimulatedDevice(passcode: "1234")
    await device.run {
      #expect(await add("example.com", "eva", "first") == nil)
      device.lock()
      let texts = AsyncStream<String?>.makeStream()
      SecRequestSharedWebCredential("example.com", nil) { _, error in
        texts.continuation.yield(error?.localizedDescription)
      }
      // The thread of the call knows the reason, because nothing was awaited since.
      let reason = SecCopyFailureReasonString(errSecInteractionNotAllowed) as String?
      var replies = texts.stream.makeAsyncIterator()
      #expect(await replies.next() == .some(reason))
      #expect(reason?.contains("locked") == true)
    }
  }

  @Test func aNewPasswordIsRandom() throws {
    let made = (0..<100).compactMap { _ in SecCreateSharedWebCredentialPassword() as String? }
    #expect(Set(made).count == 100)
    let pattern = /([A-Za-z3-9]{3}-){3}[A-Za-z3-9]{3}/
    #expect(made.allSatisfy { $0.wholeMatch(of: pattern) != nil })
  }
}
