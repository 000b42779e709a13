/// An XML document as a tree that keeps where each element begins.
///
/// Read by a tokenizer of our own: Foundation's parser names the line on which a tag ends, and gives up
/// at the first error. What is wrong in the text is said in ``skipped`` and read around. Entities of the document's own are left as they are written, external ones are never
/// fetched. Elements deeper than ``depthLimit`` are left out.
package final class XMLTree: Sendable {
  /// Elements nested deeper are left out.
  package static let depthLimit = 200

  package let path: String
  /// What could not be read; at most one entry for each reason.
  package let skipped: [Skip]
  let bytes: [UInt8]
  package let nodes: [Node]
  let attributes: [AttributeRecord]
  let texts: [TextRecord]

  package struct Node: Sendable {
    var name: String
    var start: Int32
    /// Where the start tag ends.
    var tagEnd: Int32
    var line: Int32
    var column: Int32
    var parent: Int32
    /// The index after the last of its descendants.
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

  /// The outermost element, or nothing if there is none.
  package var root: XMLElement? { nodes.isEmpty ? nil : XMLElement(tree: self, index: 0) }

  /// All elements in the order in which they begin.
  package var elements: some Sequence<XMLElement> {
    nodes.indices.lazy.map { XMLElement(tree: self, index: Int32($0)) }
  }
}

/// An element of an ``XMLTree``.
package struct XMLElement: Sendable {
  let tree: XMLTree
  package let index: Int32

  private var node: XMLTree.Node { tree.nodes[Int(index)] }

  /// The index after the last of its descendants.
  package var endIndex: Int { Int(node.end) }

  package var name: String { tree.nodes[Int(index)].name }

  /// Where its start tag begins.
  package var position: Position {
    Position(line: Int(node.line), column: Int(node.column))
  }

  /// Where its start tag stands, for a finding.
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

  /// The element around it.
  package var parent: XMLElement? {
    node.parent < 0 ? nil : XMLElement(tree: tree, index: node.parent)
  }

  package var children: Children { Children(tree: tree, index: index + 1, end: node.end) }

  /// The elements within it, at any depth, in order.
  package var descendants: some Sequence<XMLElement> {
    let tree = tree
    return (Int(index) + 1..<Int(node.end)).lazy.map { XMLElement(tree: tree, index: Int32($0)) }
  }

  /// The first child of this name.
  package func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The first child with this value of its attribute `key`, as interface files have their parts.
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

  /// The text within it, outside of its children, as it stands, with its entities resolved.
  ///
  /// Blanks between children do not count.
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

  /// Whether two elements are the same one of the same tree.
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
