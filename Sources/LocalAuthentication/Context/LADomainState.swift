import AtRestKeychain
import Foundation

/// The state of authentication on the device: bytes that change when the enrolment changes.
public final class LADomainState: NSObject, Sendable {
  /// The state of biometry.
  public let biometry: LADomainStateBiometry
  /// The state of companion devices, of which there are none.
  public let companion = LADomainStateCompanion(availableCompanionTypes: [])

  init(_ reading: AuthenticationEnvironment.Reading) {
    biometry = LADomainStateBiometry(reading)
  }

  /// Bytes that change when any part of the state changes, or nil if nothing is enrolled.
  public var stateHash: Data? { biometry.stateHash }
}
