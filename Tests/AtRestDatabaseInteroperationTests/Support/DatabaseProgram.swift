import Foundation

/// A child process that executes SQL in one database. `Tests/database-peer/peer.py` describes the
/// requests.
final class DatabaseProgram {
  typealias Row = [String?]

  /// The message with which a program refused a request.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// A program ended although it was not told to.
  struct EndedEarly: Error {
    let request: String
  }

  let implementation: Implementation
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var received = Data()

  /// Starts a program.
  init(_ implementation: Implementation) throws {
    self.implementation = implementation
    let command = try implementation.command
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Starts a program and opens a database.
  convenience init(
    _ implementation: Implementation, opening url: URL, _ layout: DatabaseLayout = .standard
  ) throws {
    try self.init(implementation)
    try open(url, layout)
  }

  deinit {
    kill()
    process.waitUntilExit()
  }

  func open(_ url: URL, _ layout: DatabaseLayout = .standard) throws {
    var request: [String: Any] = ["do": "open", "path": url.path, "options": layout.options]
    if !layout.isPlaintext { request["key"] = layout.key }
    try ask(request)
  }

  /// Encrypts a database under another key. Only AtRest's program can do this.
  func rekey(_ url: URL, _ key: String, to new: String, _ layout: DatabaseLayout) throws {
    try ask(["do": "rekey", "path": url.path, "key": key, "to": new, "options": layout.options])
  }

  /// Changes the passphrase of a key file. Only AtRest's program can do this.
  func changePassphrase(_ keyFile: URL, from old: String, to new: String) throws {
    try ask(["do": "passphrase", "path": keyFile.path, "from": old, "to": new])
  }

  /// Executes a statement, and returns its rows as text.
  @discardableResult func run(_ sql: String) throws -> [Row] {
    try ask(["do": "run", "sql": sql]).rows ?? []
  }

  /// Executes statements, and returns nothing.
  func run(_ statements: [String]) throws {
    for statement in statements { try run(statement) }
  }

  /// The first column of the first row.
  func value(_ sql: String) throws -> String? { try run(sql).first?.first ?? nil }

  /// Copies a plaintext database into this one with SQLite's backup API.
  func copy(from plaintext: URL) throws { try ask(["do": "copy", "from": plaintext.path]) }

  /// Copies this database into a plaintext one with SQLite's backup API.
  func copy(to plaintext: URL) throws { try ask(["do": "copy", "to": plaintext.path]) }

  func close() throws { try ask(["do": "close"]) }

  /// Ends the process as a crash does: nothing is flushed, rolled back or closed.
  func crash() throws {
    try send(["do": "end"])
    process.waitUntilExit()
  }

  /// Lets the program execute statements again and again, with the number of the round for `{n}`.
  func startLoop(_ statements: [String], count: Int) throws {
    try send(["do": "loop", "sql": statements, "count": count])
  }

  /// Returns the number of the next round that the program has finished, or nil if it was killed.
  func nextRound() throws -> Int? {
    guard let answer = try answer() else { return nil }
    if let refusal = answer.error { throw Refusal(description: refusal) }
    return answer.done
  }

  var identifier: Int32 { process.processIdentifier }

  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  // MARK: Protocol

  private struct Answer: Decodable {
    var rows: [Row]?
    var done: Int?
    var error: String?
  }

  @discardableResult private func ask(_ request: [String: Any]) throws -> Answer {
    try send(request)
    guard let answer = try answer() else { throw EndedEarly(request: "\(request)") }
    if let refusal = answer.error { throw Refusal(description: refusal) }
    return answer
  }

  private func send(_ request: [String: Any]) throws {
    let line = try JSONSerialization.data(withJSONObject: request) + Data("\n".utf8)
    try input.fileHandleForWriting.write(contentsOf: line)
  }

  private func answer() throws -> Answer? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = received[..<end]
        received = received[received.index(after: end)...]
        return try JSONDecoder().decode(Answer.self, from: Data(line))
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      received += more
    }
  }
}
