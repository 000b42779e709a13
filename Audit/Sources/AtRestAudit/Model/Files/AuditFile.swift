/// A file that is to be audited.
public struct AuditFile: Hashable, Sendable {
  /// The path below the folder that is audited, with `/` between its parts.
  public let path: String
  public let kind: FileKind
  /// Whether it is read even if its header says that it is generated.
  let isIncluded: Bool

  public init(path: String, kind: FileKind, isIncluded: Bool = false) {
    self.path = path
    self.kind = kind
    self.isIncluded = isIncluded
  }
}
