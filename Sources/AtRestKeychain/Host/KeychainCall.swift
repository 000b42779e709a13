/// A Keychain Services call of an application, as a simulated device logs it.
///
/// The record does not contain the value of any item, in plaintext or in any other form.
public struct KeychainCall: Hashable, Sendable, CustomStringConvertible {
  /// The function, such as `SecItemAdd`.
  public let function: String
  /// The query. A key is the value of its constant, such as `svce`. A value is described in words,
  /// and a secret by its size, such as `(12 bytes)`.
  public let query: [String: String]
  /// The attributes that an update was meant to change, in the same form as ``query``.
  public let changes: [String: String]
  /// The returned status, such as -25300.
  public let status: Int32
  /// The details that a status code does not give, such as the missing group or the locked class,
  /// and what to do next. nil if there are no such details.
  public let reason: String?

  package init(
    function: String, query: [String: String], changes: [String: String] = [:], status: Int32,
    reason: String? = nil
  ) {
    self.function = function
    self.query = query
    self.changes = changes
    self.status = status
    self.reason = reason
  }

  public var description: String {
    func words(_ values: [String: String]) -> String {
      values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
    let changed = changes.isEmpty ? "" : " → [\(words(changes))]"
    return "\(function)([\(words(query))]\(changed)) = \(status)" + (reason.map { ": \($0)" } ?? "")
  }
}
