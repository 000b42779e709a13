import AtRestKeychain
import Crypto
import Foundation

/// Who may authenticate on the device, as bytes that change when that does.
public final class LADomainState: NSObject, Sendable {
  /// Those enrolled in biometry.
  public let biometry: LADomainStateBiometry

  init(authenticator: (any Authenticator)?) {
    biometry = LADomainStateBiometry(authenticator: authenticator)
  }

  /// Bytes that change when any of it does; nil where there is nobody.
  public var stateHash: Data? { biometry.stateHash }
}

/// Those enrolled in biometry.
public final class LADomainStateBiometry: NSObject, Sendable {
  /// The reader that the device has.
  public let biometryType: LABiometryType
  /// Bytes that change when the enrolment does; nil where nobody is enrolled.
  public let stateHash: Data?

  init(authenticator: (any Authenticator)?) {
    biometryType =
      switch authenticator?.biometryKind {
      case .touchID: .touchID
      case .faceID: .faceID
      case .opticID: .opticID
      case nil: .none
      }
    if case .enrolled(let enrolment)? = authenticator?.biometry {
      stateHash = Data(SHA256.hash(data: Data("atrest.domain-state.v1".utf8) + enrolment))
    } else {
      stateHash = nil
    }
  }
}
