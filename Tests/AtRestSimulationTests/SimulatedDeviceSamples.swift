import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// The sample of docs/Keychain.md for tests. Between the marks is what the page shows.
@Suite struct SimulatedDeviceSamples {
  @Test func testCodeThatUsesAKeychain() throws {
    // sample: test with a simulated device
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    let token = PrimaryKey.genericPassword(service: "com.example.api", account: "eva")
    try keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"))

    device.lock()  // also: unlock(), restart(), removePasscode(), enrolBiometry()
    device.user.will(.cancel)  // the user's answer to the next prompt
    // Now keychain.secret(for: token) throws AtRestError with the code .locked.
    // sample: end
    #expect { _ = try keychain.secret(for: token).count } throws: {
      ($0 as? AtRestError)?.code == .locked
    }
  }
}
