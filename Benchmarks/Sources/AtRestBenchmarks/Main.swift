import Foundation

/// Compares the keychain with bare SQLite and with other stores of secrets.
///
///     AtRestBenchmarks [--max ITEMS] [--folder FOLDER] [--without-peers] [--vault | --crowd]
///     AtRestBenchmarks --profile get|add|batch|list
///     AtRestBenchmarks redaction [FILE …]
///     AtRestBenchmarks agent --program PATH [--items ITEMS] [--locks LOCKS] [--folder FOLDER]
///     AtRestBenchmarks files --command PATH [--size MIB] [--rounds N] [--small FILES]
///       [--memory-folder FOLDER] [--folder FOLDER]
@main
struct AtRestBenchmarks {
  var maximum = 1_000_000
  var folder = FileManager.default.currentDirectoryPath
  var measuresPeers = true
  var profiled: String?
  var report = Report()
  /// True to measure only the calls of the vault.
  var measuresOnlyVault = false
  /// True to measure only several threads that write at the same time.
  var measuresOnlyCrowd = false

  static func main() throws {
    var benchmarks = AtRestBenchmarks()
    var arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "redaction" {
      return try RedactionBenchmark.run(Array(arguments.dropFirst()))
    }
    if arguments.first == "files" { return try files(arguments.dropFirst()) }
    if arguments.first == "agent" { return try agent(arguments.dropFirst()) }
    if arguments.first == "agent-client", arguments.count == 3 {
      let rest = Array(arguments.dropFirst())
      return try AgentClient.run(socket: rest[0], items: Int(rest[1]) ?? 0)
    }
    while let argument = arguments.popFirst() {
      switch argument {
      case "--max": benchmarks.maximum = arguments.popFirst().flatMap { Int($0) } ?? 0
      case "--folder": benchmarks.folder = arguments.popFirst() ?? ""
      case "--without-peers": benchmarks.measuresPeers = false
      case "--vault": benchmarks.measuresOnlyVault = true
      case "--crowd": benchmarks.measuresOnlyCrowd = true
      case "--profile": benchmarks.profiled = arguments.popFirst()
      default:
        print(
          "usage: AtRestBenchmarks [--max ITEMS] [--folder FOLDER] [--without-peers] [--vault | --crowd]\n"
            + "       AtRestBenchmarks --profile get|add|batch|list")
        exit(64)
      }
    }
    let place = URL(fileURLWithPath: benchmarks.folder)
      .appendingPathComponent("atrest-benchmarks-\(getpid())")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    if let operation = benchmarks.profiled {
      try profile(operation, in: place)
    } else {
      try benchmarks.run(in: place)
    }
  }

  private static func agent(_ arguments: ArraySlice<String>) throws {
    var options: [String: String] = [:]
    var rest = arguments
    while let name = rest.popFirst(), let value = rest.popFirst() { options[name] = value }
    guard let program = options["--program"] else {
      print("usage: AtRestBenchmarks agent --program PATH [--items ITEMS] [--locks LOCKS]")
      exit(64)
    }
    var benchmark = AgentBenchmark(program: program)
    if let items = options["--items"].flatMap({ Int($0) }) { benchmark.items = items }
    if let locks = options["--locks"].flatMap({ Int($0) }) { benchmark.locks = locks }
    // The path of a socket is short.
    let place = URL(
      fileURLWithPath: options["--folder"] ?? FileManager.default.currentDirectoryPath
    )
    .appendingPathComponent("agent-\(getpid())")
    try FileManager.default.createDirectory(
      at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: place) }
    try benchmark.run(in: place)
  }

  private static func files(_ arguments: ArraySlice<String>) throws {
    var options: [String: String] = [:]
    var rest = arguments
    while let name = rest.popFirst(), let value = rest.popFirst() { options[name] = value }
    guard let command = options["--command"] else {
      print("usage: AtRestBenchmarks files --command PATH [--size MIB] [--rounds N]")
      exit(64)
    }
    var benchmarks = FileBenchmarks(command: command)
    if let size = options["--size"].flatMap({ Int($0) }) { benchmarks.size = size << 20 }
    if let rounds = options["--rounds"].flatMap({ Int($0) }) { benchmarks.rounds = rounds }
    if let small = options["--small"].flatMap({ Int($0) }) { benchmarks.smallFiles = small }
    func place(_ option: String, _ fallback: String) -> URL {
      URL(fileURLWithPath: options[option] ?? fallback)
        .appendingPathComponent("atrest-benchmarks-\(getpid())")
    }
    try benchmarks.run(
      memoryFolder: place("--memory-folder", "/dev/shm"),
      diskFolder: place("--folder", FileManager.default.currentDirectoryPath))
  }

  mutating func run(in place: URL) throws {
    guard !measuresOnlyVault else {
      try vault(in: place.appendingPathComponent("vault"))
      return report.end()
    }
    try crowd(in: place.appendingPathComponent("crowd"))
    guard !measuresOnlyCrowd else { return report.end() }
    try sizes(in: place.appendingPathComponent("sizes"))
    try primaryKeys(in: place.appendingPathComponent("primary-keys"))
    try services(in: place.appendingPathComponent("services"))
    try servicesByPrimaryKey(in: place.appendingPathComponent("services-by-key"))
    try vault(in: place.appendingPathComponent("vault"))
    try opening(in: place)
    try provesThatListsDecryptNoSecret(in: place.appendingPathComponent("list"))
    if measuresPeers { try peers(in: place) }
    report.end()
  }
}
