import AtRestCrypto
import AtRestEnvelopes
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// Envelopes open after a restore if their keys may leave the device.
@Suite struct RestoredEnvelopeTests {
  private static let context = Data("document 7".utf8)
  private static let phrase = "four words of my own"

  @Test(arguments: [Accessibility.whenUnlocked, .whenUnlockedThisDeviceOnly])
  func anEnvelopeOpensOnAnotherDevice(_ accessibility: Accessibility) throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keys = KeyEncryptionKeys(
      try device.keychain(), name: "documents", protection: .accessible(accessibility))
    let envelope = try keys.seal(SecretBytes(utf8: "contents"), context: Self.context)

    let next = try SimulatedDevice()
    let summary = try next.restore(device.backup(passphrase: Self.phrase), passphrase: Self.phrase)
    let restored = KeyEncryptionKeys(try next.keychain(), name: "documents")
    if accessibility == .whenUnlocked {
      let secret = try restored.open(envelope, context: Self.context)
      #expect(String(copying: secret) == "contents")
      #expect(summary.leftOut.isEmpty)
    } else {
      // Control: keys that never leave their device are named.
      #expect(throws: AtRestError.self) {
        _ = try restored.open(envelope, context: Self.context).count
      }
      #expect(summary.leftOut.map(\.reason) == [.otherDevice])
    }
  }
}
