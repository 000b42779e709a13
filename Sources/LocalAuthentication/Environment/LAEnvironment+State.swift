import AtRestKeychain
import Foundation

extension LAEnvironment {
  /// The means of authentication at one moment.
  ///
  /// States are equal if they show the same means in the same state. Source: `LAEnvironmentState.h` of the
  /// SDK of iOS 18.
  public final class State: NSObject, NSCopying, Sendable {
    private let reading: AuthenticationEnvironment.Reading
    /// Touch ID, Face ID or Optic ID, or nil if the device supports no biometry.
    public let biometry: MechanismBiometry?
    /// The passcode. It is nil on devices that support none, which none of AtRest's is.
    public let userPassword: MechanismUserPassword?

    init(_ reading: AuthenticationEnvironment.Reading) {
      self.reading = reading
      biometry = reading.biometryKind.map { MechanismBiometry($0, reading) }
      userPassword = MechanismUserPassword(reading)
    }

    /// The companion devices that are paired. Platforms other than Apple's have none.
    public var companions: [MechanismCompanion] { [] }

    /// All means of authentication.
    public var allMechanisms: [Mechanism] {
      let own: [Mechanism?] = [biometry, userPassword]
      return own.compactMap { $0 } + companions as [Mechanism]
    }

    /// Returns the state itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
      (object as? State)?.reading == reading
    }
    public override var hash: Int { allMechanisms.map(\.isUsable).hashValue }
    public override var description: String {
      "<LAEnvironmentState: \(allMechanisms.map(\.description).joined(separator: ", "))>"
    }
  }
}
