import AtRestAuditModel
import AtRestFormats
import Foundation

/// An audit of a project with its settings.
///
///     let report = try Audit(tree: SourceTree(folder: "App")).run()
public struct Audit: Sendable {
  public let tree: SourceTree
  public let settings: Settings
  /// The files and folders to read, below the tree's folder. If there are none, everything is read.
  public var paths: [String] = []
  /// A git revision. Findings in files that have not changed since that revision are left out.
  public var changedSince: String?
  /// The paths of the files whose findings are reported, or nil for all files.
  package var changed: Set<String>?
  /// The findings that are already known, which are not counted as new.
  public var baseline: Baseline?

  private let engine: any AuditEngine

  /// Prepares the audit of a project.
  public init(tree: SourceTree, settings: Settings = Settings()) {
    self.init(tree: tree, settings: settings, engine: RulebookEngine())
  }

  package init(tree: SourceTree, settings: Settings = Settings(), engine: some AuditEngine) {
    self.tree = tree
    self.settings = settings
    self.engine = engine
  }

  /// Prepares the audit of what is staged in git for the next commit. Values are followed through all
  /// staged files, and findings in files that the commit changes are reported. The files of the work
  /// tree are not read.
  ///
  /// - Throws: ``AuditError`` if the folder is in no work tree or git is not installed.
  public static func staged(in folder: String, settings: Settings = Settings()) throws -> Audit {
    let staged = try Git(folder: folder).staged()
    let name = SourceTree(folder: folder).name
    var audit = Audit(tree: SourceTree(name: name, data: staged.files), settings: settings)
    audit.changed = staged.changed
    return audit
  }

  /// Reads and evaluates the project. Blocks until the audit is done.
  ///
  /// - Throws: ``AuditError`` if git does not know the revision, or if the advisories cannot be
  ///   read. The report lists files of the project that cannot be read.
  public func run() throws -> AuditReport { try run(with: engine) }

  private func run(with engine: some AuditEngine) throws -> AuditReport {
    let clock = ContinuousClock()
    let start = clock.now
    // Git is asked first, so that an unknown revision does not cost a whole audit.
    let changed =
      try self.changed
      ?? changedSince.map { revision in
        guard let folder = tree.folder else {
          throw AuditError("Files in memory have no history. Audit a folder.")
        }
        return try Git(folder: folder).changed(since: revision)
      }
    let list = FileList(tree: tree, settings: settings, paths: paths)
    var report = AuditReport(tree: tree)
    report.repository = tree.folder.flatMap { folder in
      GitRepository(containing: folder)?.repository(of: folder)
    }
    report.skipped = list.skipped
    report.leftOut = list.leftOut
    report.checklist = Checklist.answers(settings)

    let (readings, words) = read(list.files, with: engine, into: &report)
    let project = list.project(paths)
    let others = LeftOutCode(list, tree: tree, settings: settings)
    let settings = settings
    let surroundings = Surroundings(
      isWhole: project.map { !tree.isPod(list.files, in: $0) } ?? false
        && words.isWhole && others.isWhole && list.skipped.isEmpty,
      folder: project ?? "", mentions: words.mentions.union(others.mentions),
      manifests: list.manifests)
    let judged = Workers.map(1) { _ in
      Result {
        try OwnNames.$current.withValue(settings.ownNames) {
          try engine.judge(readings.map(\.reading), settings, surroundings)
        }
      }
    }
    let judgement = try judged.first?.get() ?? .init(findings: [])
    report.skipped += judgement.skipped
    report.writes = judgement.writes
    report.secrets = judgement.secrets + judgement.findings.flatMap(\.secrets)
    report.leftOut += judgement.leftOut.filter { !paths.contains($0.path) }

    let rules = Set(engine.rules.map(\.id))
    sort(judgement.findings, readings, rules, into: &report)
    if let baseline { compare(with: baseline, &report) }
    if let changed { report.keep(changed, files: list.files) }
    let slots = SlotFolding(report.writes).folded(report.findings)
    (report.findings, report.repeated) = Causes.folded(slots.kept)
    report.repeated += slots.repeated
    report.skipped = Array(Set(report.skipped)).sorted {
      ($0.path, $0.line ?? 0, $0.reason) < ($1.path, $1.line ?? 0, $1.reason)
    }
    report.leftOut.sort { ($0.path, $0.reason.rawValue) < ($1.path, $1.reason.rawValue) }
    let seconds = (clock.now - start).components
    report.statistics.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
    return report
  }

  /// A file that was read, and the comments in it that address the auditor.
  private struct Read<Content: Sendable>: Sendable {
    let reading: Reading<Content>
    let directives: [Directive]
    let lines: Int
    /// True for code in UTF-16 or UTF-32.
    let isUnreadable: Bool
    /// The hashes of the words of a resource that is not understood as a whole.
    let mentions: Set<UInt32>
  }

  private enum Attempt<Content: Sendable>: Sendable {
    case read(Read<Content>)
    case skipped(Skip)
    case leftOut(AuditReport.LeftOut, CodeWords)
  }

  private func read<Engine: AuditEngine>(
    _ files: [AuditFile], with engine: Engine, into report: inout AuditReport
  ) -> (readings: [Read<Engine.Content>], words: (mentions: Set<UInt32>, isWhole: Bool)) {
    let attempts = Workers.map(files.count) { attempt(files[$0], with: engine) }
    var readings: [Read<Engine.Content>] = []
    readings.reserveCapacity(attempts.count)
    var mentions: Set<UInt32> = []
    var isWhole = true
    for attempt in attempts {
      switch attempt {
      case .skipped(let skip):
        report.skipped.append(skip)
        if FileKind(path: skip.path).map(LeftOutCode.namesTypes) ?? true { isWhole = false }
      case .leftOut(let left, let words):
        report.leftOut.append(left)
        // Tests call what an app does not, and generated code ships.
        if left.reason == .generated { mentions.formUnion(words.words.lazy.map(\.hash)) }
      case .read(let read):
        readings.append(read)
        mentions.formUnion(read.mentions)
        if read.isUnreadable { isWhole = false }
        report.skipped += read.reading.skipped
        report.statistics.files += 1
        switch read.reading.file.kind {
        case .swift: report.statistics.swiftLines += read.lines
        case .objectiveC: report.statistics.objectiveCLines += read.lines
        default: report.statistics.otherFiles += 1
        }
      }
    }
    return (readings, (mentions, isWhole))
  }

  private func attempt<Engine: AuditEngine>(
    _ file: AuditFile, with engine: Engine
  ) -> Attempt<Engine.Content> {
    let limit = file.kind.isCode ? SourceTree.codeSizeLimit : SourceTree.sizeLimit
    let data: Data
    do {
      data = try tree.read(file.path, limit: limit)
    } catch let error as AuditError {
      return .skipped(Skip(path: file.path, reason: error.description))
    } catch {
      return .skipped(Skip(path: file.path, reason: "The file cannot be read."))
    }
    return data.withUnsafeBytes { bytes in
      let text = bytes.bindMemory(to: UInt8.self)
      if file.kind.isCode, !file.isIncluded {
        if !settings.includesGenerated, GeneratedCode.isGenerated(text) {
          return .leftOut(
            .init(reason: .generated, path: file.path),
            CodeWords(text, language: file.kind == .swift ? .swift : .objectiveC))
        }
        if !settings.includesTests, !paths.contains(file.path), TestCode.isTest(text) {
          return .leftOut(.init(reason: .tests, path: file.path), CodeWords())
        }
      }
      let reading = OwnNames.$current.withValue(settings.ownNames) { engine.read(file, data) }
      let directives =
        reading.source?.directives ?? DirectiveScanner.directives(in: text, kind: file.kind)
      let isCutResource =
        !file.kind.isCode && LeftOutCode.namesTypes(file.kind) && !reading.skipped.isEmpty
      return .read(
        Read(
          reading: reading, directives: directives,
          lines: (reading.source?.lines.count ?? 0) - (text.last == 0x0A ? 1 : 0),
          isUnreadable: file.kind.isCode && LeftOutCode.isUnreadable(text),
          mentions: isCutResource ? CodeWords.hashes(in: text) : []))
    }
  }

  /// Separates the reported findings from those that a comment suppresses.
  private func sort(
    _ findings: [Finding], _ readings: [Read<some Any>], _ rules: Set<RuleID>,
    into report: inout AuditReport
  ) {
    var byPath: [String: [Finding]] = [:]
    for finding in findings {
      guard let severity = settings.severity(of: finding) else { continue }
      byPath[finding.location.path, default: []].append(finding.with(severity: severity))
    }
    for read in readings where read.reading.file.kind.isCode {
      let path = read.reading.file.path
      guard let found = byPath[path], let text = try? tree.read(path) else { continue }
      byPath[path] = Anchors.set(found, in: text)
    }
    let settings = settings
    let suppressions = Suppressions(rules: rules, isUsed: settings.uses)
    for read in readings where !read.directives.isEmpty {
      let path = read.reading.file.path
      let result = suppressions.apply(
        read.directives, to: byPath[path] ?? [], path: path, text: try? tree.read(path))
      byPath[path] = result.findings
      report.suppressed += result.suppressed
      report.unusedSuppressions += result.unused
    }
    var seen: Set<Finding> = []
    report.findings = byPath.values.joined().filter { seen.insert($0).inserted }
    report.sort()
    report.suppressed.sort { $0.finding.location < $1.finding.location }
  }

  private func compare(with baseline: Baseline, _ report: inout AuditReport) {
    let split = baseline.split(
      report.findings, all: Fingerprints(report), exists: tree.contains)
    report.findings = split.new
    report.known = split.known
    // A partial audit cannot show that the findings in unread files are fixed.
    report.mended =
      paths.isEmpty && changedSince == nil && changed == nil
      ? split.mended.filter { settings.uses($0.rule) } : []
  }
}

extension AuditReport {
  /// Keeps the findings and suppressions in changed files, and lists the other files as left out.
  fileprivate mutating func keep(_ changed: Set<String>, files: [AuditFile]) {
    findings.removeAll { !changed.contains($0.location.path) }
    known.removeAll { !changed.contains($0.location.path) }
    suppressed.removeAll { !changed.contains($0.finding.location.path) }
    unusedSuppressions.removeAll { !changed.contains($0.path) }
    leftOut += files.filter { !changed.contains($0.path) }.map {
      LeftOut(reason: .unchanged, path: $0.path)
    }
  }

  /// Returns true if the audit fails under these settings.
  public func fails(_ settings: Settings) -> Bool {
    if settings.isStrict, !skipped.isEmpty { return true }
    guard let limit = settings.failOn else { return false }
    return findings.contains { $0.severity >= limit }
  }
}
