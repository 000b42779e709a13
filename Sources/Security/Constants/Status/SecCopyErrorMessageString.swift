/// What a status code says, in English.
///
/// - Parameter reserved: Ignored.
/// - Returns: A sentence; for a code that is none of `errSec…`, the number.
@discardableResult
public func SecCopyErrorMessageString(
  _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  (StatusMessages.all[status] ?? "OSStatus \(status)") as CFString
}
