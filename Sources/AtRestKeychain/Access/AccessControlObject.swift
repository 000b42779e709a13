import Foundation

/// A protection as an object for the dictionaries of Keychain Services: `SecAccessControl`.
///
/// It is declared in this module so that `LocalAuthentication` can use it without importing the
/// module `Security`, which may be built under another name. Objects with the same content are
/// equal.
public final class AccessControlObject: NSObject, Sendable {
  package let protection: ItemProtection

  package init(_ protection: ItemProtection) { self.protection = protection }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? AccessControlObject)?.protection == protection
  }
  public override var hash: Int { protection.hashValue }
  public override var description: String {
    "<SecAccessControl: \(protection.accessibility.rawValue)"
      + "\(protection.accessControl.map { "; \($0.flagNames)" } ?? "")>"
  }
}

extension AccessControl {
  fileprivate var flagNames: String {
    var names: [String] = []
    switch requirement {
    case nil: break
    case .userPresence: names.append("userPresence")
    case .devicePasscode: names.append("devicePasscode")
    case .biometry(let kind): names.append(kind.flagName)
    case .devicePasscodeOr(let kind): names += [kind.flagName, "or", "devicePasscode"]
    case .devicePasscodeAnd(let kind): names += [kind.flagName, "and", "devicePasscode"]
    }
    if applicationPassword { names.append("applicationPassword") }
    if privateKeyUsage { names.append("privateKeyUsage") }
    return names.joined(separator: " ")
  }
}

extension AccessControl.Biometry {
  fileprivate var flagName: String {
    switch self {
    case .any: "biometryAny"
    case .currentSet: "biometryCurrentSet"
    }
  }
}
