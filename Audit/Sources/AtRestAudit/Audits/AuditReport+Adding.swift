import AtRestAuditModel
import AtRestFormats

extension AuditReport {
  /// Returns a report with the findings of both reports, under the name of this one.
  public func adding(_ other: AuditReport) -> AuditReport {
    var report = self
    report.findings += other.findings
    report.repeated += other.repeated
    report.suppressed += other.suppressed
    report.unusedSuppressions += other.unusedSuppressions
    report.known += other.known
    report.mended += other.mended
    report.skipped += other.skipped
    report.leftOut += other.leftOut
    report.containers += other.containers
    report.writes += other.writes
    report.secrets += other.secrets
    if report.checklist.isEmpty { report.checklist = other.checklist }
    report.statistics.files += other.statistics.files
    report.statistics.swiftLines += other.statistics.swiftLines
    report.statistics.objectiveCLines += other.statistics.objectiveCLines
    report.statistics.otherFiles += other.statistics.otherFiles
    report.statistics.seconds += other.statistics.seconds
    report.sort()
    report.join()
    return report
  }

  /// Returns the report with the findings that a baseline contains marked as known. Baseline
  /// entries without a finding are not reported as fixed, because they may belong to code.
  public func compared(with baseline: Baseline) -> AuditReport {
    var report = self
    let split = baseline.split(findings, all: Fingerprints(self), exists: { _ in true })
    report.findings = split.new
    report.known += split.known
    report.join()
    return report
  }

  mutating func sort() { findings.sort { $0.precedes($1) } }

  mutating func note(_ count: Int, _ what: String, of name: String) {
    guard count > 0 else { return }
    skipped.append(Skip(path: name, reason: "\(count) more \(what) than are listed."))
  }
}
