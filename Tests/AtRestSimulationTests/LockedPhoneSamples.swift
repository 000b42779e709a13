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
    let query = login.merging([kSecReturnData: true]) { $1 } as CFDictionary
    var found: CFTypeRef?
    device.run {
      SecItemAdd(login.merging([kSecValueData: Data("s3cr3t".utf8)]) { $1 } as CFDictionary, nil)
      device.lock()
      print(SecItemCopyMatching(query, &found))
    }
    // sample: end
    #expect(found == nil)
    // Control: after an unlock the item is found.
    try device.unlock()
    let status = device.run { SecItemCopyMatching(query, &found) }
    #expect(status == errSecSuccess)
    #expect(found != nil)
    #expect(device.calls.map(\.status) == [0, -25308, 0])
  }
}
