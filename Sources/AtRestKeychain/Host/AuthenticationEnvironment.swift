import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// The means of authentication of one device, and whoever follows their changes: what `LAEnvironment`
/// shows.
///
/// A simulated device has one, which it asks to look again after each change. All keychains of the
/// process that are not of a simulated device share ``shared``. Safe to use from several threads.
package final class AuthenticationEnvironment: Sendable {
  /// The means of authentication at one moment.
  package struct Reading: Equatable, Sendable {
    /// True if a passcode is set.
    package let hasPasscode: Bool
    /// True if there is an authenticator, which can ask the user.
    package let canAsk: Bool
    /// The kind of biometry reader, or nil if the device has none.
    package let biometryKind: BiometryKind?
    /// The enrolled biometry.
    package let biometry: BiometryState
    /// True if biometry is locked until the passcode is entered.
    package let isBiometryLockedOut: Bool

    package init(hasPasscode: Bool, _ authenticator: (any Authenticator)?) {
      self.hasPasscode = hasPasscode
      canAsk = authenticator != nil
      biometryKind = authenticator?.biometryKind
      biometry = authenticator?.biometry ?? .unavailable
      isBiometryLockedOut = authenticator?.isBiometryLockedOut ?? false
    }

    package init(_ keychain: Keychain) {
      self.init(hasPasscode: keychain.keybag.hasPasscode, keychain.authenticator)
    }

    /// The means of a device whose keychain cannot be opened.
    package static let none = Reading(hasPasscode: false, nil)
  }

  /// Called with the reading before a change, and with the device on which the change was made.
  package typealias Follower =
    @Sendable (_ former: Reading, _ device: DefaultKeychain.Source?) -> Void

  private struct State {
    var last: Reading?
    var followers: [Follower] = []
    var companion: (any AnyObject & Sendable)?
  }
  private let state = Mutex(State())
  private let read: @Sendable () throws -> Reading

  /// Creates the environment of a device.
  ///
  /// - Parameter read: A closure that reads the device now. It must not keep the device.
  package init(read: @escaping @Sendable () throws -> Reading) { self.read = read }

  /// The environment of the keychains that are not of a simulated device.
  package static let shared = AuthenticationEnvironment {
    Reading(try DefaultKeychain.shared())
  }

  /// The environment of the device that calls of this task use.
  package static var current: AuthenticationEnvironment {
    DefaultKeychain.source?.environment ?? shared
  }

  /// Reads the device, and tells those who follow if anything has changed since the last reading.
  ///
  /// - Parameter device: The device, on which calls of those who follow should run.
  /// - Returns: The reading. If the keychain cannot be opened, it is ``Reading/none``.
  @discardableResult
  package func refresh(on device: DefaultKeychain.Source? = DefaultKeychain.source) -> Reading {
    let now = (try? read()) ?? .none
    let (former, followers) = state.withLock { state in
      defer { state.last = now }
      return (state.last, state.last == now ? [] : state.followers)
    }
    if let former { for follower in followers { follower(former, device) } }
    return now
  }

  /// Does as ``refresh(on:)`` if anyone follows the changes.
  package func noticeChanges(on device: DefaultKeychain.Source?) {
    if state.withLock({ !$0.followers.isEmpty }) { refresh(on: device) }
  }

  /// Calls a closure after each change, on the thread that notices it.
  package func follow(_ follower: @escaping Follower) {
    state.withLock { $0.followers.append(follower) }
  }

  /// Returns the object that a module keeps with the environment. Makes it once.
  package func companion<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
    if let object = state.withLock({ $0.companion }) as? Object { return object }
    // The object reads this environment, so no lock is held.
    let made = make()
    return state.withLock { state in
      if let object = state.companion as? Object { return object }
      state.companion = made
      return made
    }
  }
}
