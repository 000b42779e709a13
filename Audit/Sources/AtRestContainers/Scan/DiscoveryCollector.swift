import AtRestFormats
import Synchronization

/// Gathers what detectors find in the items of a walk, each thing where it is told best.
///
/// Thread-safe.
final class DiscoveryCollector: Sendable {
  /// Discoveries of one file that are kept of each kind.
  static let limit = 500

  private let matcher: CanaryMatcher?
  private let detector = SecretDetector()
  private let files = Mutex<[String: Found]>([:])
  private let meters = Mutex<[Locator: Meter]>([:])

  fileprivate struct Found {
    var canaries: [Discovery] = []
    /// In bytes as they lie there.
    var raw: [Discovery] = []
    var secrets: [Discovery] = []
    var further = 0
  }

  /// Of one file, whose bytes come one after another.
  private final class Meter: Sendable {
    let content = Mutex(ContentMeter())
  }

  init(_ canaries: [Canary]) {
    matcher = canaries.isEmpty ? nil : CanaryMatcher(canaries)
  }

  // MARK: Looking

  func look(at item: Item) {
    switch item.content {
    case .text(var text):
      // Without a copy of the many that hold nothing.
      let (matches, detections) = text.withUTF8 { bytes in
        find(in: UnsafeRawBufferPointer(bytes), item)
      }
      guard !matches.isEmpty || !detections.isEmpty else { return }
      keep(matches, detections, of: item, Array(text.utf8))
    case .bytes(let bytes):
      if item.isRaw { measure(bytes, item) }
      let (matches, detections) = bytes.withUnsafeBytes { find(in: $0, item) }
      keep(matches, detections, of: item, bytes)
    }
  }

  private func find(
    in bytes: UnsafeRawBufferPointer, _ item: Item
  ) -> ([CanaryMatch], [Detection]) {
    (
      matcher?.matches(in: bytes) ?? [],
      item.isRaw ? [] : detector.detections(in: Array(bytes), name: item.name)
    )
  }

  private func keep(
    _ matches: [CanaryMatch], _ detections: [Detection], of item: Item, _ value: [UInt8]
  ) {
    guard !matches.isEmpty || !detections.isEmpty else { return }
    let secrets = matches.map(\.range) + detections.map(\.range)
    func discovery(_ subject: Discovery.Subject, _ range: Range<Int>) -> Discovery {
      Discovery(
        subject: subject,
        locator: item.isRaw ? item.locator.moved(by: range.lowerBound) : item.locator,
        name: item.name, state: item.state,
        excerpt: Excerpt(around: range, of: value, secrets: secrets))
    }
    // One value can hold a million of them: only those are told that can be kept.
    let canaries = matches.prefix(Self.limit).map {
      discovery(.canary($0.canary, encodings: $0.encodings), $0.range)
    }
    // What was typed in is told as that.
    var typed = RangeSet<Int>()
    for match in matches { typed.insert(contentsOf: match.range) }
    var ahead = typed.ranges[...]
    let untyped = detections.filter { detection in
      while let next = ahead.first, next.upperBound <= detection.range.lowerBound {
        ahead.removeFirst()
      }
      return ahead.first.map { !$0.overlaps(detection.range) } ?? true
    }
    let others = untyped.prefix(Self.limit).map { discovery(.secret($0), $0.range) }
    let left = matches.count - canaries.count + untyped.count - others.count
    files.withLock { files in
      files[item.locator.path, default: Found()].add(canaries, others, isRaw: item.isRaw)
      files[item.locator.path]?.further += left
    }
  }

  // MARK: Verdicts

  private func measure(_ bytes: [UInt8], _ item: Item) {
    let file = item.locator.withoutOffset
    let meter = meters.withLock { meters in
      if let meter = meters[file] { return meter }
      let meter = Meter()
      meters[file] = meter
      return meter
    }
    meter.content.withLock { $0.add(bytes) }
  }

  /// How the bytes of a file look, if they were given.
  func verdict(on file: Locator, _ type: FileType) -> ContentVerdict? {
    let meter = meters.withLock { $0[file] }
    return meter?.content.withLock { $0.verdict(type) }
  }

  // MARK: Results

  var results: (discoveries: [Discovery], further: Int) {
    files.withLock { files in
      var discoveries: [Discovery] = []
      var further = 0
      for path in files.keys.sorted() {
        guard let found = files[path] else { continue }
        further += found.further
        // A log beside a database is read as a part of it.
        let base = ["-wal", "-shm", "-journal"].first(where: path.hasSuffix).map {
          String(path.dropLast($0.count))
        }
        let elsewhere = base.flatMap { files[$0] }?.canaries ?? []
        discoveries += found.discoveries(besides: elsewhere)
      }
      return (discoveries, further)
    }
  }
}

extension DiscoveryCollector.Found {
  fileprivate mutating func add(_ canaries: [Discovery], _ others: [Discovery], isRaw: Bool) {
    func append(_ new: [Discovery], to all: inout [Discovery]) -> Int {
      let fitting = new.prefix(max(0, DiscoveryCollector.limit - all.count))
      all += fitting
      return new.count - fitting.count
    }
    further += isRaw ? append(canaries, to: &raw) : append(canaries, to: &self.canaries)
    further += append(others, to: &secrets)
  }

  /// Each thing once: where it is read from the inside rather than from around, live rather than
  /// deleted, as a value rather than as bytes.
  ///
  /// - Parameter elsewhere: What was found in the file that this one belongs to.
  fileprivate func discoveries(besides elsewhere: [Discovery]) -> [Discovery] {
    let values = Self.innermost(canaries)
    let read = values + elsewhere
    let bytes = raw.filter { found in
      !read.contains { $0.canary == found.canary }
    }
    return Self.inOrder(values) + Self.inOrder(Self.once(bytes))
      + Self.inOrder(Self.innermost(secrets))
  }

  private static func innermost(_ all: [Discovery]) -> [Discovery] {
    var outer: Set<Key> = []
    var live: Set<Key> = []
    for found in all {
      if found.state == .live { live.insert(Key(found, [])) }
      for count in 0..<found.locator.steps.count {
        outer.insert(Key(found, Array(found.locator.steps.prefix(count))))
      }
    }
    return once(
      all.filter { found in
        !outer.contains(Key(found, found.locator.steps))
          && (found.state == .live || !live.contains(Key(found, [])))
      })
  }

  private static func once(_ all: [Discovery]) -> [Discovery] {
    var seen: Set<Key> = []
    return all.filter { seen.insert(Key($0, $0.locator.steps)).inserted }
  }

  private static func inOrder(_ all: [Discovery]) -> [Discovery] {
    all.sorted {
      ($0.title, $0.state.rawValue, $0.locator.description)
        < ($1.title, $1.state.rawValue, $1.locator.description)
    }
  }

  /// What was found, and the way there.
  private struct Key: Hashable {
    let path: String
    let what: String
    let steps: [Locator.Step]

    init(_ found: Discovery, _ steps: [Locator.Step]) {
      path = found.locator.path
      what = found.title
      self.steps = steps
    }
  }
}

extension Discovery {
  fileprivate var canary: Canary? {
    if case .canary(let canary, _) = subject { canary } else { nil }
  }

  /// What it is, the same for the same thing in another writing.
  fileprivate var title: String {
    switch subject {
    case .canary(let canary, _): "canary \(canary.name)"
    case .secret(let detection): "\(detection.kind.rawValue) \(detection.excerpt)"
    }
  }
}

extension Locator {
  /// The place of a byte within the bytes that this one names.
  fileprivate func moved(by count: Int) -> Locator {
    guard case .offset(let start)? = steps.last else { return appending(.offset(count)) }
    return Locator(path, steps.dropLast() + [.offset(start + count)])
  }

  /// The file whose bytes this one names.
  fileprivate var withoutOffset: Locator {
    if case .offset? = steps.last { Locator(path, steps.dropLast()) } else { self }
  }
}
