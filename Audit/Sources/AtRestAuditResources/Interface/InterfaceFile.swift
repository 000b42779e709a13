import AtRestFormats
import Foundation

/// A xib or storyboard: its controls that accept typed text.
package struct InterfaceFile: Sendable {
  package let path: String
  package let fields: [InterfaceField]
  /// The classes of controllers and of File's Owner.
  package let owners: [String]
  /// The scenes of a storyboard. A xib has one.
  package let scenes: [InterfaceScene]
  /// The index of the scene that a storyboard begins with.
  package let initialScene: Int?
  /// The members of code that the file names: what controls call, and what bindings and attributes set.
  package let members: Set<String>
  package let skipped: [Skip]

  package init(
    path: String, fields: [InterfaceField], owners: [String] = [], scenes: [InterfaceScene] = [],
    initialScene: Int? = nil, members: Set<String> = [], skipped: [Skip] = []
  ) {
    self.path = path
    self.fields = fields
    self.owners = owners
    self.scenes = scenes
    self.initialScene = initialScene
    self.members = members
    self.skipped = skipped
  }

  /// Reads a document of Xcode 5 or later. Older documents are skipped.
  package static func read(_ data: Data, path: String) -> InterfaceFile {
    var reader = InterfaceReader(tree: XMLTree.read(data, path: path))
    return reader.read()
  }

  /// Returns the fields to which an outlet of a class refers.
  ///
  /// An outlet whose owner the file does not name matches every class.
  package func fields(ofClass name: String, outlet: String) -> [InterfaceField] {
    fields.filter { field in
      field.outlets.contains { $0.name == outlet && ($0.owner == nil || $0.owner == name) }
    }
  }
}
