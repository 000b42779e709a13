extension Backup {
  /// An app that was installed on the device.
  public struct Application: Hashable, Sendable {
    /// The bundle identifier.
    public let identifier: String
    public let version: String?
    /// The domain of its data container.
    public var domain: String { "AppDomain-\(identifier)" }
  }
}
