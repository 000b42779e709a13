import AtRestFormats
import Foundation

/// A xib or storyboard: the controls that a person types into.
package struct InterfaceFile: Sendable {
  package let path: String
  package let fields: [InterfaceField]
  /// Classes of controllers and of File's Owner.
  package let owners: [String]
  package let skipped: [Skip]

  package init(path: String, fields: [InterfaceField], owners: [String] = [], skipped: [Skip] = [])
  {
    self.path = path
    self.fields = fields
    self.owners = owners
    self.skipped = skipped
  }

  /// Reads a document of Xcode 5 or later; older ones are skipped.
  package static func read(_ data: Data, path: String) -> InterfaceFile {
    var reader = InterfaceReader(tree: XMLTree.read(data, path: path))
    return reader.read()
  }

  /// The fields that this outlet of a class refers to.
  ///
  /// An outlet whose owner the file does not name belongs to whatever class has one of that name.
  package func fields(ofClass name: String, outlet: String) -> [InterfaceField] {
    fields.filter { field in
      field.outlets.contains { $0.name == outlet && ($0.owner == nil || $0.owner == name) }
    }
  }
}
