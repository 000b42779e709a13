import AtRestKeychain
import Crypto
import Foundation

/// The state of authentication on the device: bytes that change when the enrolment changes.
public final class LADomainState: NSObject, Sendable {
  /// The state of biometry.
  public let biometry: LADomainStateBiometry

  init(authenticator: (any Authenticator)?) {
    biometry = LADomainStateBiometry(authenticator: authenticator)
  }

  /// Bytes that change when any part of the state changes, or nil if nothing is enrolled.
  public var stateHash: Data? { biometry.stateHash }
}
