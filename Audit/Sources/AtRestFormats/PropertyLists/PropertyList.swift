import Foundation

/// A property list in any format, as a tree with the position of each value.
///
/// The format is detected by the bytes, not by the name. Values nested deeper than ``depthLimit``,
/// and values after the first ``valueLimit`` of a file, are skipped and recorded in ``skipped``.
package struct PropertyList: Sendable {
  package enum Format: String, Sendable {
    case xml, binary
    /// The old ASCII format of project files and `.strings`.
    case ascii
    case json
  }

  package static let depthLimit = 200
  package static let valueLimit = 1_000_000

  package let path: String
  package let format: Format
  /// The root, or nil if the file could not be read at all.
  package let root: Node?
  package let skipped: [Skip]

  package init(path: String, format: Format, root: Node?, skipped: [Skip] = []) {
    self.path = path
    self.format = format
    self.root = root
    self.skipped = skipped
  }

  /// A value and where it is written. A binary file has only one line.
  package struct Node: Sendable {
    package let value: Value
    /// The position at which the value begins: its start tag or its quotation mark.
    package let position: Position
    /// The position after the last character of the value. For a collection, and in a binary file,
    /// it is the position at which the value begins.
    package let end: Position

    package init(
      _ value: Value, _ position: Position = Position(line: 1, column: 1), end: Position? = nil
    ) {
      self.value = value
      self.position = position
      self.end = end ?? position
    }
  }

  package enum Value: Sendable {
    case string(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case date(Date)
    case data(Data)
    case array([Node])
    case dictionary([Entry])
    /// A reference in an `NSKeyedArchiver` archive.
    case uid(UInt64)
    case null
  }

  /// A key and its value.
  package struct Entry: Sendable {
    package let key: String
    /// The position at which the key begins.
    package let position: Position
    package let node: Node

    package init(_ key: String, _ node: Node, _ position: Position = Position(line: 1, column: 1)) {
      self.key = key
      self.node = node
      self.position = position
    }
  }
}

extension PropertyList.Node {
  /// The place where the value is written.
  package func location(in list: PropertyList) -> Location {
    Location(path: list.path, start: position, end: end)
  }

  package var string: String? { if case .string(let text) = value { text } else { nil } }
  package var boolean: Bool? { if case .boolean(let flag) = value { flag } else { nil } }
  package var array: [PropertyList.Node]? {
    if case .array(let nodes) = value { nodes } else { nil }
  }
  package var entries: [PropertyList.Entry]? {
    if case .dictionary(let entries) = value { entries } else { nil }
  }

  /// True for a true boolean, or its equivalent in files that only have text: `YES`, `true`, `1`.
  package var isTrue: Bool {
    switch value {
    case .boolean(let flag): flag
    case .integer(let number): number != 0
    case .string(let text): ["YES", "TRUE", "1"].contains(text.uppercased())
    default: false
    }
  }

  /// The value of the last entry of a dictionary that has this key.
  package subscript(key: String) -> PropertyList.Node? { entry(key)?.node }

  package func entry(_ key: String) -> PropertyList.Entry? { entries?.last { $0.key == key } }

  /// The strings of an array, or a single string.
  package var strings: [String] { array?.compactMap(\.string) ?? string.map { [$0] } ?? [] }
}
