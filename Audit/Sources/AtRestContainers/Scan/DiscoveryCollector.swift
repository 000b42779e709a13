import AtRestFormats
import Synchronization

/// Collects what the detectors find in the items of a walk, and keeps the best description of each
/// finding.
///
/// Thread-safe.
final class DiscoveryCollector: Sendable {
  /// The maximum number of secrets that are kept for a file.
  static let limit = 500
  /// The maximum number of places that are kept for each canary in a file.
  static let canaryLimit = 100
  /// The maximum number of encodings around a canary that are removed.
  private static let depth = 4
  /// The maximum number of bytes that are unpacked from one value, or from one piece of raw bytes.
  private static let unpackedLimit = (value: 16 << 20, raw: 4 << 20)
  /// The maximum size in bytes of a piece of raw bytes that is decoded. The values in larger files
  /// are decoded one by one.
  private static let rawLimit = 64 << 10
  private static let problemLimit = 1000

  private let matcher: CanaryMatcher?
  private let detector = SecretDetector()
  private let files = Mutex<[String: Found]>([:])
  private let cutOff = Mutex<[WalkProblem]>([])
  /// The files whose text contains a licence.
  private let licences = Mutex<Set<Locator>>([])
  private let meters = Mutex<[Locator: Meter]>([:])

  fileprivate struct Found {
    var canaries: [Sighting] = []
    /// Canaries in raw bytes.
    var raw: [Sighting] = []
    var secrets: [Sighting] = []
    /// Canaries in the name of the file or folder itself.
    var names: [Sighting] = []
    var numbers = NumberColumns()
    /// The number of discoveries beyond the limits.
    var further = 0
    var furtherRaw: [Sighting.Identity: Int] = [:]
    /// The number of places at which each canary was found so far.
    var counts: [Sighting.Identity: Int] = [:]
    var rawCounts: [Sighting.Identity: Int] = [:]
  }

  /// The content meter of one file, whose bytes arrive in parts.
  private final class Meter: Sendable {
    /// The windows, and the bytes at the end that do not fill one. The pieces of a large file
    /// arrive in any order.
    let content = Mutex((windows: ContentMeter(), rest: [UInt8]()))
  }

  init(_ canaries: [Canary]) {
    matcher = canaries.isEmpty ? nil : CanaryMatcher(canaries)
  }

  // MARK: Looking

  /// Returns the ranges in which canaries were found, if the item consists of raw bytes.
  @discardableResult
  func look(at item: Item) -> [Range<Int>] {
    switch item.content {
    case .text(var text):
      // Most texts contain nothing to report. Searching them in place avoids a copy.
      let (matches, detections) = text.withUTF8 { bytes in
        find(in: UnsafeRawBufferPointer(bytes), item)
      }
      guard !matches.isEmpty || !detections.isEmpty else { return [] }
      keep(matches, detections, of: item, Array(text.utf8))
      return []
    case .bytes(let bytes):
      if item.isRaw {
        measure(bytes, item)
        let isText = bytes.withUnsafeBufferPointer {
          ASCII.isText(UnsafeBufferPointer(rebasing: $0.prefix(4096)))
        }
        if isText, bytes.withUnsafeBytes(Licence.isLicence) {
          _ = licences.withLock { $0.insert(item.locator.withoutOffset) }
        }
      }
      let (matches, detections) = bytes.withUnsafeBytes { find(in: $0, item) }
      keep(matches, detections, of: item, bytes)
      return item.isRaw ? matches.map(\.range) : []
    }
  }

  /// Searches the names of files and folders for canaries. A folder's name is reported once, not
  /// for each of its files.
  func look(atNamesOf files: [FileReport]) {
    guard let matcher else { return }
    var seen: Set<String> = []
    // The folders and files of the container, and those of each archive.
    var searched: [Locator: Set<ArraySlice<UInt8>>] = [:]
    for file in files.map(\.locator) {
      let name: [UInt8]
      switch file.steps.last {
      case nil: name = Array(file.path.utf8)
      case .entry(let entry)?: name = Array(entry.utf8)
      default: continue
      }
      let archive = file.steps.isEmpty ? Locator("") : Locator(file.path, file.steps.dropLast())
      for match in matches(inName: name, matcher, &searched[archive, default: []]) {
        let end = name[match.range.upperBound...].firstIndex(of: UInt8(ascii: "/")) ?? name.count
        let part = Array(name[..<end])
        let path = String(decoding: part, as: UTF8.self)
        let locator =
          file.steps.isEmpty
          ? Locator(path) : Locator(file.path, file.steps.dropLast() + [.entry(path)])
        guard seen.insert("\(match.canary.name) \(locator)").inserted else { continue }
        let discovery = Discovery(
          subject: .canary(match.canary, encodings: match.encodings), locator: locator,
          name: "name of a file or folder", state: .live,
          excerpt: Excerpt(around: match.range, of: part, secrets: [match.range]))
        let sighting = Sighting(discovery, of: part[match.range])
        self.files.withLock { $0[locator.path, default: Found()].add(name: sighting) }
      }
    }
  }

  /// Finds canaries in a path, and in the encodings of each name in it.
  ///
  /// - Parameter searched: The paths whose last names were decoded before. Those of folders occur many times.
  private func matches(
    inName path: [UInt8], _ matcher: CanaryMatcher, _ searched: inout Set<ArraySlice<UInt8>>
  ) -> [CanaryMatch] {
    let plain = matcher.matches(in: path)
    let encoded = path.split(separator: UInt8(ascii: "/")).flatMap { part -> [CanaryMatch] in
      let place = path[..<part.endIndex]
      guard !plain.contains(where: { $0.range.overlaps(part.indices) }),
        searched.insert(place).inserted
      else { return [] }
      return matcher.matches(in: Array(part), decoding: Self.depth, limit: Self.unpackedLimit.raw)
        .matches.map { match in
          let range =
            part.startIndex + match.range.lowerBound..<part.startIndex + match.range.upperBound
          return CanaryMatch(canary: match.canary, range: range, encodings: match.encodings)
        }
    }
    return plain + encoded
  }

  private func find(
    in bytes: UnsafeRawBufferPointer, _ item: Item
  ) -> ([CanaryMatch], [Detection]) {
    (
      canaries(in: bytes, item),
      item.isRaw ? [] : detections(in: bytes, item)
    )
  }

  private func detections(in bytes: UnsafeRawBufferPointer, _ item: Item) -> [Detection] {
    let (found, longNumbers) = bytes.withMemoryRebound(to: UInt8.self) {
      detector.examine($0, name: item.name)
    }
    if longNumbers > 0 {
      files.withLock {
        $0[item.locator.path, default: Found()].numbers.add(longNumbers, found, at: item.locator)
      }
    }
    // Most keys are names that a developer chose, or numbers of records.
    return item.isKey ? found.filter { $0.confidence > .possible } : found
  }

  /// Finds canaries as they are, and in encodings within each other, as far as the limits allow.
  private func canaries(in bytes: UnsafeRawBufferPointer, _ item: Item) -> [CanaryMatch] {
    guard let matcher else { return [] }
    if item.isRaw, bytes.count > Self.rawLimit { return matcher.matchesWithLayouts(in: bytes) }
    let limit = item.isRaw ? Self.unpackedLimit.raw : Self.unpackedLimit.value
    let (matches, isComplete) = matcher.matches(
      in: bytes, decoding: Self.depth, limit: limit, onlyEncoded: item.wasSearched)
    // The stream that raw bytes contain is opened as a value, if its format is known.
    if !isComplete, !item.isRaw {
      let reason = "The compressed parts of the value unpack to more than \(limit) bytes."
      cutOff.withLock {
        if $0.count < Self.problemLimit { $0.append(WalkProblem(item.locator, reason)) }
      }
    }
    return matches
  }

  /// The values whose compressed parts were not searched to the end.
  var problems: [WalkProblem] { cutOff.withLock { $0 } }

  private func keep(
    _ matches: [CanaryMatch], _ detections: [Detection], of item: Item, _ value: [UInt8]
  ) {
    guard !matches.isEmpty || !detections.isEmpty else { return }
    let secrets = matches.map(\.range) + detections.map(\.range)
    func sighting(_ subject: Discovery.Subject, _ range: Range<Int>) -> Sighting {
      let discovery = Discovery(
        subject: subject,
        locator: item.isRaw ? item.locator.moved(by: range.lowerBound) : item.locator,
        name: item.name, state: item.state,
        excerpt: Excerpt(around: range, of: value, secrets: secrets), recorded: item.recorded)
      return Sighting(discovery, of: value[range])
    }
    // A value can contain a million matches. Only those that can be kept are turned into sightings.
    // Matches of one canary do not count towards the limit of another.
    var counts: [Canary: Int] = [:]
    let canaries = matches.filter { match in
      counts[match.canary, default: 0] += 1
      return counts[match.canary, default: 0] <= Self.canaryLimit
    }.map { sighting(.canary($0.canary, encodings: $0.encodings), $0.range) }
    // Text that the tester typed is reported as a canary only.
    var typed = RangeSet<Int>()
    for match in matches { typed.insert(contentsOf: match.range) }
    var ahead = typed.ranges[...]
    let untyped = detections.filter { detection in
      while let next = ahead.first, next.upperBound <= detection.range.lowerBound {
        ahead.removeFirst()
      }
      return ahead.first.map { !$0.overlaps(detection.range) } ?? true
    }
    let others = untyped.prefix(Self.limit).map { sighting(.secret($0), $0.range) }
    files.withLock { files in
      var found = files.removeValue(forKey: item.locator.path) ?? Found()
      found.add(canaries, others, isRaw: item.isRaw)
      found.further += untyped.count - others.count
      for (canary, count) in counts where count > Self.canaryLimit {
        let left = count - Self.canaryLimit
        if item.isRaw {
          found.furtherRaw[.canary(canary), default: 0] += left
        } else {
          found.further += left
        }
      }
      files[item.locator.path] = found
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
    let whole = bytes.count - bytes.count % ContentMeter.windowSize
    meter.content.withLock { content in
      content.windows.add(whole == bytes.count ? bytes : Array(bytes[..<whole]))
      content.rest += bytes[whole...]
    }
  }

  /// The verdict on the bytes of a file, or nil if they were not read.
  func verdict(on file: Locator, _ type: FileType) -> ContentVerdict? {
    let meter = meters.withLock { $0[file] }
    return meter?.content.withLock { content in
      var meter = content.windows
      meter.add(content.rest)
      return meter.verdict(type)
    }
  }

  // MARK: Results

  var results: (discoveries: [Discovery], further: Int) {
    let licences = licences.withLock { $0 }
    return files.withLock { files in
      var discoveries: [Discovery] = []
      var further = 0
      for path in files.keys.sorted() {
        guard let found = files[path] else { continue }
        // A database's log is read together with the database.
        let base = ["-wal", "-shm", "-journal"].first(where: path.hasSuffix).map {
          String(path.dropLast($0.count))
        }
        let results = found.results(
          besides: base.flatMap { files[$0] }, licences: licences)
        discoveries += results.discoveries
        further += results.further
      }
      return (discoveries, further)
    }
  }
}

extension DiscoveryCollector.Found {
  fileprivate mutating func add(_ canaries: [Sighting], _ others: [Sighting], isRaw: Bool) {
    func keep(_ new: [Sighting], in all: inout [Sighting], _ counts: inout [Identity: Int])
      -> [Sighting]
    {
      new.filter { sighting in
        counts[sighting.identity, default: 0] += 1
        guard counts[sighting.identity, default: 0] <= DiscoveryCollector.canaryLimit else {
          return true
        }
        all.append(sighting)
        return false
      }
    }
    guard isRaw else {
      let fitting = others.prefix(max(0, DiscoveryCollector.limit - secrets.count))
      secrets += fitting
      further += others.count - fitting.count + keep(canaries, in: &self.canaries, &counts).count
      return
    }
    for left in keep(canaries, in: &raw, &rawCounts) {
      furtherRaw[left.identity, default: 0] += 1
    }
  }

  private typealias Identity = Sighting.Identity

  fileprivate mutating func add(name: Sighting) {
    if names.count < DiscoveryCollector.limit { names.append(name) } else { further += 1 }
  }

  /// Keeps each discovery once. It prefers an inner value to the value around it, live data to
  /// deleted data, and values to raw bytes.
  ///
  /// - Parameter whole: The discoveries in the database to which this file belongs, or nil.
  fileprivate func results(
    besides whole: Self?, licences: Set<Locator>
  ) -> (discoveries: [Discovery], further: Int) {
    let values = Sighting.simplest(Sighting.innermost(canaries))
    var known = Set((values + (whole?.canaries ?? [])).map(\.identity))
    func unknown(_ state: Item.State, _ known: Set<Identity>) -> [Sighting] {
      raw.filter { found in
        found.discovery.state == state && !known.contains(found.identity)
          // An archive's bytes contain the names of its entries.
          && !names.contains { $0.identity == found.identity && $0.isBeside(found) }
      }
    }
    // The bytes of a deleted row are reported as deleted, and not again as bytes of the file. Beside a
    // live row, one place is enough: databases copy a page with each change.
    var beside = Set<Identity>()
    let deleted = unknown(
      .deleted, Set(values.filter { $0.discovery.state == .deleted }.map(\.identity))
    ).sorted { $0.order < $1.order }.filter { found in
      !known.contains(found.identity) || beside.insert(found.identity).inserted
    }
    known.formUnion((deleted + (whole?.raw ?? [])).map(\.identity))
    // A line of a licence does not say that it is one.
    let others = secrets.filter { found in
      !numbers.isChance(found)
        && !(found.isEmail && licences.contains(found.discovery.locator.withoutLine))
    }
    let all = [
      names, values, Sighting.once(deleted), Sighting.once(unknown(.live, known)),
      Sighting.simplest(Sighting.innermost(others)),
    ]
    return (
      all.flatMap { $0.sorted { $0.order < $1.order } }.map(\.discovery),
      furtherRaw.reduce(further) { known.contains($1.key) ? $0 : $0 + $1.value }
    )
  }
}

extension Locator {
  /// The locator of the byte at an offset in the bytes that this locator names.
  fileprivate func moved(by count: Int) -> Locator {
    switch steps.last {
    case .offset(let start)?: Locator(path, steps.dropLast() + [.offset(start + count)])
    case .deleted(let page, let start)?:
      Locator(path, steps.dropLast() + [.deleted(page: page, offset: start + count)])
    default: appending(.offset(count))
    }
  }

  /// The file that contains this line.
  fileprivate var withoutLine: Locator {
    if case .line? = steps.last { Locator(path, steps.dropLast()) } else { self }
  }

  /// The file whose bytes this locator names.
  var withoutOffset: Locator {
    if case .offset? = steps.last { Locator(path, steps.dropLast()) } else { self }
  }
}
