import AtRestAuditModel
import AtRestFormats
import Foundation

extension AuditReport {
  private typealias Place = ContainerPlaces.Place

  /// Joins the findings in containers with the code that stores their values.
  ///
  /// Both sides must name the same place. If a name can mean several places, such as two files of
  /// the same name, nothing is joined.
  package mutating func join() {
    joined = []
    guard !writes.isEmpty, !containers.isEmpty else { return }
    let places = ContainerPlaces(containers)
    var slots: [Key: [StorageWrite]] = [:]
    for write in writes { slots[Key(write.slot), default: []].append(write) }
    let code = findings.filter { $0.exhibit == nil }
    var found: [Place: [Finding]] = [:]
    for finding in findings {
      guard let exhibit = finding.exhibit else { continue }
      let path = finding.location.path
      let candidates = [exhibit.slot, .file(name: ResourcePath.name(of: path))]
      let place = candidates.compactMap(\.self).map { Place(slot: $0, path: path) }
        .first { place in
          found[place] != nil
            || slots[Key(place.slot)]?.contains { places.holds($0.slot, place) } == true
        }
      if let place { found[place, default: []].append(finding) }
    }
    joined = found.map { place, found in
      let matching = (slots[Key(place.slot)] ?? []).filter { places.holds($0.slot, place) }
      let locations = matching.map(\.location)
      return JoinedFinding(
        // The code's name is the one that people know.
        slot: matching.first?.slot ?? place.slot, writes: Self.once(locations),
        code: code.filter { finding in locations.contains { finding.concerns($0) } }, found: found)
    }
    joined.sort {
      ($1.severity, $0.found[0].location, $0.slot.names.joined(separator: "\n"))
        < ($0.severity, $1.found[0].location, $1.slot.names.joined(separator: "\n"))
    }
  }

  /// Returns the locations in order, one for each line.
  private static func once(_ locations: [Location]) -> [Location] {
    var seen: Set<String> = []
    return locations.sorted().filter { seen.insert("\($0.path):\($0.start.line)").inserted }
  }

  /// The part of a slot that both sides always name, so that few pairs have to be compared.
  private struct Key: Hashable {
    let kind: String
    let name: String

    init(_ slot: StorageSlot) {
      switch slot {
      case .preference(_, let key): (kind, name) = ("preference", key)
      case .file(let file): (kind, name) = ("file", file)
      case .column(let table, _): (kind, name) = ("table", table.lowercased())
      case .attribute(let entity, _): (kind, name) = ("table", "z" + entity.lowercased())
      case .keychainItem: (kind, name) = ("keychain", "")
      case .cookie(_, let cookie): (kind, name) = ("cookie", cookie)
      case .response(let host): (kind, name) = ("response", host)
      }
    }
  }
}

extension Finding {
  /// The maximum number of lines of a finding that is about a place within it. A longer finding is
  /// about a whole function or type.
  private static let lineLimit = 20

  /// Returns true if the finding is about this place in the code, or if its value passes there.
  fileprivate func concerns(_ place: Location) -> Bool {
    if trail.contains(where: { $0.location == place }) || places.contains(place) { return true }
    return location.path == place.path && location.start <= place.start
      && location.end >= place.end && location.end.line - location.start.line < Self.lineLimit
  }
}
