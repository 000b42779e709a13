/// A pattern for paths, as in a `.gitignore`: `*` and `?` match within a name, `**` across folders,
/// and `[a-z]` a range.
///
/// A pattern without a `/` matches a file or folder of that name at any depth. A pattern that
/// matches a folder matches everything in it.
public struct Glob: Hashable, Sendable {
  public let pattern: String
  private let parts: [Part]

  private enum Part: Hashable, Sendable {
    case anyFolders
    case name([Element])
  }

  private enum Element: Hashable, Sendable {
    case byte(UInt8)
    case anyByte
    case anyBytes
    case set([ClosedRange<UInt8>], negated: Bool)
  }

  /// Parses a pattern in the form of `.gitignore`.
  public init(_ pattern: String) {
    self.pattern = pattern
    let names = pattern.split(separator: "/").filter { $0 != "." }
    var parts: [Part] = names.map { $0 == "**" ? .anyFolders : .name(Self.elements($0)) }
    let isAnchored = pattern.hasPrefix("/") || names.count > 1
    if !isAnchored { parts.insert(.anyFolders, at: 0) }
    // Consecutive `**` are equal to one, and a `**` at the end changes nothing.
    while parts.last == .anyFolders { parts.removeLast() }
    self.parts = parts.enumerated().filter { index, part in
      part != .anyFolders || index == 0 || parts[index - 1] != .anyFolders
    }.map(\.element)
  }

  /// Returns true if the path, or a folder that contains it, matches.
  public func matches(_ path: String) -> Bool {
    walk(path.split(separator: "/").map { Array($0.utf8) }).matches
  }

  /// Returns true if something below this folder may match.
  package func mayMatch(below folder: String) -> Bool {
    let reached = walk(folder.split(separator: "/").map { Array($0.utf8) })
    return reached.matches || reached.isOpen
  }

  /// Follows all possible positions in the pattern at once, so that the time is at most the length
  /// of the pattern times the length of the path.
  private func walk(_ names: [[UInt8]]) -> (matches: Bool, isOpen: Bool) {
    var places = closure([0])
    for name in names {
      var next: Set<Int> = []
      for place in places {
        if place == parts.count { return (true, true) }
        switch parts[place] {
        case .anyFolders: next.insert(place)
        case .name(let elements):
          if Self.matches(name[...], elements[...]) { next.insert(place + 1) }
        }
      }
      places = closure(next)
      if places.isEmpty { return (false, false) }
    }
    return (places.contains(parts.count), true)
  }

  /// Adds the positions after each `**`, because `**` also matches no folder at all.
  private func closure(_ places: Set<Int>) -> Set<Int> {
    places.union(
      places.filter { $0 < parts.count && parts[$0] == .anyFolders }.map { $0 + 1 })
  }

  private static func matches(_ name: ArraySlice<UInt8>, _ elements: ArraySlice<Element>) -> Bool {
    var position = name.startIndex
    var element = elements.startIndex
    var retry: (position: Int, element: Int)?
    while position < name.endIndex {
      if element < elements.endIndex, case .anyBytes = elements[element] {
        element += 1
        retry = (position, element)
      } else if element < elements.endIndex, accepts(elements[element], name[position]) {
        position += 1
        element += 1
      } else if let (from, after) = retry {
        position = from + 1
        element = after
        retry = (position, after)
      } else {
        return false
      }
    }
    return elements[element...].allSatisfy { $0 == .anyBytes }
  }

  private static func accepts(_ element: Element, _ byte: UInt8) -> Bool {
    switch element {
    case .byte(let expected): byte == expected
    case .anyByte, .anyBytes: true
    case .set(let ranges, let negated): ranges.contains { $0.contains(byte) } != negated
    }
  }

  private static func elements(_ name: Substring) -> [Element] {
    var elements: [Element] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"):
        if elements.last != .anyBytes { elements.append(.anyBytes) }
      case UInt8(ascii: "?"): elements.append(.anyByte)
      case UInt8(ascii: "\\"): elements.append(.byte(rest.popFirst() ?? byte))
      case UInt8(ascii: "["):
        if let set = set(&rest) { elements.append(set) } else { elements.append(.byte(byte)) }
      default: elements.append(.byte(byte))
      }
    }
    return elements
  }

  private static func set(_ rest: inout ArraySlice<UInt8>) -> Element? {
    guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "]")) else { return nil }
    var inner = rest[..<end]
    rest = rest[(end + 1)...]
    let negated = inner.first == UInt8(ascii: "!") || inner.first == UInt8(ascii: "^")
    if negated { inner.removeFirst() }
    var ranges: [ClosedRange<UInt8>] = []
    while let low = inner.popFirst() {
      if inner.first == UInt8(ascii: "-"), let high = inner.dropFirst().first, high >= low {
        inner = inner.dropFirst(2)
        ranges.append(low...high)
      } else {
        ranges.append(low...low)
      }
    }
    return .set(ranges, negated: negated)
  }
}
