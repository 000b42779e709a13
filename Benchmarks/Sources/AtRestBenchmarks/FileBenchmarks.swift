import AtRestCrypto
import AtRestFiles
import Foundation

/// Compares protected files with the programs that people use today.
///
///     AtRestBenchmarks files --command PATH [--size BYTES] [--rounds N] [--small FILES]
///       [--memory-folder FOLDER] [--folder FOLDER]
struct FileBenchmarks {
  let command: String
  var size = 1 << 30
  var rounds = 5
  var smallFiles = 10_000
  var report = Report()

  /// A program that encrypts a file, and decrypts it again.
  private struct Contender {
    let name: String
    let protect: Program
    let unprotect: Program
    /// The file that `protect` creates.
    let made: String
    let opened: String
  }

  mutating func run(memoryFolder: URL, diskFolder: URL) throws {
    for (title, folder) in [("in memory (tmpfs)", memoryFolder), ("on disk", diskFolder)] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try large(title, in: folder, isDisk: folder == diskFolder)
      if folder == diskFolder { try small(in: folder) }
    }
    report.end()
  }

  // MARK: One large file

  private mutating func large(_ title: String, in folder: URL, isDisk: Bool) throws {
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    try Self.writeRandom(size, to: path("plain"))
    let contenders = try contenders(path)
    defer { unmount(path) }
    var protecting: [String: [Program.Run]] = [:]
    var unprotecting: [String: [Program.Run]] = [:]
    var copying: [String: [Program.Run]] = [:]
    // The contenders take turns, so a slow moment of the machine affects all of them.
    for _ in 0..<rounds {
      for copy in copies(path) {
        try? FileManager.default.removeItem(atPath: path("copy"))
        copying[copy.name, default: []].append(try copy.program.run())
      }
      try? FileManager.default.removeItem(atPath: path("copy"))
      for contender in contenders {
        protecting[contender.name, default: []].append(try contender.protect.run())
        unprotecting[contender.name, default: []].append(try contender.unprotect.run())
        guard try Self.isSame(path("plain"), contender.opened) else {
          throw Program.Failure(program: contender.name + ": other contents", status: 0)
        }
        for made in [contender.made, contender.opened] {
          try FileManager.default.removeItem(atPath: made)
        }
      }
    }
    var rows: [[String]] = []
    for (name, runs) in copying.sorted(by: { $0.key < $1.key }) {
      rows.append([name, rate(runs), "", "", "", memory(runs)])
    }
    func ratio(_ own: [Program.Run]?, _ other: [Program.Run]?) -> Double {
      zip(other ?? [], own ?? []).map { $0.seconds / $1.seconds }.median
    }
    for contender in contenders {
      let (made, opened) = (protecting[contender.name] ?? [], unprotecting[contender.name] ?? [])
      var row = [contender.name, rate(made), rate(opened)]
      if contender.name == "atrest" {
        if isDisk {
          let plain = ratio(made, copying["cp"])
          let flushed = ratio(made, copying["cp, fsync"])
          row += [
            report.judged("\(plain.rounded(2)) of cp", plain >= 0.5, "≥ 0.5"),
            "\(flushed.rounded(2)) of cp, fsync",
          ]
        } else {
          let age = ratio(made, protecting["age"])
          let ageOpen = ratio(opened, unprotecting["age"])
          row += [
            report.judged("\(age.rounded(2)) × age", age >= 2, "≥ 2"),
            report.judged("\(ageOpen.rounded(2)) × age", ageOpen >= 2, "≥ 2"),
          ]
        }
        let peak = (made + opened).map(\.peakMemory).max() ?? .nan
        row.append(report.judged("\(peak.rounded(0)) MiB", peak < 64, "< 64 MiB"))
      } else {
        row += [
          "\(ratio(protecting["atrest"], made).rounded(2))",
          "\(ratio(unprotecting["atrest"], opened).rounded(2))", memory(made + opened),
        ]
      }
      rows.append(row)
    }
    report.table(
      "\((size >> 20).grouped) MiB of random data, \(title)",
      [
        "program", "protect, MB/s", "unprotect, MB/s", "protect: atrest is faster by",
        "unprotect: by", "peak memory",
      ], rows)
    try random(in: folder, title)
  }

  private func rate(_ runs: [Program.Run]) -> String {
    Int(Double(size) / 1e6 / runs.map(\.seconds).median).grouped
  }

  private func memory(_ runs: [Program.Run]) -> String {
    "\((runs.map(\.peakMemory).max() ?? .nan).rounded(0)) MiB"
  }

  private func copies(_ path: (String) -> String) -> [(name: String, program: Program)] {
    [
      ("cp", Program(path: "/bin/cp", arguments: [path("plain"), path("copy")])),
      (
        "cp, fsync",
        Program(
          path: "/bin/dd",
          arguments: ["if=" + path("plain"), "of=" + path("copy"), "bs=1M", "conv=fsync"])
      ),
    ]
  }

  private func contenders(_ path: (String) -> String) throws -> [Contender] {
    let (plain, opened) = (path("plain"), path("opened"))
    let key = try PrivateKey.generate(.x25519)
    try Data(key.publicKey.pemRepresentation.utf8).write(to: URL(fileURLWithPath: path("key.pub")))
    try Data(copying: key.pemRepresentation).write(to: URL(fileURLWithPath: path("key.pem")))
    try Data("correct horse battery staple\n".utf8).write(to: URL(fileURLWithPath: path("phrase")))
    var contenders = [
      Contender(
        name: "atrest",
        protect: Program(
          path: command,
          arguments: ["protect", "--recipient", path("key.pub"), "-o", path("atrest"), plain]),
        unprotect: Program(
          path: command,
          arguments: ["unprotect", "--identity", path("key.pem"), "-o", opened, path("atrest")]),
        made: path("atrest"), opened: opened)
    ]
    if let age = Program.find("age"), let keygen = Program.find("age-keygen") {
      _ = try Program(path: keygen, arguments: ["-o", path("age.key")]).run()
      _ = try Program(path: keygen, arguments: ["-y", path("age.key")], output: path("age.pub"))
        .run()
      contenders.append(
        Contender(
          name: "age",
          protect: Program(
            path: age, arguments: ["-R", path("age.pub"), "-o", path("age"), plain]),
          unprotect: Program(
            path: age, arguments: ["-d", "-i", path("age.key"), "-o", opened, path("age")]),
          made: path("age"), opened: opened))
    }
    if let openssl = Program.find("openssl") {
      let options = ["enc", "-aes-256-ctr", "-pbkdf2", "-pass", "file:" + path("phrase")]
      contenders.append(
        Contender(
          name: "openssl aes-256-ctr (not authenticated)",
          protect: Program(
            path: openssl, arguments: options + ["-in", plain, "-out", path("ssl")]),
          unprotect: Program(
            path: openssl, arguments: options + ["-d", "-in", path("ssl"), "-out", opened]),
          made: path("ssl"), opened: opened))
    }
    if let gpg = Program.find("gpg") {
      let options = [
        "--homedir", path("gnupg"), "--batch", "--yes", "--passphrase-file", path("phrase"),
        "--pinentry-mode", "loopback", "--cipher-algo", "AES256", "--compress-algo", "none",
      ]
      try FileManager.default.createDirectory(
        atPath: path("gnupg"), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      contenders.append(
        Contender(
          name: "gpg --symmetric",
          protect: Program(
            path: gpg, arguments: options + ["-o", path("gpg"), "--symmetric", plain]),
          unprotect: Program(
            path: gpg, arguments: options + ["-o", opened, "--decrypt", path("gpg")]),
          made: path("gpg"), opened: opened))
    }
    if let mounted = try mount(path) { contenders.append(mounted) }
    return contenders
  }

  /// Returns gocryptfs, which is a mounted folder rather than a program to call; nil without it or
  /// without FUSE.
  private func mount(_ path: (String) -> String) throws -> Contender? {
    guard let program = Program.find("gocryptfs") else { return nil }
    for folder in ["cipher", "mounted"] {
      try FileManager.default.createDirectory(
        atPath: path(folder), withIntermediateDirectories: true)
    }
    let options = ["-q", "-passfile", path("phrase")]
    do {
      _ = try Program(
        path: program, arguments: options + ["-init", "-scryptn", "10", path("cipher")]
      ).run()
      _ = try Program(path: program, arguments: options + [path("cipher"), path("mounted")]).run()
    } catch is Program.Failure {
      return nil
    }
    let (made, opened) = (path("mounted") + "/file", path("opened"))
    return Contender(
      name: "gocryptfs, cp", protect: Program(path: "/bin/cp", arguments: [path("plain"), made]),
      unprotect: Program(path: "/bin/cp", arguments: [made, opened]), made: made, opened: opened)
  }

  private func unmount(_ path: (String) -> String) {
    guard let program = Program.find("fusermount") else { return }
    _ = try? Program(path: program, arguments: ["-u", path("mounted")]).run()
  }

  // MARK: Random access

  private mutating func random(in folder: URL, _ title: String) throws {
    let place = folder.appendingPathComponent("random")
    let files = try ProtectedFiles(identity: PrivateKey.generate(.x25519))
    try files.protect(.file(folder.appendingPathComponent("plain")), to: .file(place))
    defer { try? FileManager.default.removeItem(at: place) }
    let handle = try files.open(place)
    var generator = Generator(seed: 7)
    let times = try (0..<5_000).map { _ in
      let offset = UInt64.random(in: 0..<UInt64(size - 4_096), using: &generator)
      return try microseconds { _ = try handle.read(upToCount: 4_096, at: offset) }
    }
    let opening = try (0..<200).map { _ in
      try microseconds { _ = try files.open(place).size() }
    }
    report.table(
      "4 KiB at a random offset of it, warm, \(title)",
      ["median, µs", "99 of 100 within, µs", "opening a handle, µs"],
      [
        [
          report.judged(times.median.rounded(0), times.median < 200, "< 200"),
          times.sorted()[times.count * 99 / 100].rounded(0), opening.median.rounded(0),
        ]
      ])
  }

  // MARK: Many small files

  private mutating func small(in folder: URL) throws {
    let source = folder.appendingPathComponent("small")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    for index in 0..<smallFiles {
      try RandomBytes.data(count: 4_096).write(to: source.appendingPathComponent("\(index)"))
    }
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    let ways: [(String, Program)] = [
      (
        "atrest protect",
        Program(
          path: command,
          arguments: ["protect", "--quiet", "--recipient", path("key.pub"), source.path]
        )
      ),
      (
        "cp, then one flush of the file system",
        Program(
          path: "/bin/sh",
          arguments: [
            "-c", "cp -r '\(source.path)' '\(path("copies"))' && sync -f '\(path("copies"))'",
          ])
      ),
      (
        "cp with an fsync of each",
        Program(
          path: "/bin/sh",
          arguments: [
            "-c",
            "cp -r '\(source.path)' '\(path("copies"))' && find '\(path("copies"))' -type f -print0 | xargs -0 sync",
          ]
        )
      ),
    ]
    var times: [[Double]] = ways.map { _ in [] }
    for _ in 0..<rounds {
      for (index, way) in ways.enumerated() {
        times[index].append(try way.1.run().seconds)
        if index == 0 {
          for file in try FileManager.default.contentsOfDirectory(atPath: source.path)
          where file.hasSuffix(".protected") {
            try FileManager.default.removeItem(at: source.appendingPathComponent(file))
          }
        } else {
          try FileManager.default.removeItem(atPath: path("copies"))
        }
      }
    }
    var rows: [[String]] = []
    for (index, way) in ways.enumerated() {
      let rate = Int(Double(smallFiles) / times[index].median).grouped
      let ratio = zip(times[index], times[0]).map { $0 / $1 }.median
      rows.append([
        way.0, rate,
        index == 0 ? "" : report.judged(ratio.rounded(2), ratio >= 0.3, "≥ 0.3"),
      ])
    }
    report.table(
      "\(smallFiles.grouped) files of 4 KiB, on disk",
      ["program", "files/s", "rate of atrest to it"], rows)
  }

  // MARK: Files

  private static func writeRandom(_ size: Int, to path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    for _ in 0..<size / (1 << 20) { try file.write(contentsOf: RandomBytes.data(count: 1 << 20)) }
    try file.close()
  }

  private static func isSame(_ one: String, _ other: String) throws -> Bool {
    try Program(path: "/usr/bin/cmp", arguments: ["-s", one, other]).run().seconds >= 0
  }
}
