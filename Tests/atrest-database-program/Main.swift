import Foundation

/// Executes SQL in an encrypted database. `Tests/database-peer/peer.py` describes the requests and
/// the answers, which are the same.
@main struct Main {
  static func main() throws {
    var session = Session()
    while let line = readLine() {
      let request = try JSONDecoder().decode(Request.self, from: Data(line.utf8))
      do {
        try session.execute(request, answer: write)
      } catch {
        try write(Answer(error: "\(error)"))
      }
    }
  }

  private static func write(_ answer: Answer) throws {
    let line = try JSONEncoder().encode(answer) + Data("\n".utf8)
    try FileHandle.standardOutput.write(contentsOf: line)
  }
}
