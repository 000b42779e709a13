import AtRestFoundation
import AtRestSimulation
import Foundation
import Testing

/// Tests of a file that imports Foundation and AtRestFoundation, which does not compile without the plugin.
@Suite struct BothImportsTests {
  @Test func theProtectedCallWins() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    let secret = Data("The quick brown fox".utf8)
    let device = try SimulatedDevice(passcode: "1234")
    try device.run {
      try secret.write(to: url, options: .completeFileProtection)
      try #expect(plainData(url).range(of: secret) == nil)
      try #expect(Data(contentsOf: url) == secret)
    }
  }
}
