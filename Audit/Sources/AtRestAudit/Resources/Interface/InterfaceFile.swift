import Foundation

/// A xib or storyboard: the controls that a person types into.
public struct InterfaceFile: Sendable {
  public let path: String
  public let fields: [InterfaceField]
  /// Classes of controllers and of File's Owner.
  public let owners: [String]
  public let skipped: [Skip]

  public init(path: String, fields: [InterfaceField], owners: [String] = [], skipped: [Skip] = []) {
    self.path = path
    self.fields = fields
    self.owners = owners
    self.skipped = skipped
  }

  /// Reads a document of Xcode 5 or later; older ones are skipped.
  public static func read(_ data: Data, path: String) -> InterfaceFile {
    var reader = InterfaceReader(tree: XMLTree.read(data, path: path))
    return reader.read()
  }

  /// The fields that this outlet of a class refers to.
  ///
  /// An outlet whose owner the file does not name belongs to whatever class has one of that name.
  public func fields(ofClass name: String, outlet: String) -> [InterfaceField] {
    fields.filter { field in
      field.outlets.contains { $0.name == outlet && ($0.owner == nil || $0.owner == name) }
    }
  }
}
