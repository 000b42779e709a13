import AtRestKeychain
import Dispatch
import Foundation
import Synchronization

/// The means by which the user can authenticate on the device, and notice of their changes.
///
/// ```swift
/// let environment = LAEnvironment.currentUser
/// environment.addObserver(self)
/// if environment.state.biometry?.isUsable == true { offerTouchID() }
/// ```
///
/// On a simulated device, observers learn of each change at once. Elsewhere, the `Authenticator` of the
/// keychain gives no notice: they learn of a change when ``state`` is read, or when an ``LAContext`` has
/// evaluated a policy.
///
/// Safe to use from several threads. Source: `LAEnvironment.h` of the SDK of iOS 18.
public final class LAEnvironment: NSObject, Sendable {
  fileprivate struct Registration: @unchecked Sendable {
    weak var observer: (any Observer)?
  }
  private struct Values {
    weak var environment: AuthenticationEnvironment?
    var last: State
    var registrations: [Registration] = []
  }
  private let values: Mutex<Values>

  private static let queue = DispatchQueue(label: "atrest.local-authentication.environment")

  /// The environment of the device that runs the current task. A process without a simulated device has
  /// one environment.
  public static var currentUser: LAEnvironment {
    let environment = AuthenticationEnvironment.current
    return environment.companion { LAEnvironment(environment) }
  }

  private init(_ environment: AuthenticationEnvironment) {
    values = Mutex(Values(environment: environment, last: State(environment.refresh())))
    super.init()
    environment.follow { [weak self] former, device in self?.tell(State(former), device) }
  }

  /// The means of authentication now. If the keychain cannot be opened, none is usable.
  ///
  /// The state of a simulated device that no longer exists is its last one.
  public var state: State {
    guard let environment = values.withLock({ $0.environment }) else {
      return values.withLock { $0.last }
    }
    // This tells the observers of a change, so no lock is held.
    let state = State(environment.refresh())
    values.withLock { $0.last = state }
    return state
  }

  // MARK: Observers

  /// Adds an observer, which is not kept alive. An observer that was added before is not added again.
  public func addObserver(_ observer: any Observer) {
    _ = state
    let registration = Registration(observer: observer)
    let place = ObjectIdentifier(observer)
    values.withLock { values in
      values.registrations.removeAll { $0.observer == nil || $0.place == place }
      values.registrations.append(registration)
    }
  }

  /// Removes an observer. Does nothing for an observer that was not added.
  ///
  /// Unless it is being called at this moment, the observer is not called any more.
  public func removeObserver(_ observer: any Observer) {
    let place = ObjectIdentifier(observer)
    values.withLock { values in
      values.registrations.removeAll { $0.observer == nil || $0.place == place }
    }
  }

  private func tell(_ former: State, _ device: DefaultKeychain.Source?) {
    let registrations = values.withLock { $0.registrations }
    guard !registrations.isEmpty else { return }
    Self.queue.async {
      // Calls of the keychain in an observer use the device on which the change was made.
      DefaultKeychain.$taskSource.withValue(device) {
        for registration in registrations {
          guard let observer = registration.observer, self.has(ObjectIdentifier(observer)) else {
            continue
          }
          observer.environment(self, stateDidChangeFromOldState: former)
        }
      }
    }
  }

  private func has(_ place: ObjectIdentifier) -> Bool {
    values.withLock { $0.registrations.contains { $0.place == place } }
  }
}

extension LAEnvironment.Registration {
  fileprivate var place: ObjectIdentifier? { observer.map { ObjectIdentifier($0) } }
}

extension LAEnvironment {
  /// An object that learns of changes of the environment.
  public protocol Observer: NSObjectProtocol {
    /// Called after a change. ``LAEnvironment/state`` already is the new state. The method is optional.
    ///
    /// It is called on a queue of this module, for one change after the other. In tests, calls of the
    /// keychain in the method use the simulated device that has changed.
    ///
    /// - Parameter oldState: The state before the change.
    func environment(
      _ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State)
  }
}

extension LAEnvironment.Observer {
  public func environment(
    _ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State
  ) {}
}
