import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

/// Works on files one after the other, and goes on after failures.
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

  /// Runs jobs.
  ///
  /// - Parameter work: Makes one result, and counts the bytes it read in the progress.
  func run(_ jobs: [FileJob], _ work: (FileJob, ByteProgress) throws -> TransferCount) throws {
    try Interruption.ending {
      let bar = options.quiet ? nil : bar(for: jobs)
      defer { bar?.end() }
      var folders: Set<String> = []
      for job in jobs where !Interruption.isPending {
        try failures.catching {
          let progress = ByteProgress()
          bar?.begin(job.source.name, progress)
          let original = try check(job)
          let count = try work(job, progress)
          if options.remove, let path = job.source.path, let original {
            folders.insert(try remove(path, original))
          }
          if options.json {
            try Output.writeJSONLine(
              Report(
                source: job.source.name, destination: job.destination.name, read: count.read,
                written: count.written))
          }
        }
      }
      for folder in folders.sorted() {
        try failures.catching { try SystemCall.flushFolder(folder) }
      }
    }
  }

  private func bar(for jobs: [FileJob]) -> ProgressBar? {
    // Also for a terminal only: looking at ten thousand files takes its time.
    guard Output.isTerminal(STDERR_FILENO) else { return nil }
    let sizes = jobs.map { job in job.source.status.flatMap { $0.isRegular ? $0.size : nil } }
    let total = sizes.reduce(Int64?(0)) { sum, size in
      sum.flatMap { sum in size.map { sum + Int64($0) } }
    }
    return ProgressBar(fileCount: jobs.count, total: total)
  }

  private func check(_ job: FileJob) throws -> FileStatus? {
    guard let path = job.source.path, let status = job.source.status else { return nil }
    if let other = job.destination.status, other.isSameFile(as: status) {
      throw AtRestError.invalid(
        "\(path) and its result are one file.", remedy: "Choose another place for the result.")
    }
    if options.remove, FileStatus.at(path, followingLinks: false)?.isLink == true {
      throw AtRestError.invalid(
        "\(path) is a symbolic link: removing it would leave what it leads to.",
        remedy: "Name the file itself, or leave --remove out.")
    }
    return status
  }

  /// Removes an original, and gives its folder.
  private func remove(_ path: String, _ original: FileStatus) throws -> String {
    guard FileStatus.at(path) == original else {
      throw AtRestError(
        .system, "\(path) was changed after it was read, and is kept.",
        remedy: "Its result is there; look at both, and try again with --force.")
    }
    guard unlink(path) == 0 else { throw SystemCall.error("remove", path) }
    if original.links > 1, !options.quiet {
      Output.note("\(path) is removed; what it held has another name, and stays under that.")
    }
    return FilePlace.folder(of: path)
  }
}
