import AtRestFormats

/// The scenes of an interface file, and what leads to them.
package struct InterfaceFacts: Sendable {
  package let path: String
  /// The name of the file without its ending, by which code and other files ask for it.
  package let name: String
  package let scenes: [Scene]
  /// The index of the scene that a storyboard begins with. The only scene of a xib is its first.
  package let initial: Int?

  package init(path: String, name: String, scenes: [Scene], initial: Int?) {
    self.path = path
    self.name = name
    self.scenes = scenes
    self.initial = initial
  }

  package struct Scene: Sendable {
    /// The classes of which one shows that code uses the scene.
    package let keyClasses: [String]
    /// The classes that the scene creates.
    package let classes: [String]
    package let identifier: String?
    /// The scenes of the same file to which it leads, by index.
    package let next: [Int]
    /// The scenes of other files to which it leads. Without an identifier, the initial one is meant.
    package let references: [(file: String, identifier: String?)]
    package let start: Position

    package init(
      keyClasses: [String], classes: [String], identifier: String?, next: [Int],
      references: [(file: String, identifier: String?)], start: Position
    ) {
      self.keyClasses = keyClasses
      self.classes = classes
      self.identifier = identifier
      self.next = next
      self.references = references
      self.start = start
    }
  }
}
