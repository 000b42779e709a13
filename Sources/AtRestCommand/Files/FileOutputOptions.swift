import ArgumentParser
import AtRestCrypto

/// The places of the results, and the treatment of the originals.
struct FileOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write, - for standard output.", valueName: "file"))
  var output: String?

  @Flag(help: "Replace existing files.")
  var force = false

  @Flag(
    help: """
      Remove each original once its result is safe on disk. The contents may remain in free \
      blocks of the disk.
      """)
  var remove = false

  @Flag(help: "Print no progress and no notes.")
  var quiet = false

  @Flag(help: "Print a line of JSON for each file.")
  var json = false

  /// Checks for combinations of options that make no sense.
  func check(_ files: [String]) throws {
    guard output == nil || files.count == 1 else {
      throw ValidationError("--output requires one file.")
    }
    let writesStream = output == "-" || (output == nil && files.contains("-"))
    guard !remove || !writesStream, !remove || !files.contains("-") else {
      throw ValidationError("--remove requires files as input and output.")
    }
    guard !json || !writesStream else {
      throw ValidationError("Standard output cannot take both the result and --json.")
    }
  }

  /// Returns the jobs for the sources. If no name can be derived for a result, its source is
  /// reported as a failure.
  func jobs(
    _ sources: [FilePlace], failures: Failures, naming: (String) throws -> String
  ) throws -> [FileJob] {
    guard output == nil || sources.count < 2 else {
      throw ValidationError("--output requires one file, not a folder with \(sources.count).")
    }
    var jobs: [FileJob] = []
    for source in sources {
      try failures.catching {
        let destination =
          if let output { FilePlace(output) } else {
            try source.result(naming)
          }
        jobs.append(FileJob(source: source, destination: destination))
      }
    }
    return jobs
  }
}
