import Foundation

/// Converts an XML document to the property list that it contains.
struct XMLPropertyListReader {
  private let path: String
  private var skipped: [Skip] = []
  private var unknown: Set<String> = []

  init(path: String) { self.path = path }

  mutating func read(_ tree: XMLTree) -> PropertyList {
    skipped = tree.skipped
    var root: PropertyList.Node?
    if let element = tree.root {
      if element.name == "plist" {
        root = element.children.first { _ in true }.flatMap { node($0) }
        if root == nil { skip("The property list contains no value.", element) }
      } else {
        root = node(element)
      }
    }
    return PropertyList(path: path, format: .xml, root: root, skipped: skipped)
  }

  private mutating func skip(_ reason: String, _ element: XMLElement) {
    if unknown.count < 8, unknown.insert(reason).inserted {
      skipped.append(Skip(path: path, line: element.position.line, reason: reason))
    }
  }

  /// Converts an element. The depth is limited, because the tree's is (``XMLTree/depthLimit``).
  private mutating func node(_ element: XMLElement) -> PropertyList.Node? {
    let value: PropertyList.Value
    switch element.name {
    case "string": value = .string(element.text)
    case "dict": value = Self.uid(element).map { .uid($0) } ?? .dictionary(entries(of: element))
    case "array":
      var nodes: [PropertyList.Node] = []
      for child in element.children {
        if let node = node(child) { nodes.append(node) }
      }
      value = .array(nodes)
    case "true": value = .boolean(true)
    case "false": value = .boolean(false)
    case "integer":
      guard let number = Self.integer(element.text) else {
        skip("An <integer> does not contain a number.", element)
        return nil
      }
      value = .integer(number)
    case "real":
      guard let number = Double(element.text.filter { !$0.isWhitespace }) else {
        skip("A <real> does not contain a number.", element)
        return nil
      }
      value = .real(number)
    case "date":
      let text = element.text.filter { !$0.isWhitespace }
      guard let date = try? Date(text, strategy: .iso8601) else {
        skip("A <date> does not contain a date.", element)
        return nil
      }
      value = .date(date)
    case "data":
      guard let data = Data(base64Encoded: element.text, options: .ignoreUnknownCharacters) else {
        skip("A <data> does not contain Base64.", element)
        return nil
      }
      value = .data(data)
    case let name:
      skip("<\(name)> is not a property list value.", element)
      return nil
    }
    switch value {
    case .array, .dictionary: return PropertyList.Node(value, element.position)
    default: return PropertyList.Node(value, element.position, end: element.textEnd)
    }
  }

  private mutating func entries(of element: XMLElement) -> [PropertyList.Entry] {
    var entries: [PropertyList.Entry] = []
    var key: XMLElement?
    for child in element.children {
      if child.name == "key" {
        if let key { skip("A <key> has no value.", key) }
        key = child
      } else if let name = key {
        key = nil
        if let node = node(child) {
          entries.append(PropertyList.Entry(name.text, node, name.position))
        }
      } else {
        skip("A value has no <key>.", child)
      }
    }
    if let key { skip("A <key> has no value.", key) }
    return entries
  }

  /// Reads a reference of an archive: `<dict><key>CF$UID</key><integer>1</integer></dict>`.
  private static func uid(_ element: XMLElement) -> UInt64? {
    var children = element.children
    guard let key = children.next(), key.name == "key", key.text == "CF$UID",
      let number = children.next(), number.name == "integer", children.next() == nil
    else { return nil }
    return UInt64(number.text)
  }

  private static func integer(_ text: String) -> Int64? {
    let text = text.filter { !$0.isWhitespace }
    if text.hasPrefix("0x") { return Int64(text.dropFirst(2), radix: 16) }
    return Int64(text) ?? UInt64(text).map { Int64(bitPattern: $0) }
  }
}
