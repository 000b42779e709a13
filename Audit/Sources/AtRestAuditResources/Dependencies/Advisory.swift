/// A vulnerability of a library: the fields of the OSV schema that are used here.
package struct Advisory: Decodable, Sendable {
  package let id: String
  package let aliases: [String]?
  package let summary: String?
  package let details: String?
  package let withdrawn: String?
  package let affected: [Affected]?
  package let databaseSpecific: DatabaseSpecific?

  enum CodingKeys: String, CodingKey {
    case id, aliases, summary, details, withdrawn, affected
    case databaseSpecific = "database_specific"
  }

  package struct Affected: Decodable, Sendable {
    package let package: Package?
    package let ranges: [Range]?
    package let versions: [String]?
  }

  package struct Package: Decodable, Sendable {
    package let ecosystem: String
    package let name: String
  }

  package struct Range: Decodable, Sendable {
    package let type: String
    package let repo: String?
    package let events: [Event]?
  }

  package struct Event: Decodable, Sendable {
    package let introduced: String?
    package let fixed: String?
    package let lastAffected: String?

    enum CodingKeys: String, CodingKey {
      case introduced, fixed
      case lastAffected = "last_affected"
    }
  }

  package struct DatabaseSpecific: Decodable, Sendable {
    package let severity: String?

    enum CodingKeys: String, CodingKey { case severity }

    package init(from decoder: any Decoder) throws {
      // Each database stores different data in this field.
      let values = try? decoder.container(keyedBy: CodingKeys.self)
      severity = try? values?.decodeIfPresent(String.self, forKey: .severity)
    }
  }
}

extension Advisory.Affected {
  /// Returns true if the advisory lists a version or has a range that contains the version.
  package func holds(_ version: String) -> Bool {
    let plain = version.hasPrefix("v") ? String(version.dropFirst()) : version
    if versions?.contains(where: { $0 == version || $0 == plain || $0 == "v" + plain }) == true {
      return true
    }
    guard let version = SemanticVersion(version) else { return false }
    return ranges?.contains { $0.type != "GIT" && $0.holds(version) } ?? false
  }

  /// Returns the lowest fixed version above the given version, or nil if there is none.
  package func mended(after version: String) -> String? {
    guard let version = SemanticVersion(version) else { return nil }
    let fixes = (ranges ?? []).filter { $0.type != "GIT" }.flatMap { $0.events ?? [] }
      .compactMap(\.fixed)
    return fixes.compactMap { text in SemanticVersion(text).map { (text, $0) } }
      .filter { $0.1 > version }.min { $0.1 < $1.1 }?.0
  }
}

extension Advisory.Range {
  /// Returns true if the range contains a version. Evaluates the events in the order of their
  /// versions, as OSV specifies.
  func holds(_ version: SemanticVersion) -> Bool {
    enum Change: Int { case introduced, fixed, behindLast }
    var changes: [(version: SemanticVersion?, change: Change)] = []
    for event in events ?? [] {
      if let text = event.introduced {
        if text == "0" {
          changes.append((nil, .introduced))
        } else if let version = SemanticVersion(text) {
          changes.append((version, .introduced))
        }
      }
      if let version = event.fixed.flatMap(SemanticVersion.init) {
        changes.append((version, .fixed))
      }
      if let version = event.lastAffected.flatMap(SemanticVersion.init) {
        changes.append((version, .behindLast))
      }
    }
    changes.sort { left, right in
      switch (left.version, right.version) {
      case (let first?, let second?): first < second
      case (nil, let second): second != nil
      case (_, nil): false
      }
    }
    var isAffected = false
    for (limit, change) in changes {
      switch change {
      case .introduced: if limit.map({ $0 <= version }) ?? true { isAffected = true }
      case .fixed: if let limit, limit <= version { isAffected = false }
      case .behindLast: if let limit, limit < version { isAffected = false }
      }
    }
    return isAffected
  }
}
