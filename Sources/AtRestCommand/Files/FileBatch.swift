import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

/// Processes files in groups, and continues after failures.
struct FileBatch {
  let options: FileOutputOptions
  let failures: Failures

  /// One line of `--json`.
  private struct Report: Encodable {
    let source: String
    let destination: String
    let read: UInt64
    let written: UInt64
  }

  /// The number of files in a group. Between two groups, a signal ends the work.
  private static let groupCount = 256

  /// Runs jobs.
  ///
  /// - Parameter work: A closure that writes the results of a group. It returns, for each file in
  ///   order, the number of bytes read and written or an error, and counts the bytes read in the
  ///   progress.
  func run(
    _ jobs: [FileJob],
    _ work: ([FileJob], ByteProgress) -> [Result<TransferCount, any Error>]
  ) throws {
    try Interruption.ending {
      let bar = options.quiet ? nil : bar(for: jobs)
      defer { bar?.end() }
      for begin in stride(from: 0, to: jobs.count, by: Self.groupCount)
      where !Interruption.isPending {
        var group: [(job: FileJob, original: FileStatus?)] = []
        for job in jobs[begin..<min(begin + Self.groupCount, jobs.count)] {
          try failures.catching { group.append((job, try check(job))) }
        }
        guard let first = group.first else { continue }
        let progress = ByteProgress()
        bar?.begin(first.job.source.name, count: group.count, progress)
        var folders: [FileIdentity: OpenFolder] = [:]
        for ((job, original), result) in zip(group, work(group.map(\.job), progress)) {
          try failures.catching {
            let count = try result.get()
            if options.remove, let original, let folder = try remove(job.source, original) {
              folders[FileStatus(try folder.status()).identity] = folder
            }
            try report(job, count)
          }
        }
        for folder in folders.values { try failures.catching { try folder.flush() } }
      }
    }
  }

  private func report(_ job: FileJob, _ count: TransferCount) throws {
    guard options.json else { return }
    try Output.writeJSONLine(
      Report(
        source: job.source.name, destination: job.destination.name, read: count.read,
        written: count.written))
  }

  private func bar(for jobs: [FileJob]) -> ProgressBar? {
    // Without a terminal, the files are not examined, because ten thousand files take some time.
    guard Output.isTerminal(STDERR_FILENO) else { return nil }
    let sizes = jobs.map { job in job.source.status.flatMap { $0.isRegular ? $0.size : nil } }
    let total = sizes.reduce(Int64?(0)) { sum, size in
      sum.flatMap { sum in size.map { sum + Int64($0) } }
    }
    return ProgressBar(fileCount: jobs.count, total: total)
  }

  private func check(_ job: FileJob) throws -> FileStatus? {
    guard let path = job.source.path, let status = try job.source.statusNow() else { return nil }
    if let other = job.destination.status, other.isSameFile(as: status) {
      throw AtRestError.invalid(
        "\(path) and its result are the same file.", remedy: "Choose another result file.")
    }
    if options.remove, FileStatus.at(path, followingLinks: false)?.isLink == true {
      throw AtRestError.invalid(
        "\(path) is a symbolic link; removing it would leave its target.",
        remedy: "Pass the target itself, or omit --remove.")
    }
    return status
  }

  /// Removes an original, and returns its folder, or nil for standard input.
  private func remove(_ source: FilePlace, _ original: FileStatus) throws -> OpenFolder? {
    let entry: FolderEntry
    switch source {
    case .stream: return nil
    case .file(let path): entry = try FolderEntry(following: path)
    case .walked(let walked): entry = try walked.open()
    }
    let path = source.name
    guard entry.status == original else {
      throw AtRestError(
        .system, "\(path) was changed after it was read, and was not removed.",
        remedy: "Its result exists. Compare both, and try again with --force.")
    }
    try entry.remove()
    if original.links > 1, !options.quiet {
      Output.note("\(path) was removed, but its contents remain under another hard link.")
    }
    return entry.folder
  }
}
