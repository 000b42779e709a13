import AtRestKeychain
import AtRestSimulation
import Testing

/// A simulated phone for each test, and what happens to it before the test.
///
/// ```swift
/// @Suite(.given { try Session().signIn() }) struct SessionTests {
///   @Test(.lockedPhone) func isClosedInThePocket() { #expect(Session().token == nil) }
///   @Test(.reenrolled) func asksForAnotherSignIn() { #expect(Session().needsSignIn) }
///   @Test(.reinstalled) func isFoundAgain() { #expect(Session().token != nil) }
/// }
/// ```
///
/// Each test, and each case of a test with arguments, has a phone of its own: an unlocked one with a
/// passcode and an enrolled finger, unless `.phone(…)` says otherwise. Code that imports `Security`,
/// `LocalAuthentication` or `CryptoKit` uses this phone in the test, so tests can run in parallel.
/// `SimulatedDevice.current` is the phone, with which a test goes on:
///
/// ```swift
/// @Test(.given(signIn), .lockedPhone) func readsAfterTheUnlock() throws {
///   try SimulatedDevice.current.unlock()
///   #expect(Session().token != nil)
/// }
/// ```
///
/// Traits act in the order in which they are written, those of a suite before those of its tests. The
/// instance of the suite is made after the last one, so its `init` runs on the phone as it is then. An
/// error of a trait is an issue of the test, whose body does not run.
///
/// Dispatch queues, threads and detached tasks use the phone only with an `LAContext` that was created in
/// the test, unless the phone is `.phone(onEveryQueue: true)`.
public struct PhoneTrait: TestTrait, SuiteTrait, TestScoping {
  /// Takes the phone that earlier traits made, or nil, and returns the phone of the test.
  private let step: @Sendable (TestPhone?) async throws -> TestPhone

  fileprivate init(step: @escaping @Sendable (TestPhone?) async throws -> TestPhone) {
    self.step = step
  }

  /// Creates a trait that changes the phone, or a new phone if no earlier trait made one.
  fileprivate init(event: @escaping @Sendable (TestPhone) async throws -> TestPhone) {
    self.init(step: { try await event($0 ?? TestPhone()) })
  }

  /// True, because each test in a suite has a phone of its own.
  public var isRecursive: Bool { true }

  /// Runs a test on its phone, after the event of this trait.
  ///
  /// - Throws: The errors of the event, of the closure of `.given`, and of the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let former = TestPhone.current
    let phone = try await step(former)
    guard phone.device !== former?.device else { return try await function() }
    try await phone.run(function)
  }
}

/// The phones.
extension Trait where Self == PhoneTrait {
  /// An unlocked phone with the passcode 1234, on which a finger is enrolled.
  public static var phone: Self { .phone() }

  /// An unlocked phone. It takes the place of a phone of earlier traits.
  ///
  /// ```swift
  /// @Test(.phone(biometry: .faceID, hasHardwareKeys: true)) func signsInHardware() throws { … }
  /// ```
  ///
  /// - Parameters:
  ///   - passcode: The passcode, or nil for a phone without a passcode.
  ///   - biometry: The biometry that the phone supports, or nil if it supports none.
  ///   - isEnrolled: False for a phone on which no finger or face is enrolled. A phone without a
  ///     passcode has none.
  ///   - hasHardwareKeys: True for a phone with hardware that makes keys and keeps them.
  ///   - application: The application that the test runs, or nil for `SimulatedDevice.application`.
  ///   - onEveryQueue: True if queues, threads and detached tasks use the phone too. Such tests of a
  ///     process take turns, and must wait for their queues.
  public static func phone(
    passcode: String? = "1234", biometry: BiometryKind? = .touchID, isEnrolled: Bool = true,
    hasHardwareKeys: Bool = false, application: ApplicationIdentity? = nil,
    onEveryQueue: Bool = false
  ) -> Self {
    PhoneTrait(step: { _ in
      let device = try SimulatedDevice(
        passcode: passcode, biometry: biometry, hasHardwareKeys: hasHardwareKeys)
      if isEnrolled, passcode != nil, let biometry { device.enrolBiometry(biometry) }
      return TestPhone(device: device, application: application, usesEveryQueue: onEveryQueue)
    })
  }
}

/// The state of the phone before the test.
extension Trait where Self == PhoneTrait {
  /// Runs code of the application on the phone, such as a sign-in whose outcome the test needs.
  ///
  /// - Parameter body: The code. An error that it throws is an issue of the test.
  public static func given(_ body: @escaping @Sendable () async throws -> Void) -> Self {
    PhoneTrait(event: { phone in
      try await phone.run(body)
      return phone
    })
  }

  /// Sets the answers of the user to the next prompts. The last answer is repeated.
  ///
  /// ```swift
  /// @Test(.given(signIn), .user(.cancel)) func aDismissedPromptIsNoSignOut() async { … }
  /// ```
  public static func user(
    _ answer: ScriptedUser.Answer, _ further: ScriptedUser.Answer...
  ) -> Self {
    PhoneTrait(event: { phone in
      phone.device.user.will([answer] + further)
      return phone
    })
  }
}

/// The events, which are those of `DeviceEvent`.
extension Trait where Self == PhoneTrait {
  /// Lets an event happen to the phone.
  public static func after(_ event: DeviceEvent) -> Self {
    PhoneTrait(event: { try $0.after(event) })
  }

  /// The phone is locked, as in a pocket.
  public static var lockedPhone: Self { .after(.locked) }
  /// The phone was restarted and has not been unlocked since.
  public static var beforeFirstUnlock: Self { .after(.beforeFirstUnlock) }
  /// Another finger or face was enrolled.
  public static var reenrolled: Self { .after(.reenrolled) }
  /// Every finger and face was removed.
  public static var nobodyEnrolled: Self { .after(.nobodyEnrolled) }
  /// Biometry is locked after five wrong fingers or faces in a row.
  public static var biometryLockedOut: Self { .after(.biometryLockedOut) }
  /// The passcode was removed, and every finger and face with it.
  public static var passcodeRemoved: Self { .after(.passcodeRemoved) }
  /// The application was deleted and installed again. Its keychain items remain, as on iOS; its files
  /// and user defaults are the test's.
  public static var reinstalled: Self { .after(.reinstalled) }
  /// The phone was erased and restored from its encrypted backup, and a finger or face enrolled.
  public static var restored: Self { .after(.restored) }
  /// The encrypted backup was restored onto a new phone of the same user. The test runs on the new one.
  public static var restoredElsewhere: Self { .after(.restoredElsewhere) }
}
