import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// An attempt that fails for another reason than a wrong passcode is not counted.
@Suite struct GivenBackTests {
  private func store() throws -> (UnsteadyDevice, Keybag) {
    let device = UnsteadyDevice()
    let keybag = try Keybag.create(
      in: MemoryStorage(), device: device, passcode: SecretBox(SecretBytes(utf8: "1234")),
      options: .forTesting(attemptLimit: 3))
    #expect(refusal { try keybag.unlock("x") } == .authenticationFailed)
    return (device, keybag)
  }

  @Test func afterAFailureOfTheDevice() throws {
    let (device, keybag) = try store()
    device.refuse("atrest.passcode-wrap.v1")
    for _ in 0..<5 {
      #expect(throws: UnsteadyDevice.Refused.self) { try keybag.unlock("x") }
      #expect(try keybag.failedAttempts() == 1)
    }
    device.refuse(nil)
    // Control: a wrong passcode counts, and the third one wipes the store.
    #expect(refusal { try keybag.unlock("x") } == .authenticationFailed)
    #expect(try keybag.failedAttempts() == 2)
    #expect(refusal { try keybag.unlock("x") } == .wiped)
  }

  @Test func whenTheTaskIsCancelled() async throws {
    let (_, keybag) = try store()
    keybag.lock()
    let code = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return refusal { try keybag.unlock("1234") }
    }.value
    #expect(code == .canceled)
    let asynchronous = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      do {
        try await keybag.unlock(passcode: SecretBytes(utf8: "1234"))
        return nil as AtRestError.Code?
      } catch { return (error as? AtRestError)?.code }
    }.value
    #expect(asynchronous == .canceled)
    #expect(keybag.lockState == .locked)
    #expect(try keybag.failedAttempts() == 1)
    // Control: a task that is not cancelled unlocks.
    let other = await Task { refusal { try keybag.unlock("1234") } }.value
    #expect(other == nil)
    #expect(try keybag.failedAttempts() == 0)
  }
}
