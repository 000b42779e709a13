import AtRestCrypto
import AtRestSimulation
import CryptoKit
import Foundation
import LocalAuthentication
import Security

typealias SigningKey = SecureEnclave.P256.Signing.PrivateKey
typealias AgreementKey = SecureEnclave.P256.KeyAgreement.PrivateKey

let message = Data("AtRest".utf8)

/// Runs code on a new, unlocked device with the passcode 1234.
func onDevice(
  hasHardwareKeys: Bool = false, _ body: (SimulatedDevice) throws -> Void
) throws {
  let device = try SimulatedDevice(passcode: "1234", hasHardwareKeys: hasHardwareKeys)
  try device.run { try body(device) }
}

func accessControl(
  _ flags: SecAccessControlCreateFlags,
  _ protection: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
) throws -> SecAccessControl {
  var error: Unmanaged<CFError>?
  guard let made = SecAccessControlCreateWithFlags(nil, protection, flags, &error) else {
    throw error!.takeRetainedValue()
  }
  return made
}

/// Returns true if a key signs, and its signature is valid.
func signs(_ key: SigningKey) throws -> Bool {
  key.publicKey.isValidSignature(try key.signature(for: message), for: message)
}

/// Returns the code of the error that a closure throws, as text: `LAError -2` or an AtRest code.
func refusal<Result>(_ body: () throws -> Result) -> String? {
  do {
    _ = try body()
    return nil
  } catch let error as LAError {
    return "LAError \(error.code.rawValue)"
  } catch {
    return (error as? AtRestError)?.code.rawValue ?? "\(error)"
  }
}
