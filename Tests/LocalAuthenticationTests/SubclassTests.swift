import Foundation
import LocalAuthentication
import Testing

/// Tests contexts that applications use as test doubles.
@Suite struct SubclassTests {
  private final class Double: LAContext, @unchecked Sendable {
    private let succeeds: Bool
    init(succeeds: Bool) {
      self.succeeds = succeeds
      super.init()
    }

    override var biometryType: LABiometryType { .faceID }
    override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
      if !succeeds { error?.pointee = LAError(.biometryLockout) as NSError }
      return succeeds
    }
    override func evaluatePolicy(
      _ policy: LAPolicy, localizedReason: String, reply: @escaping (Bool, Error?) -> Void
    ) {
      reply(succeeds, succeeds ? nil : LAError(.userCancel))
    }
  }

  @Test func bothFormsReachTheOverride() async {
    #expect(await outcome(Double(succeeds: true)) == nil)
    #expect(await outcome(Double(succeeds: false)) == .userCancel)
    #expect(refusal(Double(succeeds: false), .deviceOwnerAuthentication) == .biometryLockout)
    #expect(Double(succeeds: true).biometryType == .faceID)
  }
}
