import AtRest
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Synchronization
import Testing

/// While a command processes a tree, an attacker who may write to a folder keeps replacing a folder
/// in it with a link. No target of the link is created, changed or removed.
///
/// `make torture` runs 1,000 rounds of each command.
@Suite struct LinkRaceTests {
  private static let rounds = Worker.isFull ? 1_000 : 25
  private static let names = (0..<8).map { "file\($0)" }

  /// A tree whose folder `z` alternates with a link to `outside`.
  private final class Swapped: Sendable {
    let scratch: Scratch
    let swaps = Atomic(0)
    private let isEnding = Atomic(false)
    var tree: URL { scratch.folder.appendingPathComponent("tree") }
    var inside: URL { tree.appendingPathComponent("z") }
    var outside: URL { scratch.folder.appendingPathComponent("outside") }

    init() throws {
      scratch = try Scratch()
      for folder in [inside, outside] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
    }

    /// Replaces the folder while a closure runs: once, after a delay, or all the time.
    func during<Result>(
      once moment: Duration? = nil, _ body: () throws -> Result
    ) rethrows -> Result {
      let path = inside.path
      let ended = DispatchSemaphore(value: 0)
      isEnding.store(false, ordering: .relaxed)
      Thread.detachNewThread { [self] in
        if let moment {
          let end = ContinuousClock.now + moment
          while ContinuousClock.now < end {}
          rename(path, path + "z")
          symlink(outside.path, path)
          swaps.add(1, ordering: .relaxed)
        }
        while moment == nil, !isEnding.load(ordering: .relaxed) {
          rename(path, path + "z")
          symlink(outside.path, path)
          unlink(path)
          rename(path + "z", path)
          swaps.add(1, ordering: .relaxed)
        }
        ended.signal()
      }
      defer {
        isEnding.store(true, ordering: .relaxed)
        ended.wait()
      }
      return try body()
    }

    /// Restores the folder after a replacement that stayed.
    func reset(_ contents: [String: Data]) throws {
      unlink(inside.path)
      try? FileManager.default.removeItem(atPath: inside.path + "z")
      try fill(inside, contents)
    }

    func contents(_ folder: URL) throws -> [String: Data] {
      var contents: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let file = folder.appendingPathComponent(name)
        contents[name] = (try? Data(contentsOf: file)) ?? Data("no file".utf8)
      }
      return contents
    }

    func fill(_ folder: URL, _ contents: [String: Data]) throws {
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (name, data) in contents { try data.write(to: folder.appendingPathComponent(name)) }
    }

    func atrest(_ arguments: String...) throws -> Int32 {
      let process = Process()
      process.executableURL = try Worker.binary("atrest")
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging([
        "ATREST_STORE": scratch.store.path, "ATREST_DEVICE": scratch.device.path,
      ]) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationReason == .exit ? process.terminationStatus : -1
    }
  }

  @Test(arguments: ["protect", "unprotect", "rewrap"])
  func nothingOutsideIsTouched(_ command: String) throws {
    let swapped = try Swapped()
    #expect(try swapped.atrest("init", "--no-passcode") == 0)
    let plain = Dictionary(
      uniqueKeysWithValues: Self.names.map { ($0, Data("inside \($0)".utf8)) })
    try swapped.fill(swapped.inside, plain)
    #expect(
      try swapped.atrest("protect", "--class", "none", "--remove", swapped.inside.path) == 0)
    let protected = try swapped.contents(swapped.inside)
    #expect(protected.count == Self.names.count)
    let start = command == "protect" ? plain : protected
    // The files have the same names, so a call that follows the link finds what it looks for.
    try swapped.fill(swapped.outside, start)
    var codes: [Int32: Int] = [:]
    var touched = 0
    var usual = Duration.milliseconds(50)
    for round in 0..<Self.rounds {
      try swapped.reset(start)
      // Most replacements happen at one moment of the run, so the walk finds the folder and the
      // work the link.
      let moment = round % 4 == 0 ? nil : usual * Double.random(in: 0.1...1)
      let begin = ContinuousClock.now
      let code = try swapped.during(once: moment) {
        switch command {
        case "protect":
          try swapped.atrest(
            "protect", "--class", "none", "--remove", "--quiet", swapped.tree.path)
        case "unprotect": try swapped.atrest("unprotect", "--quiet", swapped.tree.path)
        default:
          try swapped.atrest(
            "rewrap", "--class", "complete-unless-open", "--quiet", swapped.tree.path)
        }
      }
      usual = (usual * 7 + (ContinuousClock.now - begin)) / 8
      codes[code, default: 0] += 1
      if try swapped.contents(swapped.outside) != start {
        touched += 1
        try swapped.fill(swapped.outside, start)
      }
    }
    #expect(touched == 0)
    #expect(codes.keys.allSatisfy { (0...6).contains($0) })
    print(
      "links in a race, \(command): \(Self.rounds) rounds, "
        + "\(swapped.swaps.load(ordering: .relaxed)) exchanges, \(touched) with a change outside; "
        + "exit codes \(codes.sorted { $0.key < $1.key })")
  }

  @Test func aVaultTouchesNothingOutside() throws {
    let swapped = try Swapped()
    let keybag = try Keybag.create(
      at: swapped.scratch.store, device: FileDeviceKey.openOrCreate(in: swapped.scratch.device))
    let keychain = try Keychain.open(keybag, identity: .owner())
    let vault = try Vault.open(in: swapped.tree, keychain: keychain)
    let device = try vault.device
    let report = VaultRecord<Data>("report", .document)
    try device.store(Data(count: 20_000), in: report)
    // This is the place of the compartments' folder.
    let values = swapped.tree.appendingPathComponent("values")
    let compartment = try #require(
      FileManager.default.contentsOfDirectory(atPath: values.path).first)
    try FileManager.default.removeItem(at: swapped.inside)
    try FileManager.default.moveItem(at: values, to: swapped.inside)
    try FileManager.default.createSymbolicLink(at: values, withDestinationURL: swapped.inside)
    #expect(throws: AtRestError.self) { try vault.purge() }
    try FileManager.default.removeItem(at: values)
    try FileManager.default.moveItem(at: swapped.inside, to: values)
    let start = ["00000000000000000000000000000000": Data("precious".utf8)]
    let outside = swapped.outside.appendingPathComponent(compartment)
    try swapped.fill(outside, start)
    let path = values.path
    let done = Atomic(0)
    for _ in 0..<Self.rounds {
      let isEnding = Atomic(false)
      DispatchQueue.concurrentPerform(iterations: 2) { worker in
        if worker == 0 {
          if (try? vault.purge()) != nil { done.add(1, ordering: .relaxed) }
          try? device.store(Data(count: 20_000), in: report)
          isEnding.store(true, ordering: .relaxed)
        } else {
          while !isEnding.load(ordering: .relaxed) {
            rename(path, path + "z")
            symlink(swapped.outside.path, path)
            unlink(path)
            rename(path + "z", path)
          }
        }
      }
      // Files that the vault created meanwhile are in the way of the folder that was moved.
      if FileManager.default.fileExists(atPath: path + "z") {
        try? FileManager.default.removeItem(atPath: path)
        #expect(rename(path + "z", path) == 0)
      }
      #expect(try swapped.contents(outside) == start)
    }
    print(
      "links in a race, vault: \(Self.rounds) rounds, \(done.load(ordering: .relaxed)) purges done")
  }

  /// Control: work by path, checked beforehand as the walk once did, follows a link that replaces the
  /// folder in between.
  @Test func workByPathsIsCaught() throws {
    let swapped = try Swapped()
    let start = ["file": Data("outside".utf8)]
    try swapped.fill(swapped.outside, start)
    try swapped.fill(swapped.inside, start)
    let path = swapped.inside.path
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
    #expect(rename(path, path + "z") == 0)
    #expect(symlink(swapped.outside.path, path) == 0)
    let file = open(path + "/new", O_WRONLY | O_CREAT, 0o600)
    close(file)
    #expect(try swapped.contents(swapped.outside) != start)
  }
}
