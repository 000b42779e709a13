import AtRestKeychain
import Foundation

/// When an item is accessible, and who must be there.
///
/// Made by ``SecAccessControlCreateWithFlags(_:_:_:_:)``. Equal by content.
public typealias SecAccessControl = AccessControlObject

/// Makes an access control.
///
/// - Parameters:
///   - allocator: Ignored.
///   - protection: One of the `kSecAttrAccessible…` constants.
///   - flags: Who must be there; none: whoever has the device unlocked.
///   - error: Set where nil is returned: `errSecParam` in the domain `NSOSStatusErrorDomain`.
/// - Returns: nil for an unknown protection, and for flags that do not go together:
///   `userPresence` goes with application password and private-key usage alone, of the two kinds of
///   biometry and of `and` and `or` only one can be given. Of several constraints all are needed,
///   unless `or` is given.
public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
  func refuse(_ message: String) -> SecAccessControl? {
    error.set(errSecParam, message)
    return nil
  }
  guard let name = protection as? NSString, let accessible = Accessibility(rawValue: name as String)
  else {
    return refuse("The protection is none of the kSecAttrAccessible constants.")
  }
  do throws(FlagsError) {
    return SecAccessControl(try flags.protection(accessible))
  } catch {
    return refuse(error.message)
  }
}

struct FlagsError: Error {
  let message: String
}

extension SecAccessControlCreateFlags {
  private static let known: SecAccessControlCreateFlags = [
    .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .watch, .or, .and,
    .privateKeyUsage, .applicationPassword,
  ]

  /// The protection that the flags mean.
  func protection(_ accessibility: Accessibility) throws(FlagsError) -> Protection {
    guard isSubset(of: Self.known) else {
      throw FlagsError(message: "The flags \(rawValue) have bits that mean nothing.")
    }
    guard !isSuperset(of: [.or, .and]) else {
      throw FlagsError(message: "Of `and` and `or` only one can be given.")
    }
    let constraints = intersection([
      .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode,
    ])
    guard
      !contains(.userPresence)
        || isSubset(of: [.userPresence, .applicationPassword, .privateKeyUsage])
    else {
      throw FlagsError(
        message: "User presence goes with application password and private-key usage alone.")
    }
    // A watch that could only be one of several is not missed.
    guard !contains(.watch) || contains(.or) && !constraints.isEmpty else {
      throw FlagsError(message: "There is no watch or companion on this platform.")
    }
    guard !isSuperset(of: [.biometryAny, .biometryCurrentSet]) else {
      throw FlagsError(message: "Of any biometry and the current set only one can be given.")
    }
    let biometry: AccessControl.Biometry? =
      contains(.biometryAny) ? .any : contains(.biometryCurrentSet) ? .currentSet : nil
    let requirement: AccessControl.Requirement?
    switch (biometry, contains(.devicePasscode)) {
    case (let kind?, true):
      // All of them, unless it is said otherwise.
      requirement = contains(.or) ? .devicePasscodeOr(kind) : .devicePasscodeAnd(kind)
    case (let kind?, false): requirement = .biometry(kind)
    case (nil, true): requirement = .devicePasscode
    case (nil, false): requirement = contains(.userPresence) ? .userPresence : nil
    }
    let password = contains(.applicationPassword)
    let usage = contains(.privateKeyUsage)
    if let requirement {
      return .controlled(
        AccessControl(
          accessibility, requirement, applicationPassword: password, privateKeyUsage: usage))
    }
    if password {
      return .controlled(.applicationPassword(accessibility, privateKeyUsage: usage))
    }
    return usage ? .controlled(.privateKeyUsage(accessibility)) : .accessible(accessibility)
  }
}
