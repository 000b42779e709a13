/// A file to audit.
package struct AuditFile: Hashable, Sendable {
  /// The path below the folder that is audited, with `/` between its parts.
  package let path: String
  package let kind: FileKind
  /// True if the file is read even if its header says that it is generated.
  package let isIncluded: Bool

  package init(path: String, kind: FileKind, isIncluded: Bool = false) {
    self.path = path
    self.kind = kind
    self.isIncluded = isIncluded
  }
}
