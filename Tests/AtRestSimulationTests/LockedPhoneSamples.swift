import AtRestSimulation
import Foundation
import Security
import Testing

/// The sample of the README for code of iOS. Between the marks is what pages show.
@Suite struct LockedPhoneSamples {
  @Test func readWhileLocked() throws {
    // sample: lock a simulated device
    let device = try SimulatedDevice(passcode: "1234")
    let login: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "eva"]
    let secret: [CFString: Any] = [kSecValueData: Data("s3cr3t".utf8)]
    let query = login.merging([kSecReturnData: true]) { $1 } as CFDictionary
    try device.run {
      var found: CFTypeRef?
      SecItemAdd(login.merging(secret) { $1 } as CFDictionary, nil)
      device.lock()
      print(SecItemCopyMatching(query, &found))
      try device.unlock()
      print(SecItemCopyMatching(query, &found))
    }
    // sample: end
    device.run {
      device.lock()
      #expect(SecItemCopyMatching(query, nil) == errSecInteractionNotAllowed)
    }
    #expect(device.calls.map(\.status) == [0, -25308, 0, -25308])
  }
}
