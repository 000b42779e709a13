/// A discovery, and what it is told apart by from others of its file.
struct Sighting {
  enum Identity: Hashable {
    case canary(Canary)
    /// Its first bytes, whatever kind it is taken for where it lies.
    case secret([UInt8])
  }

  let discovery: Discovery
  let identity: Identity

  /// - Parameter value: The very bytes that were found.
  init(_ discovery: Discovery, of value: ArraySlice<UInt8>) {
    self.discovery = discovery
    switch discovery.subject {
    case .canary(let canary, _): identity = .canary(canary)
    // In JSON some characters of it stand behind a backslash.
    case .secret: identity = .secret(value.prefix(512).filter { $0 != 0x5C })
    }
  }

  var order: (String, String, String) {
    let title =
      switch discovery.subject {
      case .canary(let canary, _): canary.name
      case .secret(let detection): "\(detection.kind.rawValue) \(detection.excerpt)"
      }
    return (title, discovery.state.rawValue, "\(discovery.locator)")
  }
}

extension Sighting {
  /// Those that nothing found within them tells better, and deleted ones only of what is nowhere else.
  static func innermost(_ all: [Sighting]) -> [Sighting] {
    var outer: Set<Key> = []
    var live: Set<Identity> = []
    for found in all {
      if found.discovery.state == .live { live.insert(found.identity) }
      let steps = found.discovery.locator.steps
      for count in steps.indices { outer.insert(Key(found, Array(steps.prefix(count)))) }
    }
    return all.filter { found in
      !outer.contains(Key(found, found.discovery.locator.steps))
        && (found.discovery.state == .live || !live.contains(found.identity))
    }
  }

  /// Of what lies in one value in several writings, those in the simplest.
  static func simplest(_ all: [Sighting]) -> [Sighting] {
    var writings: [Key: [String]] = [:]
    for found in all {
      let key = Key(found, found.value)
      let writing = found.writing
      if let known = writings[key], !isSimpler(writing, known) { continue }
      writings[key] = writing
    }
    return once(all.filter { writings[Key($0, $0.value)] == $0.writing })
  }

  static func once(_ all: [Sighting]) -> [Sighting] {
    var seen: Set<Key> = []
    return all.filter { seen.insert(Key($0, $0.discovery.locator.steps)).inserted }
  }

  private static func isSimpler(_ left: [String], _ right: [String]) -> Bool {
    left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
  }

  /// The way to the cell, line or entry of a list that it lies in, whatever is nested in that.
  private var value: [Locator.Step] {
    let steps = discovery.locator.steps
    let last = steps.firstIndex { step in
      switch step {
      case .cell, .deleted, .keyPath, .line: true
      case .entry, .record, .offset, .encoding: false
      }
    }
    return Array(steps.prefix((last ?? steps.count) + 1))
  }

  /// Whether both lie in the same archive, and in none of its entries.
  func isBeside(_ other: Sighting) -> Bool {
    let steps = discovery.locator.steps
    return !steps.isEmpty && steps.dropLast() == other.discovery.locator.steps.dropLast()
  }

  /// How it is written, from the outside in.
  private var writing: [String] {
    let around = discovery.locator.steps.compactMap { step in
      if case .encoding(let name) = step { name } else { nil }
    }
    guard case .canary(_, let encodings) = discovery.subject else { return around }
    return around + encodings
  }

  /// What was found, and the way there. Of one file.
  private struct Key: Hashable {
    let identity: Identity
    let steps: [Locator.Step]

    init(_ found: Sighting, _ steps: [Locator.Step]) {
      identity = found.identity
      self.steps = steps
    }
  }
}
