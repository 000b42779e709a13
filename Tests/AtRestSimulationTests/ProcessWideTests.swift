import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Dispatch
import Testing

/// Tests a device for the whole process, and its use on dispatch queues. Each test runs in a process of
/// its own.
@Suite struct ProcessWideTests {
  @Test func itIsThereOnAQueueWhereTheTasksIsNot() async {
    await #expect(processExitsWith: .success) {
      let ofTask = try SimulatedDevice()
      let ofProcess = try SimulatedDevice()
      ofProcess.useForProcess()
      let queued = try ofTask.opened()
      #expect(try await onQueue { try DefaultKeychain.get() } !== queued)
      try await onQueue {
        try DefaultKeychain.get().add(
          .genericPassword(service: "s", account: "a"), secret: SecretBytes(utf8: "x"))
        log("SecItemAdd")
      }
      #expect(try ofProcess.keychain().count() == 1)
      #expect(ofProcess.calls.map(\.function) == ["SecItemAdd"])
      #expect(ofTask.calls.isEmpty)
      // The task's own device takes precedence.
      try ofTask.run {
        let keychain = try DefaultKeychain.get()
        #expect(keychain === queued)
        log("SecItemDelete")
      }
      #expect(ofTask.calls.map(\.function) == ["SecItemDelete"])
      ofTask.forgetCalls()
      #expect(ofTask.calls.isEmpty)
      #expect(ofProcess.calls.count == 1)
    }
  }

  @Test func itEnds() async {
    await #expect(processExitsWith: .success) {
      let device = try SimulatedDevice()
      device.useForProcess()
      let inUse = try await onQueue { try DefaultKeychain.get() }
      #expect(inUse.identity == SimulatedDevice.application)
      DefaultKeychain.set(nil)
      #expect(try await onQueue { try DefaultKeychain.get() } !== inUse)
      #expect(DefaultKeychain.source == nil)
    }
  }

  @Test func withoutAnyTheKeychainIsOneInMemory() async {
    await #expect(processExitsWith: .success) {
      _ = try SimulatedDevice()
      let keychain = try DefaultKeychain.get()
      #expect(keychain.identity != SimulatedDevice.application)
      #expect(keychain.keybag.lockState == .unlocked)
      #expect(keychain.keybag.hasPasscode)
    }
  }
}

private func log(_ function: String) {
  DefaultKeychain.source?.record(KeychainCall(function: function, query: [:], status: 0))
}

private func onQueue<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "test").async {
      continuation.resume(with: Swift.Result { try body() })
    }
  }
}

extension SimulatedDevice {
  fileprivate func opened() throws -> Keychain { try run { try DefaultKeychain.get() } }
}
