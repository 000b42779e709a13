import Foundation
import Testing

/// A program that writes to a store, and what the store is after each write that it answered.
struct PowerScenario: Sendable, CustomTestStringConvertible {
  /// What of a program's output is the answer to a write.
  enum Answer {
    /// Each line `done`.
    case lines
    /// Something said that has these words in it, or the end with this status.
    case words(String, status: Int)
  }

  let name: String
  /// The passcode that the store is made with.
  var passcode: String?
  /// After how many wrong passcodes the store is wiped; 0: never.
  var attemptLimit = 0
  /// Brings a store that `writes … make` made into the state that the program starts from.
  var prepare: @Sendable (Scratch) throws -> Void = { _ in }
  /// Path and arguments of the program.
  let program: @Sendable (Scratch) throws -> [String]
  var answer = Answer.lines
  /// What the store is after no, one, two … answers.
  let models: [StoreModel]
  /// What else it may be before the last answer.
  var between: [StoreModel] = []

  var testDescription: String { name }

  static let passcode = "one passcode"
  /// The items of a store that was just made, by account. One goes with the passcode.
  static func items(_ passcode: String?) -> [String: String] {
    let items = ["0": "secret 0", "1": "secret 1", "2": "secret 2"]
    return passcode == nil ? items : items.merging(["100": "secret 100"]) { $1 }
  }

  /// A store in memory, in the state that the program starts from.
  func make() throws -> Scratch {
    let scratch = try Scratch(in: Scratch.memory)
    try Self.run(scratch, Self.writes(scratch, passcode, "make", "\(attemptLimit)"))
    try prepare(scratch)
    return scratch
  }

  /// How many writes were answered by these events.
  func answered(_ events: ArraySlice<FileEvent>) -> Int {
    // A program that is about to answer has done what it answers.
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

  /// What the store may be when so many writes were answered: the next may be made or not.
  func allowed(answered: Int) -> [StoreModel] {
    let models = models[min(answered, models.count - 1)...].prefix(2)
    return models.count > 1 ? Array(models) + between : Array(models)
  }

  /// Why a store is none of what it may be; nil where it is one.
  ///
  /// - Parameter copy: Makes the store anew, since a look at it may change it.
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

  /// A call of the worker's `writes`.
  static func writes(
    _ scratch: Scratch, _ passcode: String?, _ kind: String, _ new: String = ""
  ) throws -> [String] {
    [
      try Worker.binary("atrest-torture-worker").path, "writes", scratch.store.path,
      scratch.device.path, passcode ?? "-", kind, new,
    ]
  }

  /// A call of the command line, with a passcode in a file where it takes one.
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
