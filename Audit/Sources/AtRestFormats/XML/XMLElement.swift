/// An element of an ``XMLTree``.
package struct XMLElement: Sendable {
  let tree: XMLTree
  package let index: Int32

  private var node: XMLTree.Node { tree.nodes[Int(index)] }

  /// The index after the element's last descendant.
  package var endIndex: Int { Int(node.end) }

  package var name: String { tree.nodes[Int(index)].name }

  /// The position of the start tag.
  package var position: Position {
    Position(line: Int(node.line), column: Int(node.column))
  }

  /// The range of the start tag, for a finding.
  package var location: Location {
    Location(path: tree.path, start: position, end: position(of: Int(node.tagEnd)))
  }

  /// The position after the last text directly inside the element, or after the start tag if there
  /// is none.
  package var textEnd: Position {
    position(
      of: node.lastText < 0
        ? Int(node.tagEnd) : Int(tree.texts[Int(node.lastText)].range.upperBound))
  }

  /// The range from the start tag to the end of the text directly inside the element.
  package var textLocation: Location {
    Location(path: tree.path, start: position, end: textEnd)
  }

  /// The range of an attribute's value, or nil if there is no such attribute.
  package func location(ofAttribute name: String) -> Location? {
    record(name).map { record in
      Location(
        path: tree.path, start: position(of: Int(record.value.lowerBound)),
        end: position(of: Int(record.value.upperBound)))
    }
  }

  /// The position of an offset at or after the start of the element.
  private func position(of offset: Int) -> Position {
    let node = node
    var line = Int(node.line)
    var lineStart = Int(node.start) - (Int(node.column) - 1)
    for place in Int(node.start)..<max(offset, Int(node.start)) where tree.bytes[place] == 0x0A {
      line += 1
      lineStart = place + 1
    }
    return Position(line: line, column: offset - lineStart + 1)
  }

  /// The element that contains this one.
  package var parent: XMLElement? {
    node.parent < 0 ? nil : XMLElement(tree: tree, index: node.parent)
  }

  package var children: Children { Children(tree: tree, index: index + 1, end: node.end) }

  /// All elements inside this one, at any depth, in order.
  package var descendants: some Sequence<XMLElement> {
    let tree = tree
    return (Int(index) + 1..<Int(node.end)).lazy.map { XMLElement(tree: tree, index: Int32($0)) }
  }

  /// The first child with the given name.
  package func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The first child whose attribute `key` has the given value. Interface files name the parts of
  /// an element by this attribute.
  package func child(key: String) -> XMLElement? { children.first { $0.attribute("key") == key } }

  /// The value of an attribute with its entities resolved.
  package func attribute(_ name: String) -> String? {
    record(name).map { XMLEntities.decode(tree.bytes, $0.value.asInt) }
  }

  private func record(_ name: String) -> XMLTree.AttributeRecord? {
    let count = Int32(name.utf8.count)
    return tree.attributes[node.attributes.asInt].first { record in
      Int32(record.name.count) == count && name.utf8.elementsEqual(tree.bytes[record.name.asInt])
    }
  }

  /// The text directly inside the element, without that of its children, with its entities
  /// resolved.
  ///
  /// Blanks between children are not part of it.
  package var text: String {
    var index = node.firstText
    guard index >= 0 else { return "" }
    var text = ""
    while index >= 0 {
      let record = tree.texts[Int(index)]
      text +=
        record.isLiteral
        ? String(decoding: tree.bytes[record.range.asInt], as: UTF8.self)
        : XMLEntities.decode(tree.bytes, record.range.asInt)
      index = record.next
    }
    return text
  }

  /// Returns true if two elements are the same element of the same tree.
  package func isSame(as other: XMLElement) -> Bool { tree === other.tree && index == other.index }

  /// The children of an element.
  package struct Children: Sequence, IteratorProtocol, Sendable {
    let tree: XMLTree
    var index: Int32
    let end: Int32

    package mutating func next() -> XMLElement? {
      guard index < end else { return nil }
      defer { index = tree.nodes[Int(index)].end }
      return XMLElement(tree: tree, index: index)
    }
  }
}
