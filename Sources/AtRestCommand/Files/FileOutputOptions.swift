import ArgumentParser
import AtRestCrypto

/// Where the results go, and what becomes of the originals.
struct FileOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where the result goes, - for standard output.", valueName: "file"))
  var output: String?

  @Flag(help: "Replace files that are there already.")
  var force = false

  @Flag(
    help: """
      Remove each original once its result is safe on disk. What it held may stay on the disk's \
      free blocks.
      """)
  var remove = false

  @Flag(help: "Show no progress and no notes.")
  var quiet = false

  @Flag(help: "Print a line of JSON for each file.")
  var json = false

  /// Refuses combinations that mean nothing.
  func check(_ files: [String]) throws {
    guard output == nil || files.count == 1 else {
      throw ValidationError("--output takes one file.")
    }
    let writesStream = output == "-" || (output == nil && files.contains("-"))
    guard !remove || !writesStream, !remove || !files.contains("-") else {
      throw ValidationError("--remove is for files that become files.")
    }
    guard !json || !writesStream else {
      throw ValidationError("Standard output gets the result or --json, not both.")
    }
  }

  /// The jobs for sources; a name that no result follows from is a failure.
  func jobs(
    _ sources: [FilePlace], failures: Failures, naming: (String) throws -> String
  ) throws -> [FileJob] {
    guard output == nil || sources.count < 2 else {
      throw ValidationError("--output takes one file, not a folder with \(sources.count).")
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
