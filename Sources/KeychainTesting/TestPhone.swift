import AtRestKeychain
import AtRestSimulation

/// The phone of a test, with the way in which the test runs on it.
struct TestPhone: Sendable {
  /// The phone that the traits of the current test made, or nil outside such a test.
  @TaskLocal static var current: TestPhone?

  let device: SimulatedDevice
  let application: ApplicationIdentity?
  /// True if queues and threads use the phone too.
  let usesEveryQueue: Bool

  init(device: SimulatedDevice, application: ApplicationIdentity?, usesEveryQueue: Bool) {
    self.device = device
    self.application = application
    self.usesEveryQueue = usesEveryQueue
  }

  /// Creates an unlocked phone with the passcode 1234, on which a finger is enrolled.
  init() throws {
    // atrest:ignore hardcoded-credential the passcode of a device that exists in tests only
    let device = try SimulatedDevice(passcode: "1234")
    device.enrolBiometry()
    self.init(device: device, application: nil, usesEveryQueue: false)
  }

  func run(_ body: @Sendable () async throws -> Void) async throws {
    try await Self.$current.withValue(self) {
      if usesEveryQueue {
        try await device.useForProcess(as: application, body)
      } else {
        try await device.run(as: application, body)
      }
    }
  }

  /// Returns the phone on which the application runs after an event.
  func after(_ event: DeviceEvent) throws -> TestPhone {
    TestPhone(
      device: try device.after(event, for: application), application: application,
      usesEveryQueue: usesEveryQueue)
  }
}
