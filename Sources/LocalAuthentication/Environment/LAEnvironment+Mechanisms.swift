import AtRestKeychain
import Foundation

extension LAEnvironment {
  /// A means of authentication. Mechanisms are equal if they are in the same state.
  ///
  /// Source: `LAEnvironmentMechanism.h` of the SDK of iOS 18.
  public class Mechanism: NSObject, @unchecked Sendable {
    /// True if ``LAContext/canEvaluatePolicy(_:error:)`` succeeds for the policy of this means.
    public let isUsable: Bool
    /// The name for users, such as `Touch ID`, in English.
    public let localizedName: String
    /// The name of the SF Symbol. Apple does not document its values. Those here are the symbols
    /// `touchid`, `faceid`, `opticid` and `lock`.
    public let iconSystemName: String

    init(isUsable: Bool, localizedName: String, iconSystemName: String) {
      self.isUsable = isUsable
      self.localizedName = localizedName
      self.iconSystemName = iconSystemName
    }

    /// The values by which mechanisms of one class are compared.
    var values: [AnyHashable] { [isUsable, localizedName] }

    public override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? Mechanism, type(of: other) == type(of: self) else {
        return false
      }
      return other.values == values
    }
    public override var hash: Int { values.hashValue }
    public override var description: String {
      "\(localizedName) (\(isUsable ? "usable" : "not usable"))"
    }
  }

  /// Touch ID, Face ID or Optic ID.
  ///
  /// Source: `LAEnvironmentMechanismBiometry.h` of the SDK of iOS 18.
  public final class MechanismBiometry: Mechanism, @unchecked Sendable {
    /// The biometry that the device supports, whether it can be used or not.
    public let biometryType: LABiometryType
    /// True if a finger or face is enrolled.
    public let isEnrolled: Bool
    /// True if biometry is locked after too many failures, until the passcode is entered.
    public let isLockedOut: Bool
    /// Bytes that change when the enrolled fingers or faces change: those of
    /// ``LADomainStateBiometry/stateHash``. They are empty if none are enrolled.
    public let stateHash: Data
    /// True if a built-in reader cannot be reached, as that of a closed laptop: always false here.
    public var builtInSensorInaccessible: Bool { false }

    override var values: [AnyHashable] { super.values + [isEnrolled, isLockedOut, stateHash] }

    init(_ kind: BiometryKind, _ reading: AuthenticationEnvironment.Reading) {
      let domain = LADomainStateBiometry(reading)
      biometryType = domain.biometryType
      isEnrolled = reading.biometry != .unavailable
      isLockedOut = reading.isBiometryLockedOut
      stateHash = domain.stateHash ?? Data()
      let (name, icon) =
        switch kind {
        case .touchID: ("Touch ID", "touchid")
        case .faceID: ("Face ID", "faceid")
        case .opticID: ("Optic ID", "opticid")
        }
      super.init(
        isUsable: LAPolicy.deviceOwnerAuthenticationWithBiometrics.refusal(by: reading) == nil,
        localizedName: name, iconSystemName: icon)
    }
  }

  /// The passcode.
  ///
  /// Source: `LAEnvironmentMechanismUserPassword.h` of the SDK of iOS 18.
  public final class MechanismUserPassword: Mechanism, @unchecked Sendable {
    /// True if a passcode is set.
    public let isSet: Bool

    override var values: [AnyHashable] { super.values + [isSet] }

    init(_ reading: AuthenticationEnvironment.Reading) {
      isSet = reading.hasPasscode
      super.init(
        isUsable: LAPolicy.deviceOwnerAuthentication.refusal(by: reading) == nil,
        localizedName: "Passcode", iconSystemName: "lock")
    }
  }

  /// A kind of companion device. Platforms other than Apple's have none, so there is no such object.
  ///
  /// Source: `LAEnvironmentMechanismCompanion.h` of the SDK of iOS 18.
  public final class MechanismCompanion: Mechanism, @unchecked Sendable {
    /// The kind of companion.
    public let type: LACompanionType
    /// Bytes that change when the paired companions of this kind change, or nil if none are paired.
    public let stateHash: Data?

    private init(_ type: LACompanionType) {
      self.type = type
      stateHash = nil
      super.init(isUsable: false, localizedName: "\(type)", iconSystemName: "")
    }
  }
}
