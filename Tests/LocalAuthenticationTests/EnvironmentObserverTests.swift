import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import LocalAuthentication
import Synchronization
import Testing

/// Tests that observers learn of changes, and of nothing else.
@Suite struct EnvironmentObserverTests {
  /// An observer that records the state before each change, the state at the call, and the device that calls
  /// in the observer use.
  private final class Recorder: NSObject, LAEnvironment.Observer, Sendable {
    struct Change: Sendable {
      let old: LAEnvironment.State
      let new: LAEnvironment.State
      let device: SimulatedDevice?
    }
    private let continuation: AsyncStream<Change>.Continuation
    private let stream: AsyncStream<Change>
    private let count = Mutex(0)
    var calls: Int { count.withLock { $0 } }

    override init() { (stream, continuation) = AsyncStream.makeStream() }

    func environment(
      _ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State
    ) {
      count.withLock { $0 += 1 }
      continuation.yield(
        Change(old: oldState, new: environment.state, device: try? SimulatedDevice.current))
    }

    /// Waits for the next change.
    func next() async throws -> Change {
      try #require(await stream.first { _ in true })
    }
  }

  @Test func enrolmentIsTold() async throws {
    let device = try phone()
    let recorder = Recorder()
    device.run { LAEnvironment.currentUser.addObserver(recorder) }
    device.forgetBiometry()
    let change = try await recorder.next()
    #expect(change.old.biometry?.isEnrolled == true)
    // The state at the call already is the new one.
    #expect(change.new.biometry?.isEnrolled == false)
    #expect(change.device === device)
    device.enrolBiometry(.faceID)
    let next = try await recorder.next()
    #expect(next.old.biometry?.isEnrolled == false)
    #expect(next.new.biometry?.isEnrolled == true && next.new.biometry?.biometryType == .faceID)
  }

  @Test func anotherFingerIsToldByItsHash() async throws {
    let device = try phone()
    let recorder = Recorder()
    device.run { LAEnvironment.currentUser.addObserver(recorder) }
    device.enrolBiometry()
    let change = try await recorder.next()
    #expect(change.old.biometry?.stateHash != change.new.biometry?.stateHash)
  }

  @Test func thePasscodeIsTold() async throws {
    let device = try phone()
    let recorder = Recorder()
    device.run { LAEnvironment.currentUser.addObserver(recorder) }
    try device.removePasscode()
    let removed = try await recorder.next()
    #expect(removed.old.userPassword?.isSet == true && removed.new.userPassword?.isSet == false)
    #expect(removed.new.biometry?.isEnrolled == false)
    try device.setPasscode("5678")
    #expect(try await recorder.next().new.userPassword?.isSet == true)
  }

  @Test func aLockoutAtAPromptIsToldAndItsEnd() async throws {
    let device = try phone()
    let recorder = Recorder()
    try await device.run {
      LAEnvironment.currentUser.addObserver(recorder)
      device.user.will(.fail)
      let biometrics = LAPolicy.deviceOwnerAuthenticationWithBiometrics
      for _ in 1..<5 { #expect(await outcome(LAContext(), biometrics) == .authenticationFailed) }
      #expect(recorder.calls == 0)
      #expect(await outcome(LAContext(), biometrics) == .authenticationFailed)
      #expect(try await recorder.next().new.biometry?.isLockedOut == true)
      device.user.will(.comply)
      #expect(await outcome(LAContext(), .deviceOwnerAuthentication) == nil)
      let end = try await recorder.next()
      #expect(end.old.biometry?.isLockedOut == true && end.new.biometry?.isLockedOut == false)
    }
  }

  @Test func nothingElseIsTold() async throws {
    let device = try phone()
    let other = try phone()
    let recorder = Recorder()
    device.run { LAEnvironment.currentUser.addObserver(recorder) }
    device.lock()
    try device.unlock()
    try device.restart()
    try device.unlock()
    device.user.will(.cancel)
    other.forgetBiometry()
    _ = device.run { LAEnvironment.currentUser.state }
    // Control: the first call is that of the next change, and the queue is serial.
    device.lockOutBiometry()
    let change = try await recorder.next()
    #expect(change.old.biometry?.isLockedOut == false && change.new.biometry?.isLockedOut == true)
    #expect(recorder.calls == 1)
  }

  @Test func anObserverIsCalledOnceAndNotAfterItsRemoval() async throws {
    let device = try phone()
    let removed = Recorder()
    let kept = Recorder()
    let environment = device.run { LAEnvironment.currentUser }
    for _ in 0..<2 { environment.addObserver(removed) }
    environment.addObserver(kept)
    device.enrolBiometry()
    _ = try await kept.next()
    #expect(removed.calls == 1)
    environment.removeObserver(removed)
    // An observer that was not added does not matter.
    environment.removeObserver(Recorder())
    device.enrolBiometry()
    _ = try await kept.next()
    #expect(removed.calls == 1)
    #expect(kept.calls == 2)
  }

  @Test func anObserverIsNotKeptAlive() async throws {
    let device = try phone()
    let environment = device.run { LAEnvironment.currentUser }
    weak var gone: Recorder?
    do {
      let recorder = Recorder()
      gone = recorder
      environment.addObserver(recorder)
    }
    #expect(gone == nil)
    // Control: one that is alive is called.
    let kept = Recorder()
    environment.addObserver(kept)
    device.enrolBiometry()
    _ = try await kept.next()
  }

  @Test func theMethodIsOptional() async throws {
    final class Silent: NSObject, LAEnvironment.Observer {}
    let device = try phone()
    let silent = Silent()
    let recorder = Recorder()
    device.run {
      LAEnvironment.currentUser.addObserver(silent)
      LAEnvironment.currentUser.addObserver(recorder)
    }
    device.enrolBiometry()
    _ = try await recorder.next()
    withExtendedLifetime(silent) {}
  }

  /// An authenticator of a program, which gives no notice of a lockout.
  private final class Reader: Authenticator {
    private let locked = Atomic(false)
    var biometry: BiometryState { .enrolled(Data([1])) }
    var isBiometryLockedOut: Bool { locked.load(ordering: .relaxed) }
    func passcode(for request: AuthenticationRequest) throws -> SecretBytes {
      SecretBytes(utf8: "1234")
    }
    func matchesBiometry(for request: AuthenticationRequest) throws -> Bool {
      locked.store(true, ordering: .relaxed)
      return false
    }
    func applicationPassword(for request: AuthenticationRequest) throws -> SecretBytes {
      SecretBytes(utf8: "")
    }
  }

  @Test func aLockoutOfAProgramsReaderIsToldAfterAnEvaluation() async throws {
    let device = try phone()
    let keychain = try Keychain.open(
      device.keybag, in: .init(), identity: SimulatedDevice.application, authenticator: Reader())
    let source = DefaultKeychain.Source(keychain: { keychain }, record: { _ in })
    let recorder = Recorder()
    try await DefaultKeychain.$taskSource.withValue(source) { () async throws in
      LAEnvironment.currentUser.addObserver(recorder)
      let policy = LAPolicy.deviceOwnerAuthenticationWithBiometrics
      #expect(await outcome(LAContext(), policy) == .authenticationFailed)
      #expect(try await recorder.next().new.biometry?.isLockedOut == true)
    }
  }
}
