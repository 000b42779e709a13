import AtRestAuditModel
import AtRestFormats

/// A scene of a storyboard, or the views of a xib, with what leads from it to others.
package struct InterfaceScene: Sendable {
  /// The identifiers of its objects within the file.
  let objects: Set<String>
  /// The classes that make it up on their own: those of its controller, of File's Owner, and of the views at
  /// the top. Code that uses one of them uses the scene.
  package let keyClasses: [String]
  /// All classes that it names.
  package let classes: [String]
  /// The name by which code asks for it.
  package let identifier: String?
  /// The scenes of the file to which its segues lead, by index.
  package fileprivate(set) var next: [Int] = []
  /// The scenes of other storyboards to which it leads.
  package let references: [Reference]
  package let start: Position

  package struct Reference: Sendable {
    package let storyboard: String
    /// The identifier of the scene, or nil for the initial one.
    package let identifier: String?
  }
}

extension InterfaceScene {
  /// Returns the scenes of a document and the index of the initial one, if there is one.
  static func scenes(of root: XMLElement) -> (scenes: [InterfaceScene], initial: Int?) {
    guard let list = root.child("scenes") else {
      // A xib.
      return (root.child("objects").map { [InterfaceScene($0)] } ?? [], nil)
    }
    var scenes: [InterfaceScene] = []
    var targets: [[String]] = []
    for scene in list.children {
      guard let objects = scene.child("objects") else { continue }
      scenes.append(InterfaceScene(objects))
      targets.append(
        objects.descendants.filter { $0.name == "segue" }.compactMap { $0.attribute("destination") }
      )
    }
    func index(of id: String) -> Int? { scenes.firstIndex { $0.objects.contains(id) } }
    for place in scenes.indices { scenes[place].next = targets[place].compactMap(index) }
    return (scenes, root.attribute("initialViewController").flatMap(index))
  }

  private init(_ objects: XMLElement) {
    var ids: Set<String> = []
    var keys: [String] = []
    var identifier: String?
    var references: [Reference] = []
    for object in objects.children {
      if let id = object.attribute("id") { ids.insert(id) }
      if let name = object.attribute("customClass") { keys.append(name) }
      identifier =
        identifier ?? object.attribute("storyboardIdentifier") ?? object.attribute("identifier")
      if object.name == "viewControllerPlaceholder" || object.name == "controllerPlaceholder",
        let name = object.attribute("storyboardName")
      {
        references.append(
          Reference(storyboard: name, identifier: object.attribute("referencedIdentifier")))
      }
    }
    self.init(
      objects: ids, keyClasses: keys,
      classes: objects.descendants.compactMap { $0.attribute("customClass") },
      identifier: identifier, references: references, start: objects.position)
  }

  private init(
    objects: Set<String>, keyClasses: [String], classes: [String], identifier: String?,
    references: [Reference], start: Position
  ) {
    self.objects = objects
    self.keyClasses = keyClasses
    self.classes = classes
    self.identifier = identifier
    self.references = references
    self.start = start
  }
}
