import Dispatch
import KeychainTesting
import Security
import XCTest

/// Tests that each test of XCTest has a phone of its own, from `setUp` to `tearDown`.
final class PhoneXCTests: PhoneTestCase {
  private var atFirst: OSStatus = 0

  override func setUpWithError() throws {
    atFirst = Token.read()
    try Token.save()
  }

  override func tearDown() {
    XCTAssertNotNil(try? SimulatedDevice.current)
  }

  func testALockedPhoneClosesTheToken() throws {
    XCTAssertEqual(atFirst, errSecItemNotFound)
    XCTAssertEqual(Token.read(), errSecSuccess)
    phone.lock()
    XCTAssertEqual(Token.read(), errSecInteractionNotAllowed)
    try phone.unlock()
    XCTAssertEqual(Token.read(), errSecSuccess)
  }

  func testAQueueUsesThePhone() {
    phone.lock()
    let done = expectation(description: "read")
    DispatchQueue(label: "keychain").async {
      XCTAssertEqual(Token.read(), errSecInteractionNotAllowed)
      done.fulfill()
    }
    wait(for: [done], timeout: 60)
  }

  func testAnAsynchronousTestUsesThePhone() async throws {
    let device = phone
    XCTAssertTrue(try SimulatedDevice.current === device)
    XCTAssertEqual(atFirst, errSecItemNotFound)
  }

  func testTheTestGoesOnWithTheNextPhone() throws {
    let former = phone
    phone = try phone.after(.restoredElsewhere)
    XCTAssertFalse(phone === former)
    XCTAssertEqual(Token.read(), errSecSuccess)
    phone.lock()
    XCTAssertEqual(Token.read(), errSecInteractionNotAllowed)
  }
}

/// Tests a phone of the test case's choice.
final class OtherPhoneXCTests: PhoneTestCase {
  override func makePhone() throws -> SimulatedDevice { try SimulatedDevice(biometry: .faceID) }

  func testThePhoneIsTheOneThatWasMade() {
    XCTAssertEqual(phone.biometryKind, .faceID)
    XCTAssertFalse(phone.keybag.hasPasscode)
  }
}
