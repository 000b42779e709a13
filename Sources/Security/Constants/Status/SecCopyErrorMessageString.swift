/// Returns the message of a status code, in English.
///
/// - Parameter reserved: Ignored.
/// - Returns: A sentence. For a code other than the `errSec…` constants, `OSStatus` and the number.
@discardableResult
public func SecCopyErrorMessageString(
  _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  (StatusMessages.all[status] ?? "OSStatus \(status)") as CFString
}
