/// A discovery, and the identity that distinguishes it from other discoveries in its file.
struct Sighting {
  enum Identity: Hashable {
    case canary(Canary)
    /// The first bytes of the secret. The kind is left out, because it may differ from place to
    /// place.
    case secret([UInt8])
  }

  let discovery: Discovery
  let identity: Identity

  /// Creates a sighting.
  ///
  /// - Parameter value: The bytes that were found.
  init(_ discovery: Discovery, of value: ArraySlice<UInt8>) {
    self.discovery = discovery
    switch discovery.subject {
    case .canary(let canary, _): identity = .canary(canary)
    // In JSON, a backslash may precede some characters of the secret.
    case .secret: identity = .secret(value.prefix(512).filter { $0 != 0x5C })
    }
  }

  var isCanary: Bool { if case .canary = identity { true } else { false } }

  var isEmail: Bool {
    if case .secret(let detection) = discovery.subject { detection.kind == .email } else { false }
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
  /// Removes discoveries that have a better description in an inner value, and deleted secrets that
  /// also exist live. A deleted canary stays, because it remains when the live one is removed.
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
        && (found.discovery.state == .live || found.isCanary || !live.contains(found.identity))
    }
  }

  /// If one value contains a discovery in several encodings, keeps only the simplest.
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

  /// The path to the cell, line or list entry that contains the discovery, without the formats
  /// inside it.
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

  /// Returns true if both are in the same archive and neither is inside an entry of it.
  func isBeside(_ other: Sighting) -> Bool {
    let steps = discovery.locator.steps
    return !steps.isEmpty && steps.dropLast() == other.discovery.locator.steps.dropLast()
  }

  /// The encodings of the discovery, from the outside in.
  private var writing: [String] {
    let around = discovery.locator.steps.compactMap { step in
      if case .encoding(let name) = step { name } else { nil }
    }
    guard case .canary(_, let encodings) = discovery.subject else { return around }
    return around + encodings
  }

  /// A key for a discovery in a file: what was found, and the path to it.
  private struct Key: Hashable {
    let identity: Identity
    let steps: [Locator.Step]

    init(_ found: Sighting, _ steps: [Locator.Step]) {
      identity = found.identity
      self.steps = steps
    }
  }
}
