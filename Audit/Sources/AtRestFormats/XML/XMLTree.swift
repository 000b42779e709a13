/// An XML document as a tree, with the position of each element.
///
/// It has its own tokenizer, because Foundation's parser reports the line on which a tag ends, and
/// stops at the first error. Errors are recorded in ``skipped``, and reading continues after them.
/// Entities that the document defines are left as they are written, and external entities are never
/// fetched. Elements deeper than ``depthLimit`` are skipped.
package final class XMLTree: Sendable {
  /// The maximum depth of elements. Deeper ones are skipped.
  package static let depthLimit = 200

  package let path: String
  /// The parts that could not be read, with at most one entry per reason.
  package let skipped: [Skip]
  let bytes: [UInt8]
  package let nodes: [Node]
  let attributes: [AttributeRecord]
  let texts: [TextRecord]

  package struct Node: Sendable {
    var name: String
    var start: Int32
    /// The end of the start tag.
    var tagEnd: Int32
    var line: Int32
    var column: Int32
    var parent: Int32
    /// The index after the element's last descendant.
    var end: Int32
    var attributes: Range<Int32>
    var firstText: Int32 = -1
    var lastText: Int32 = -1
  }

  struct AttributeRecord: Sendable {
    var name: Range<Int32>
    var value: Range<Int32>
    var line: Int32
  }

  struct TextRecord: Sendable {
    var range: Range<Int32>
    var isLiteral: Bool
    var next: Int32 = -1
  }

  init(
    path: String, skipped: [Skip], bytes: [UInt8], nodes: [Node], attributes: [AttributeRecord],
    texts: [TextRecord]
  ) {
    self.path = path
    self.skipped = skipped
    self.bytes = bytes
    self.nodes = nodes
    self.attributes = attributes
    self.texts = texts
  }

  /// The outermost element, if there is one.
  package var root: XMLElement? { nodes.isEmpty ? nil : XMLElement(tree: self, index: 0) }

  /// All elements in the order of their start tags.
  package var elements: some Sequence<XMLElement> {
    nodes.indices.lazy.map { XMLElement(tree: self, index: Int32($0)) }
  }
}

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
    let node = node
    var line = Int(node.line)
    var lineStart = Int(node.start) - (Int(node.column) - 1)
    for offset in Int(node.start)..<Int(node.tagEnd) where tree.bytes[offset] == 0x0A {
      line += 1
      lineStart = offset + 1
    }
    return Location(
      path: tree.path, start: position,
      end: Position(line: line, column: Int(node.tagEnd) - lineStart + 1))
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
    let count = Int32(name.utf8.count)
    for record in tree.attributes[Int(node.attributes.lowerBound)..<Int(node.attributes.upperBound)]
    where Int32(record.name.count) == count {
      if name.utf8.elementsEqual(tree.bytes[record.name.asInt]) {
        return XMLEntities.decode(tree.bytes, record.value.asInt)
      }
    }
    return nil
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

extension Range<Int32> {
  var asInt: Range<Int> { Int(lowerBound)..<Int(upperBound) }
}
