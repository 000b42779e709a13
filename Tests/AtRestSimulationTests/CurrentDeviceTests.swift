import AtRestCrypto
import AtRestSimulation
import Testing

/// Tests that code on a device can ask for the device.
@Suite struct CurrentDeviceTests {
  @Test func aTaskOnADeviceKnowsTheDevice() async throws {
    let device = try SimulatedDevice()
    let other = try SimulatedDevice()
    #expect(try device.run { try SimulatedDevice.current } === device)
    let inner = await device.run {
      await other.run { await Task { try? SimulatedDevice.current }.value }
    }
    #expect(inner === other)
  }

  // Tests without a device run at the same time, so this is another process.
  @Test func aDetachedTaskInAUseForTheProcessKnowsTheDevice() async {
    await #expect(processExitsWith: .success) {
      let device = try SimulatedDevice()
      let found = try await device.useForProcess {
        await Task.detached { try? SimulatedDevice.current }.value
      }
      #expect(found === device)
    }
  }

  @Test func otherwiseThereIsNone() async {
    await #expect(processExitsWith: .success) {
      _ = try SimulatedDevice()
      #expect { _ = try SimulatedDevice.current } throws: {
        ($0 as? AtRestError)?.code == .invalidArgument
      }
    }
  }
}
