import AtRestFormats
import Foundation

/// Property lists, JSON and XML, which are read completely into a tree.
extension FileWalk {
  /// Visits the values of a document.
  ///
  /// - Parameter isGuess: True if the bytes may be of another format that begins alike. Errors in
  ///   XML and JSON are then not reported, and the values of such a document are not visited.
  func document(_ bytes: [UInt8], _ type: FileType, _ place: Place, isGuess: Bool = false) {
    guard bytes.count <= limits.documentBytes else {
      problem(
        place, "The document is larger than \(limits.documentBytes) bytes and was not parsed.")
      return
    }
    switch type {
    case .xml:
      let tree = XMLTree.read(Data(bytes), path: "")
      if isGuess, !tree.skipped.isEmpty { return }
      say(tree.skipped, place)
      guard let root = tree.root else { return }
      element(root, path: root.name, place)
    default:
      let isJSON = type == .json
      let list =
        isJSON ? PropertyList.json(bytes, path: "") : PropertyList.read(Data(bytes), path: "")
      if isGuess, type == .json, !list.skipped.isEmpty { return }
      if let archive = KeyedArchive(list) {
        say(archive.skipped, place)
        node(archive.root, path: "", place.at(.encoding("archive")))
      } else {
        say(list.skipped, place)
        if let root = list.root { node(root, path: "", place) }
      }
    }
  }

  /// Visits the values of a dictionary in an ASCII property list. Returns false if the text is not
  /// one.
  func oldList(_ source: ByteSource, _ place: Place) throws(FormatError) -> Bool {
    guard source.count <= limits.documentBytes,
      try source.prefix(64).first(where: { $0 > 0x20 }) == UInt8(ascii: "{")
    else { return false }
    let list = PropertyList.read(Data(try source.read(0..<source.count)), path: "")
    guard list.skipped.isEmpty, let root = list.root, root.entries?.isEmpty == false else {
      return false
    }
    node(root, path: "", place)
    return true
  }

  func say(_ skipped: [Skip], _ place: Place) {
    for skip in skipped {
      problem(skip.line.map { place.at(.line($0)) } ?? place, skip.reason)
    }
  }

  // MARK: Property lists

  /// Visits a value. The depth is limited, because the tree's is (``PropertyList/depthLimit``).
  func node(_ node: PropertyList.Node, path: String, _ place: Place) {
    if isStopped { return }
    var here: Place { path.isEmpty ? place : place.at(.keyPath(path)) }
    switch node.value {
    case .string(let text): value(text, here)
    case .integer(let number): give(.text(String(number)), here)
    case .real(let number): give(.text(String(number)), here)
    case .boolean(let flag): give(.text(flag ? "true" : "false"), here)
    case .date(let date): give(.text(Self.text(of: date)), here)
    case .data(let data): value([UInt8](data)[...], here)
    case .uid, .null: break
    case .array(let nodes):
      if let bytes = Self.bytes(of: nodes) {
        value(bytes[...], here.at(.encoding("integers")))
      }
      for (index, child) in nodes.enumerated() {
        self.node(child, path: Locator.keyPath(path, index), place)
      }
    case .dictionary(let entries):
      for entry in entries {
        var inner = place
        inner.name = entry.key
        let path = Locator.keyPath(path, entry.key)
        give(key: entry.key, inner.at(.keyPath(path)))
        self.node(entry.node, path: path, inner)
      }
    }
  }

  /// The minimum number of integers that are tried as bytes.
  private static let fewestIntegers = 4

  /// The bytes that an array of integers contains, or nil if it contains anything else. Signed
  /// bytes are accepted too.
  private static func bytes(of nodes: [PropertyList.Node]) -> [UInt8]? {
    guard nodes.count >= fewestIntegers else { return nil }
    var bytes: [UInt8] = []
    for node in nodes {
      guard case .integer(let number) = node.value, (-128...255).contains(number) else {
        return nil
      }
      bytes.append(UInt8(truncatingIfNeeded: number))
    }
    return bytes
  }

  static func text(of date: Date) -> String {
    // Dates outside the calendar's range are damaged, and some formatters trap on them.
    let seconds = date.timeIntervalSince1970
    guard abs(seconds) < 1e11 else { return String(seconds) }
    return date.formatted(.iso8601)
  }

  // MARK: XML

  /// Visits an element. The depth is limited, because the tree's is (``XMLTree/depthLimit``).
  private func element(_ element: XMLElement, path: String, _ place: Place) {
    if isStopped { return }
    var here = place
    here.name = element.name
    for attribute in element.attributes {
      var inner = place
      inner.name = attribute.name
      value(attribute.value, inner.at(.keyPath(Locator.keyPath(path, "@" + attribute.name))))
    }
    let text = element.text
    if text.utf8.contains(where: { $0 > 0x20 }) { value(text, here.at(.keyPath(path))) }
    var counts: [String: Int] = [:]
    for child in element.children {
      let index = counts[child.name, default: 0]
      counts[child.name] = index + 1
      let inner = Locator.keyPath(path, child.name)
      self.element(child, path: index == 0 ? inner : Locator.keyPath(inner, index), place)
    }
  }
}
