import Foundation

/// Assembles the objects of an archive, which refer to each other by number, into a tree.
struct KeyedArchiveReader {
  private typealias Node = PropertyList.Node

  private struct Known {
    let node: Node
    let size: Int
  }

  /// After this many cuts, each object is decoded only once, whether it is complete or not.
  private static let cutLimit = 1000
  private static let textLimit = 64 << 20

  private let path: String
  private let objects: [PropertyList.Node]
  private var budget = PropertyList.valueLimit
  /// The remaining bytes for strings that are built from others. A small archive can build many
  /// strings from a long one.
  private var textBudget = Self.textLimit
  private var known: [Int: Known] = [:]
  private var ancestors: Set<Int> = []
  private var classes: [Int: (name: String, ancestry: Set<String>)] = [:]
  private(set) var skipped: [Skip] = []
  private var cuts = 0

  init(path: String, objects: [PropertyList.Node]) {
    self.path = path
    self.objects = objects
  }

  mutating func read(_ top: [PropertyList.Entry]) -> PropertyList.Node {
    if top.count == 1, top[0].key == "root" { return decoded(top[0].node, depth: 0) }
    return Node(
      .dictionary(
        top.map { PropertyList.Entry($0.key, decoded($0.node, depth: 1), $0.position) }))
  }

  private mutating func cut(_ reason: String) -> Node {
    cuts += 1
    let skip = Skip(path: path, reason: reason)
    if !skipped.contains(skip) { skipped.append(skip) }
    return Node(.null)
  }

  /// Returns true if a string of this many bytes may be built, and subtracts it from the budget.
  private mutating func mayMake(_ count: Int) -> Bool {
    guard count <= textBudget else {
      _ = cut("Strings beyond a total of \(Self.textLimit) bytes are skipped.")
      return false
    }
    textBudget -= count
    return true
  }

  /// The number of the object that a value refers to. XML has no type for references.
  private func reference(_ node: PropertyList.Node) -> Int? {
    switch node.value {
    case .uid(let number): return Int(clamping: number)
    case .dictionary(let entries) where entries.count == 1 && entries[0].key == "CF$UID":
      if case .integer(let number) = entries[0].node.value { return Int(clamping: number) }
      return nil
    default: return nil
    }
  }

  /// Decodes a value, or the object that it refers to.
  private mutating func decoded(_ node: PropertyList.Node, depth: Int) -> PropertyList.Node {
    if let number = reference(node) { return object(number, depth: depth) }
    budget -= 1
    guard budget >= 0 else {
      return cut("Values after the first \(PropertyList.valueLimit) are skipped.")
    }
    guard depth < PropertyList.depthLimit else {
      return cut("Objects nested deeper than \(PropertyList.depthLimit) levels are skipped.")
    }
    switch node.value {
    case .array(let nodes): return Node(.array(list(nodes, depth: depth)), node.position)
    case .dictionary(let entries):
      return Node(.dictionary(members(entries, depth: depth)), node.position)
    default: return node
    }
  }

  private mutating func object(_ number: Int, depth: Int) -> PropertyList.Node {
    if let known = known[number] {
      budget -= known.size
      if budget >= 0 { return known.node }
      return cut("Values after the first \(PropertyList.valueLimit) are skipped.")
    }
    guard objects.indices.contains(number) else {
      return cut("The archive refers to an object that it does not contain.")
    }
    let node = objects[number]
    if number == 0, node.string == "$null" { return Node(.null, node.position) }
    guard ancestors.insert(number).inserted else {
      return cut("The archive contains an object that contains itself.")
    }
    defer { ancestors.remove(number) }
    let before = (budget: budget, cuts: cuts)
    let result: Node
    if let entries = node.entries, let type = node["$class"].flatMap(reference) {
      result = instance(node, entries, of: type, depth: depth)
    } else {
      result = decoded(node, depth: depth)
    }
    // An object that was cut in one place may be complete in another. Hostile archives cause
    // endless cuts.
    if cuts == before.cuts || cuts > Self.cutLimit {
      known[number] = Known(node: result, size: max(1, before.budget - budget))
    }
    return result
  }

  private mutating func list(_ nodes: [PropertyList.Node], depth: Int) -> [PropertyList.Node] {
    var result: [PropertyList.Node] = []
    for node in nodes where budget >= 0 { result.append(decoded(node, depth: depth + 1)) }
    return result
  }

  private mutating func members(
    _ entries: [PropertyList.Entry], depth: Int
  ) -> [PropertyList.Entry] {
    var result: [PropertyList.Entry] = []
    for entry in entries where budget >= 0 && entry.key != KeyedArchive.classKey {
      result.append(
        PropertyList.Entry(entry.key, decoded(entry.node, depth: depth + 1), entry.position))
    }
    return result
  }

  // MARK: Classes

  private mutating func instance(
    _ node: PropertyList.Node, _ entries: [PropertyList.Entry], of type: Int, depth: Int
  ) -> PropertyList.Node {
    budget -= 1
    guard budget >= 0 else {
      return cut("Values after the first \(PropertyList.valueLimit) are skipped.")
    }
    guard depth < PropertyList.depthLimit else {
      return cut("Objects nested deeper than \(PropertyList.depthLimit) levels are skipped.")
    }
    let (name, ancestry) = classNamed(type)
    if let value = foundationValue(node, ancestry, depth: depth) {
      return Node(value, node.position)
    }
    let label = PropertyList.Entry(KeyedArchive.classKey, Node(.string(name), node.position))
    return Node(.dictionary([label] + members(entries, depth: depth)), node.position)
  }

  private mutating func classNamed(_ number: Int) -> (name: String, ancestry: Set<String>) {
    if let known = classes[number] { return known }
    let node = objects.indices.contains(number) ? objects[number] : Node(.null)
    if node["$classname"]?.string == nil { _ = cut("A class of the archive is damaged.") }
    let name = node["$classname"]?.string ?? "?"
    let result = (name, Set((node["$classes"]?.strings ?? []) + [name]))
    classes[number] = result
    return result
  }

  private mutating func foundationValue(
    _ node: PropertyList.Node, _ ancestry: Set<String>, depth: Int
  ) -> PropertyList.Value? {
    func isKind(of name: String) -> Bool { ancestry.contains(name) }
    if isKind(of: "NSDictionary") { return dictionary(node, depth: depth) }
    if isKind(of: "NSArray") || isKind(of: "NSSet") || isKind(of: "NSOrderedSet") {
      return elements(node, "NS.object").map { .array(list($0, depth: depth)) }
    }
    if isKind(of: "NSString") {
      if let text = content(node, "NS.string", depth: depth)?.string { return .string(text) }
      guard case .data(let data)? = content(node, "NS.bytes", depth: depth)?.value else {
        return nil
      }
      return mayMake(data.count) ? .string(String(decoding: data, as: UTF8.self)) : nil
    }
    if isKind(of: "NSData") {
      for key in ["NS.data", "NS.bytes"] {
        if case .data(let data)? = content(node, key, depth: depth)?.value { return .data(data) }
      }
    }
    if isKind(of: "NSNull") { return .null }
    return scalar(node, ancestry, depth: depth)
  }

  private mutating func scalar(
    _ node: PropertyList.Node, _ ancestry: Set<String>, depth: Int
  ) -> PropertyList.Value? {
    if ancestry.contains("NSDate") {
      switch content(node, "NS.time", depth: depth)?.value {
      case .real(let time): return .date(Date(timeIntervalSinceReferenceDate: time))
      case .integer(let time): return .date(Date(timeIntervalSinceReferenceDate: Double(time)))
      default: return nil
      }
    }
    if ancestry.contains("NSURL") {
      guard let relative = content(node, "NS.relative", depth: depth)?.string else { return nil }
      guard let base = content(node, "NS.base", depth: depth)?.string else {
        return .string(relative)
      }
      guard mayMake(base.utf8.count + relative.utf8.count) else { return nil }
      return .string(
        URL(string: relative, relativeTo: URL(string: base))?.absoluteString ?? base + relative)
    }
    if ancestry.contains("NSUUID") {
      guard case .data(let data)? = content(node, "NS.uuidbytes", depth: depth)?.value,
        data.count == 16
      else { return nil }
      return .string(data.withUnsafeBytes { $0.loadUnaligned(as: UUID.self) }.uuidString)
    }
    if ancestry.contains("NSNumber") {
      for key in ["NS.intval", "NS.dblval", "NS.boolval"] {
        if let value = node[key]?.value { return value }
      }
    }
    return nil
  }

  /// The decoded value under a key of an object.
  private mutating func content(
    _ node: PropertyList.Node, _ key: String, depth: Int
  ) -> PropertyList.Node? {
    node[key].map { decoded($0, depth: depth + 1) }
  }

  private mutating func dictionary(
    _ node: PropertyList.Node, depth: Int
  ) -> PropertyList.Value? {
    guard let keys = elements(node, "NS.key"), let values = elements(node, "NS.object") else {
      return nil
    }
    if keys.count != values.count {
      _ = cut("A dictionary of the archive has a different number of keys and values.")
    }
    var entries: [PropertyList.Entry] = []
    for (key, value) in zip(keys, values) where budget >= 0 {
      let name = name(of: decoded(key, depth: depth + 1))
      entries.append(PropertyList.Entry(name, decoded(value, depth: depth + 1), key.position))
    }
    return .dictionary(entries)
  }

  /// The list `NS.keys` or `NS.objects`. Old archives have a numbered key for each element.
  private func elements(_ node: PropertyList.Node, _ stem: String) -> [PropertyList.Node]? {
    if let nodes = node[stem + "s"]?.array { return nodes }
    let numbered = (node.entries ?? []).compactMap { entry -> (Int, PropertyList.Node)? in
      guard entry.key.hasPrefix(stem + "."), let number = Int(entry.key.dropFirst(stem.count + 1))
      else { return nil }
      return (number, entry.node)
    }
    if numbered.isEmpty { return (node.entries?.count ?? 0) <= 1 ? [] : nil }
    return numbered.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The name of a key. Keys of archives may be any objects, and keys of property lists are
  /// strings.
  private mutating func name(of key: PropertyList.Node) -> String {
    switch key.value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .boolean(let flag): String(flag)
    case .date(let date): date.ISO8601Format()
    case .data(let data): mayMake(data.count / 3 * 4) ? data.base64EncodedString() : "?"
    default: key[KeyedArchive.classKey]?.string ?? "?"
    }
  }
}
