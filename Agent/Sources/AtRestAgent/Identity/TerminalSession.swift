import Foundation

/// A terminal, and the session of processes that it controls.
struct TerminalSession: Hashable, Sendable, CustomStringConvertible {
  let session: Int32
  let terminal: Int32
  /// The time at which the first process of the session started, so a later session with the same number
  /// is another one.
  let start: UInt64

  /// The numbers that the text of `stat` in `/proc/PID` has.
  struct Fields {
    let group: Int32
    let session: Int32
    let terminal: Int32
    let foreground: Int32
    let start: UInt64
  }

  /// Reads the text of `stat`. Returns nil without a terminal, for a process in the background, and if
  /// the first process of the session has ended.
  init?(status: String) {
    guard let fields = Self.fields(status), fields.terminal != 0, fields.session > 0,
      fields.group == fields.foreground, let start = ProcessFolder(fields.session).start
    else { return nil }
    (session, terminal, self.start) = (fields.session, fields.terminal, start)
  }

  /// Returns the numbers. The name of the program, in parentheses, may contain anything.
  static func fields(_ status: String) -> Fields? {
    guard let end = status.lastIndex(of: ")") else { return nil }
    let words = status[status.index(after: end)...].split(separator: " ")
    // The first word is the third field.
    guard words.count > 19, let group = Int32(words[2]), let session = Int32(words[3]),
      let terminal = Int32(words[4]), let foreground = Int32(words[5]),
      let start = UInt64(words[19])
    else { return nil }
    return Fields(
      group: group, session: session, terminal: terminal, foreground: foreground, start: start)
  }

  var description: String { "session \(session)" }
}
