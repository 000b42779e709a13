// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestKeychain
import AtRestSecKey
import Foundation

/// The accessibility of an item, and the authentication that is required to read the item.
///
/// Create one with ``SecAccessControlCreateWithFlags(_:_:_:_:)``. Access controls are equal if
/// their content is equal.
public typealias SecAccessControl = AccessControlObject

/// Creates an access control.
///
/// ```swift
/// let control = SecAccessControlCreateWithFlags(
///   nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence, nil)
/// ```
///
/// - Parameters:
///   - allocator: Ignored.
///   - protection: One of the `kSecAttrAccessible…` constants.
///   - flags: The authentication that is required. Without flags, the user is not asked. If the
///     flags contain several constraints, all of them must be met, unless the flags contain `or`.
///   - error: Set if the function returns nil: `errSecParam` in the domain `NSOSStatusErrorDomain`.
/// - Returns: The access control, or nil if the protection or a flag is unknown, or if the flags
///   cannot be combined. `userPresence` can be combined only with `applicationPassword` and
///   `privateKeyUsage`. `biometryAny` excludes `biometryCurrentSet`, and `and` excludes `or`.
///   `watch` needs `or` and another constraint, because platforms other than Apple's have no watch.
public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
  func refuse(_ message: String) -> SecAccessControl? {
    _ = FailureReasons.note(StatusError(errSecParam, message))
    error.set(errSecParam, message)
    return nil
  }
  guard let name = protection as? NSString, let accessible = Accessibility(rawValue: name as String)
  else {
    return refuse("The protection is not one of the kSecAttrAccessible constants.")
  }
  do throws(FlagsError) {
    let protection = try flags.protection(accessible)
    FailureReasons.forget()
    return SecAccessControl(protection)
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

  /// Returns the protection that the flags describe.
  func protection(_ accessibility: Accessibility) throws(FlagsError) -> ItemProtection {
    guard isSubset(of: Self.known) else {
      throw FlagsError(message: "The flags \(rawValue) contain unknown bits.")
    }
    guard !isSuperset(of: [.or, .and]) else {
      throw FlagsError(message: "The flags `and` and `or` cannot be combined.")
    }
    let constraints = intersection([
      .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode,
    ])
    guard
      !contains(.userPresence)
        || isSubset(of: [.userPresence, .applicationPassword, .privateKeyUsage])
    else {
      throw FlagsError(
        message:
          "`userPresence` can be combined only with `applicationPassword` and `privateKeyUsage`.")
    }
    // With `or`, the user can meet another constraint instead of the watch.
    guard !contains(.watch) || contains(.or) && !constraints.isEmpty else {
      throw FlagsError(message: "This platform does not support a watch or companion.")
    }
    guard !isSuperset(of: [.biometryAny, .biometryCurrentSet]) else {
      throw FlagsError(message: "`biometryAny` and `biometryCurrentSet` cannot be combined.")
    }
    let biometry: AccessControl.Biometry? =
      contains(.biometryAny) ? .any : contains(.biometryCurrentSet) ? .currentSet : nil
    let requirement: AccessControl.Requirement?
    switch (biometry, contains(.devicePasscode)) {
    case (let kind?, true):
      // All constraints are required, unless the flags contain `or`.
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
