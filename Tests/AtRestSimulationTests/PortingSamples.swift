import AtRestSimulation
import Foundation
import Security
import Testing

/// The samples of docs/Porting.md. Between the marks is what the page shows.
@Suite struct PortingSamples {
  @Test func readTheReasonOfARefusal() throws {
    // sample: read the reason of a refusal
    let device = try SimulatedDevice()
    let item: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrAccount: "eva", kSecValueData: "s3cr3t",
    ]
    let status = device.run { SecItemAdd(item as CFDictionary, nil) }
    print(status, SecCopyFailureReasonString(status) ?? "")
    print(device.calls.last?.reason ?? "")
    // sample: end
    #expect(status == errSecParam)
    #expect(device.calls.last?.reason?.contains("v_Data is not data") == true)
  }

  @Test func useQueues() async {
    await #expect(processExitsWith: .success) {
      // sample: use a queue
      let device = try SimulatedDevice(passcode: "1234")
      try await device.useForProcess {
        let status = await withCheckedContinuation { done in
          DispatchQueue(label: "keychain").async {
            let item: [CFString: Any] = [
              kSecClass: kSecClassGenericPassword, kSecAttrAccount: "eva",
            ]
            done.resume(returning: SecItemAdd(item as CFDictionary, nil))
          }
        }
        print(status)
      }
      let strays = device.strayCalls.filter { $0.function.hasPrefix("SecItem") }
      print(strays.count)
      // sample: end
      #expect(device.calls.map(\.status) == [0])
    }
  }
}
