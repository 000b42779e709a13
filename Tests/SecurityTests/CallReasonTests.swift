import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests that the device's log names the missing group or the locked class, which a status code does
/// not.
@Suite struct CallReasonTests {
  @Test func theMissingGroupIsNamed() throws {
    try onDevice { device in
      #expect(add(password([kSecAttrAccessGroup: "TEAM.shared"])) == errSecMissingEntitlement)
      #expect(device.calls.last?.reason?.contains("TEAM.shared") == true)
    }
  }

  @Test func theClassThatBlockedIsNamed() throws {
    try onDevice { device in
      _ = add(password())
      device.lock()
      #expect(exists(query()) == errSecInteractionNotAllowed)
      #expect(device.calls.last?.reason?.contains("when-unlocked") == true)
    }
  }

  @Test func aCallThatSucceededHasNone() throws {
    try onDevice { device in
      _ = add(password())
      #expect(device.calls.last?.reason == nil)
    }
  }
}
