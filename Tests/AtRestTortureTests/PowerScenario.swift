import Foundation
import Testing

/// A program that writes to a store, and the state of the store after each write that returned.
struct PowerScenario: Sendable, CustomTestStringConvertible {
  /// The part of a program's output that reports a finished write.
  enum Answer {
    /// Each line `done`.
    case lines
    /// Output that contains these words, or the end with this status.
    case words(String, status: Int)
  }

  let name: String
  /// The passcode with which the store is created.
  var passcode: String?
  /// The number of wrong passcodes after which the store is wiped; 0 means never.
  var attemptLimit = 0
  /// Brings a store that `writes … make` created into the state in which the program starts.
  var prepare: @Sendable (Scratch) throws -> Void = { _ in }
  /// The path and arguments of the program.
  let program: @Sendable (Scratch) throws -> [String]
  var answer = Answer.lines
  /// The states of the store after no, one, two … finished writes.
  let models: [StoreModel]
  /// Other states that are allowed before the last write is finished.
  var between: [StoreModel] = []

  var testDescription: String { name }

  static let passcode = "one passcode"
  /// Returns the items of a store that was just created, by account. One is removed with the
  /// passcode.
  static func items(_ passcode: String?) -> [String: String] {
    let items = ["0": "secret 0", "1": "secret 1", "2": "secret 2"]
    return passcode == nil ? items : items.merging(["100": "secret 100"]) { $1 }
  }

  /// Creates a store in memory, in the state in which the program starts.
  func make() throws -> Scratch {
    let scratch = try Scratch(in: Scratch.memory)
    try Self.run(scratch, Self.writes(scratch, passcode, "make", "\(attemptLimit)"))
    try prepare(scratch)
    return scratch
  }

  /// Returns the number of writes that are finished according to these events.
  func answered(_ events: ArraySlice<FileEvent>) -> Int {
    // A program that is about to report a write has finished it.
    let said = events.map { event in
      switch event {
      case .said(let text), .cutShort(let text): text
      default: ""
      }
    }.joined()
    switch answer {
    case .lines: return said.split(separator: "\n").count { $0 == "done" }
    case .words(let words, let wanted):
      if said.contains(words) { return 1 }
      if case .ended(let status)? = events.last { return status == wanted ? 1 : 0 }
      return 0
    }
  }

  /// Returns the allowed states after a number of finished writes. The next write may be done or
  /// not.
  func allowed(answered: Int) -> [StoreModel] {
    let models = models[min(answered, models.count - 1)...].prefix(2)
    return models.count > 1 ? Array(models) + between : Array(models)
  }

  /// Returns the reason why a store is in none of the allowed states, or nil if it is in one of
  /// them.
  ///
  /// - Parameter copy: Copies the store again, because examining it may change it.
  func fault(answered: Int, _ copy: () throws -> Scratch) rethrows -> String? {
    var reasons: [String] = []
    for model in allowed(answered: answered).reversed() {
      let scratch = try copy()
      guard let reason = model.difference(from: scratch) else { return nil }
      if !reasons.contains(reason) { reasons.append(reason) }
    }
    return reasons.joined(separator: "; or ")
  }

  // MARK: Programs

  /// Returns a call of the worker's `writes`.
  static func writes(
    _ scratch: Scratch, _ passcode: String?, _ kind: String, _ new: String = ""
  ) throws -> [String] {
    [
      try Worker.binary("atrest-torture-worker").path, "writes", scratch.store.path,
      scratch.device.path, passcode ?? "-", kind, new,
    ]
  }

  /// Returns a call of the command line, with a passcode in a file if it takes one.
  static func command(
    _ scratch: Scratch, _ arguments: [String], passcode: String? = nil
  ) throws -> [String] {
    var call = [try Worker.binary("atrest").path] + arguments
    call += ["--store", scratch.store.path, "--device", scratch.device.path]
    if let passcode {
      let file = scratch.folder.appendingPathComponent("passcode")
      try Data(passcode.utf8).write(to: file)
      call += ["--passcode-file", file.path]
    }
    return call
  }

  /// Runs a program that must succeed.
  static func run(_ scratch: Scratch, _ program: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program[0])
    process.arguments = Array(program.dropFirst())
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(program: program, status: process.terminationStatus)
    }
  }

  struct Failed: Error {
    let program: [String]
    let status: Int32
  }
}
