import AtRestSimulation
import Foundation
import Security
import Testing

/// A status code does not say which group is missing, or what blocked; the device's log does.
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
