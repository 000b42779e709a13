import AtRestKeychain
import AtRestSimulation
import Foundation
import LocalAuthentication
import Security

/// Returns the code of the error if a policy cannot be evaluated, or nil if it can.
func refusal(_ context: LAContext, _ policy: LAPolicy) -> LAError.Code? {
  var error: NSError?
  let can = context.canEvaluatePolicy(policy, error: &error)
  precondition(can == (error == nil))
  return error.map { LAError(_nsError: $0).code }
}

/// Evaluates a policy. Returns the code of the error, or nil if the evaluation succeeds.
func outcome(
  _ context: LAContext, _ policy: LAPolicy = .deviceOwnerAuthentication, _ reason: String = "Pay"
) async -> LAError.Code? {
  await outcome { try await context.evaluatePolicy(policy, localizedReason: reason) }
}

func outcome(_ evaluate: () async throws -> Bool) async -> LAError.Code? {
  do {
    let succeeded = try await evaluate()
    precondition(succeeded)
    return nil
  } catch {
    return (error as? LAError)?.code
  }
}

/// Creates a device with a passcode and an enrolled finger or face.
func phone(_ kind: BiometryKind = .touchID) throws -> SimulatedDevice {
  let device = try SimulatedDevice(passcode: "1234")
  device.enrolBiometry(kind)
  return device
}

/// A password with an access control, which can be added and read.
struct Guarded {
  let flags: SecAccessControlCreateFlags

  private var query: [String: Any] {
    [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "guarded"]
  }

  func add(_ context: LAContext? = nil) -> OSStatus {
    var query = query
    query[kSecValueData as String] = Data("s3cr3t".utf8)
    query[kSecAttrAccessControl as String] = SecAccessControlCreateWithFlags(
      nil, kSecAttrAccessibleWhenUnlocked, flags, nil)!
    if let context { query[kSecUseAuthenticationContext as String] = context }
    return SecItemAdd(query as CFDictionary, nil)
  }

  func read(_ context: LAContext?, prompt: String? = nil) -> OSStatus {
    var query = query
    query[kSecReturnData as String] = true
    if let context { query[kSecUseAuthenticationContext as String] = context }
    if let prompt { query["u_OpPrompt"] = prompt }
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    precondition((status == errSecSuccess) == (result as? Data == Data("s3cr3t".utf8)))
    return status
  }
}
