import AtRestKeychain
import Crypto
import Foundation

/// The state of biometry on the device.
public final class LADomainStateBiometry: NSObject, Sendable {
  /// The biometry that the device supports.
  public let biometryType: LABiometryType
  /// Bytes that change when the enrolled fingers or faces change, or nil if none are enrolled.
  public let stateHash: Data?

  init(_ reading: AuthenticationEnvironment.Reading) {
    biometryType =
      switch reading.biometryKind {
      case .touchID: .touchID
      case .faceID: .faceID
      case .opticID: .opticID
      case nil: .none
      }
    if case .enrolled(let enrolment) = reading.biometry {
      stateHash = Data(SHA256.hash(data: Data("atrest.domain-state.v1".utf8) + enrolment))
    } else {
      stateHash = nil
    }
  }
}
