/// A call of Keychain Services that an application made, as a simulated device logs it.
///
/// No value of an item is in it, neither in clear nor otherwise.
public struct KeychainCall: Hashable, Sendable, CustomStringConvertible {
  /// The function, such as `SecItemAdd`.
  public let function: String
  /// What was asked for: each key of the query, by its constant's value such as `svce`, with the
  /// value in words. Secrets read `(12 bytes)`.
  public let query: [String: String]
  /// What an update was to change, in the same form.
  public let changes: [String: String]
  /// The status that came back, such as -25300.
  public let status: Int32
  /// What a status code does not say, such as which group is missing or which class is locked, and
  /// what to do about it; nil if there is no more to say.
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
