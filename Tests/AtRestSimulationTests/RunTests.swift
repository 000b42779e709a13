import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// Tests which device is used by code that names no keychain.
@Suite struct RunTests {
  private let token = PrimaryKey.genericPassword(service: "mail", account: "eva")

  private func add(_ secret: String) throws {
    try DefaultKeychain.get().add(token, secret: SecretBytes(utf8: secret))
  }
  private func read() throws -> String? {
    String(copying: try DefaultKeychain.get().secret(for: token))
  }

  @Test(arguments: 0..<20)
  func testsAtTheSameTimeSeeTheirOwnDevice(number: Int) async throws {
    let device = try SimulatedDevice()
    try await device.run {
      try add("secret \(number)")
      await Task.yield()
      #expect(try read() == "secret \(number)")
      async let child = Task { try read() }.value
      #expect(try await child == "secret \(number)")
    }
    #expect(try device.keychain().count() == 1)
  }

  @Test func devicesNest() throws {
    let outer = try SimulatedDevice()
    let inner = try SimulatedDevice()
    try outer.run {
      try add("outer")
      try inner.run { try add("inner") }
      #expect(try read() == "outer")
    }
  }

  @Test func theApplicationIsTheOneNamed() throws {
    let device = try SimulatedDevice()
    let app = ApplicationIdentity("app", keychainAccessGroups: ["team.shared"])
    let widget = ApplicationIdentity("widget", keychainAccessGroups: ["team.shared"])
    let stranger = ApplicationIdentity("stranger")
    try device.run(as: app) { try add("shared") }
    #expect(try device.run(as: widget) { try read() } == "shared")
    #expect(throws: AtRestError.self) { try device.run(as: stranger) { try read() } }
    #expect(try device.run { try DefaultKeychain.get().identity } == SimulatedDevice.application)
  }

  @Test func aRestartOpensTheKeychainAnew() throws {
    let device = try SimulatedDevice(passcode: "1234")
    try device.run {
      try add("s3cr3t")
      #expect(try DefaultKeychain.get() === DefaultKeychain.get())
      let former = try DefaultKeychain.get()
      try device.restart()
      #expect(try DefaultKeychain.get() !== former)
      #expect(throws: AtRestError.self) { try read() }
      try device.unlock()
      #expect(try read() == "s3cr3t")
    }
  }
}
