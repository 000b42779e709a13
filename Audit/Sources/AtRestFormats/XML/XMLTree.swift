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

extension Range<Int32> {
  var asInt: Range<Int> { Int(lowerBound)..<Int(upperBound) }
}
