import AtRestKeychain
import AtRestSimulation
import XCTest

/// An XCTest case whose tests each run on a simulated phone of their own.
///
/// ```swift
/// final class SessionTests: PhoneTestCase {
///   func testIsClosedInThePocket() throws {
///     try Session().signIn()
///     phone.lock()
///     XCTAssertNil(Session().token)
///   }
///   func testIsGoneOnAnotherPhone() throws {
///     try Session().signIn()
///     phone = try phone.after(.restoredElsewhere)
///     XCTAssertNil(Session().token)
///   }
/// }
/// ```
///
/// Code that imports `Security`, `LocalAuthentication` or `CryptoKit` uses the phone in the test, its
/// `setUp` and its `tearDown`, on every queue and thread. Wait for your queues before a test ends: what
/// runs later uses the phone of the next test. XCTest runs the tests of a process one after another.
open class PhoneTestCase: XCTestCase {
  private var device: SimulatedDevice?

  /// The phone on which the test runs. If you set it, the test goes on with that phone.
  public var phone: SimulatedDevice {
    get {
      guard let device else { preconditionFailure("A phone exists only while a test runs.") }
      return device
    }
    set {
      device = newValue
      newValue.useForProcess(as: application)
    }
  }

  /// Creates the phone of a test. Override it for another phone than an unlocked one with the passcode
  /// 1234 and an enrolled finger.
  ///
  /// - Throws: An error, with which the test fails.
  open func makePhone() throws -> SimulatedDevice { try TestPhone().device }

  /// The application that the tests run. The default is `SimulatedDevice.application`.
  open var application: ApplicationIdentity { SimulatedDevice.application }

  /// Runs a test with its `setUp` and its `tearDown` on its phone. XCTest calls it.
  open override func invokeTest() {
    do {
      phone = try makePhone()
    } catch {
      return XCTFail("The phone of the test could not be made: \(error)")
    }
    defer {
      DefaultKeychain.set(nil)
      device = nil
    }
    super.invokeTest()
  }
}
