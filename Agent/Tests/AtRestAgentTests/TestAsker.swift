import Foundation

/// A program that answers the agent's questions as files beside it say.
struct TestAsker {
  let path: String

  init(_ folder: URL) { path = folder.appendingPathComponent("ask").path }

  func write() throws {
    let script = """
      #!/bin/sh
      cat >>"$0.asked"
      echo "$1" >>"$0.arguments"
      echo "----" >>"$0.asked"
      mkdir "$0.open" || touch "$0.twice"
      while test -e "$0.wait"; do sleep 0.02; done
      rmdir "$0.open"
      test "$SSH_ASKPASS_PROMPT" = confirm || exec cat "$0.passcode"
      cat "$0.answer" 2>/dev/null
      test ! -e "$0.no"

      """
    try Script.write(script, to: path, permissions: 0o700)
  }

  /// Writes a file beside the program: `answer` and `passcode` have its output, `no` makes it refuse,
  /// and `wait` makes it wait.
  func set(_ name: String, _ text: String = "") throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "." + name))
  }

  func clear(_ name: String) { unlink(path + "." + name) }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path + "." + name)
  }

  /// The questions that were asked.
  var questions: [String] {
    let text = FileManager.default.contents(atPath: path + ".asked").map {
      String(decoding: $0, as: UTF8.self)
    }
    return (text ?? "").components(separatedBy: "----\n").dropLast()
  }
}
