import AtRestFormats

extension AuditReport {
  /// The report with places that all formats allow: lines and columns count from 1, and no end is
  /// before its start.
  package var bounded: AuditReport {
    var report = self
    report.findings = findings.map(\.bounded)
    report.suppressed = suppressed.map {
      Suppressed(finding: $0.finding.bounded, reason: $0.reason, line: Position.bounded($0.line))
    }
    report.known = known.map(\.bounded)
    report.joined = joined.map {
      JoinedFinding(
        slot: $0.slot, writes: $0.writes.map(\.bounded), code: $0.code.map(\.bounded),
        found: $0.found.map(\.bounded))
    }
    report.unusedSuppressions = unusedSuppressions.map {
      UnusedSuppression(path: $0.path, line: Position.bounded($0.line), why: $0.why)
    }
    report.secrets = secrets.map(\.bounded)
    report.skipped = skipped.map {
      Skip(path: $0.path, line: $0.line.map(Position.bounded), reason: $0.reason)
    }
    return report
  }
}

extension Finding {
  fileprivate var bounded: Finding {
    let steps = trail + (basis?.witnesses ?? [])
    if location.isBounded, steps.allSatisfy({ $0.location.isBounded }),
      places.allSatisfy(\.isBounded),
      secrets.allSatisfy({ $0.location.isBounded })
    {
      return self
    }
    return Finding(
      rule: rule, severity: severity, location: location.bounded, message: message,
      trail: trail.map { Step($0.location.bounded, $0.message) }, anchor: anchor,
      exhibit: exhibit, secrets: secrets.map(\.bounded),
      basis: basis.map {
        Basis(
          $0.tier, witnesses: $0.witnesses.map { Step($0.location.bounded, $0.message) },
          cause: $0.cause)
      }, places: places.map(\.bounded))
  }
}

extension Finding.Secret {
  fileprivate var bounded: Finding.Secret {
    location.isBounded ? self : Finding.Secret(value, at: location.bounded)
  }
}

extension Location {
  fileprivate var isBounded: Bool { self == bounded }

  fileprivate var bounded: Location {
    let start = start.bounded
    return Location(path: path, start: start, end: max(end.bounded, start))
  }
}

extension Position {
  fileprivate static func bounded(_ number: Int) -> Int { min(max(number, 1), 1 << 30) }

  fileprivate var bounded: Position {
    Position(line: Self.bounded(line), column: Self.bounded(column))
  }
}
