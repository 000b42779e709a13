// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Returns the message of a status code, in English.
///
/// - Parameter reserved: Ignored.
/// - Returns: A sentence. If the code is not one of the `errSec…` constants, the text `OSStatus`
///   with the number.
@discardableResult
public func SecCopyErrorMessageString(
  _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  (StatusMessages.all[status] ?? "OSStatus \(status)") as CFString
}
