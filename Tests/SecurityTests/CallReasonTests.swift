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

  @Test func aWrongKeyOrValueIsNamed() throws {
    let wrong: [(Request, String)] = [
      ([kSecAttrAccessible: "ax"], "pdmn"), ([kSecReturnData: 1], "r_Data"),
      ([kSecMatchLimit: -2], "m_Limit"), ([kSecValueData: "secret text"], "v_Data"),
      ([kSecAttrCreator: Data([1])], "creator"), (["u_What": true], "u_What"),
      ([kSecMatchSubjectContains: "x"], "m_SubjectContains"),
      ([kSecValuePersistentRef: Data([1])], "v_PersistentRef"),
    ]
    try onDevice { device in
      for (more, name) in wrong {
        let status = exists(query(more))
        #expect([errSecParam, errSecUnimplemented].contains(status))
        let reason = try #require(device.calls.last?.reason)
        #expect(reason.contains(name) && !reason.contains("secret text"))
        #expect(SecCopyFailureReasonString(status) as String? == reason)
        #expect(SecCopyFailureReasonString(errSecIO) == nil)
      }
    }
  }

  @Test func noReasonContainsTheValue() throws {
    let wrong: [Request] = [
      [kSecAttrAccessible: "1234.5"], [kSecMatchLimit: "1234.5"], [kSecClass: "1234.5"],
      [kSecAttrPort: 1234.5], [kSecAttrAccount: URL(fileURLWithPath: "/1234.5")],
    ]
    try onDevice { device in
      for more in wrong {
        #expect(exists(query(more)) != errSecSuccess)
        let reason = try #require(device.calls.last?.reason)
        #expect(!reason.contains("1234.5"))
      }
      #expect(exists(query([kSecAttrAccount: true])) == errSecParam)
      #expect(device.calls.last?.reason?.contains("a Boolean") == true)
    }
  }

  @Test func eachWrongCombinationIsExplained() throws {
    try onDevice { device in
      let control = try accessControl(.userPresence)
      let wrong: [OSStatus] = [
        add(password([kSecMatchLimit: kSecMatchLimitOne])), add([kSecAttrAccount: "eva"]),
        add(password([kSecAttrAccessControl: control, kSecAttrSynchronizable: true])),
        update(query([kSecReturnData: true]), [:]), update(query(), [kSecAttrTokenID: "x"]),
        delete(query([kSecMatchLimit: kSecMatchLimitOne])), exists([kSecAttrAccount: "eva"]),
        delete(query([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])),
      ]
      #expect(wrong == Array(repeating: errSecParam, count: wrong.count))
      #expect(device.calls.count == wrong.count)
      #expect(device.calls.allSatisfy { $0.reason != nil })
    }
  }

  @Test func aReasonBelongsToItsThread() async throws {
    #expect(exists([:]) == errSecParam)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        #expect(SecCopyFailureReasonString(errSecParam) == nil)
        continuation.resume()
      }
    }
  }

  @Test func aCallThatSucceededHasNone() throws {
    try onDevice { device in
      _ = add(password())
      #expect(device.calls.last?.reason == nil)
    }
  }
}
