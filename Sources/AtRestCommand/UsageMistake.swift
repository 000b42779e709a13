import ArgumentParser
import Foundation

/// The first word of a command line that no command, option or argument stands for.
///
/// The parser validates a command before it looks at the words that are left over. Without this, the
/// answer to `--acount eva` would be *Missing --account*.
struct UsageMistake {
  /// The mistake, in a sentence.
  let message: String
  /// The names of the command to which the word was given, beginning with `atrest`.
  let command: [String]

  /// The message, and where to read on.
  var text: String {
    "Error: \(message)\n  See '\(command.joined(separator: " ")) --help' for more information."
  }

  /// Returns nil if every word is known.
  ///
  /// - Parameter arguments: The words after the program's name. Words after `--` are not examined.
  init?(in arguments: [String]) {
    guard
      let tree = try? JSONDecoder().decode(
        Description.self, from: Data(AtRestCommand._dumpHelp().utf8))
    else { return nil }
    var walk = Walk(tree.command)
    guard let message = walk.mistake(in: arguments) else { return nil }
    self.message = message
    command = walk.names
  }
}

extension UsageMistake {
  /// The commands as ArgumentParser describes them.
  fileprivate struct Description: Decodable {
    let command: Command
  }

  fileprivate struct Command: Decodable {
    let commandName: String
    let aliases: [String]?
    let subcommands: [Command]?
    let arguments: [Argument]?
  }

  fileprivate struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
      var word: String { kind == "long" ? "--\(name)" : "-\(name)" }
    }

    let kind: String
    let names: [Name]?
    let isRepeating: Bool
  }

  /// A walk along the words, from the program down to the command that they name.
  fileprivate struct Walk {
    var names: [String]
    private var command: Command
    private var positions = 0

    init(_ root: Command) {
      command = root
      names = [root.commandName]
    }

    private var subcommands: [Command] { command.subcommands ?? [] }
    private var options: [Argument] { command.arguments ?? [] }

    mutating func mistake(in arguments: [String]) -> String? {
      var words = arguments[...]
      if words.first == "help" { words = words.dropFirst() }
      while let word = words.popFirst(), word != "--" {
        if word.hasPrefix("--") {
          let name = String(word.prefix { $0 != "=" })
          guard let option = option(name) else { return unknownOption(name) }
          if option.kind == "option", name == word { words = words.dropFirst() }
        } else if word.hasPrefix("-"), word != "-" {
          // Letters can be joined, and a value can follow its letter.
          guard let option = option(String(word.prefix(2))) else {
            return "Unknown option '\(word)'."
          }
          if option.kind == "option", word.count == 2 { words = words.dropFirst() }
        } else if subcommands.isEmpty {
          guard takesPosition() else { return unexpected(word) }
        } else {
          guard let next = subcommands.first(where: { $0.isNamed(word) }) else {
            return "There is no command '\(word)'.\(suggestion(word, among: subcommandNames))"
          }
          command = next
          names.append(next.commandName)
        }
      }
      return nil
    }

    private var subcommandNames: [String] {
      subcommands.map(\.commandName).filter { $0 != "help" }
    }

    private func option(_ word: String) -> Argument? {
      options.first { $0.names?.contains { $0.word == word } == true }
    }

    private mutating func takesPosition() -> Bool {
      let places = options.filter { $0.kind == "positional" }
      positions += 1
      return positions <= places.count || places.contains(where: \.isRepeating)
    }

    /// Words under which people pass a secret as an argument, where other users and the shell's
    /// history see it.
    private static let secrets = [
      "--secret", "--password", "--passcode", "--passphrase", "--token",
    ]

    private func unknownOption(_ word: String) -> String {
      if Self.secrets.contains(word) {
        return "Secrets are never arguments: they would be in the list of processes and in the "
          + "shell's history. If this one is real, change it. Pipe it in, or use a file."
      }
      let known = options.flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.word)
      return "Unknown option '\(word)'.\(suggestion(word, among: known))"
    }

    private func unexpected(_ word: String) -> String {
      let isItem = option("--service") != nil
      return "Unexpected argument '\(word)'."
        + (isItem ? " An item is named by --service and --account." : "")
    }

    private func suggestion(_ word: String, among known: [String]) -> String {
      let near = known.map { ($0, distance(word, $0)) }.filter { $0.1 < 4 }.min { $0.1 < $1.1 }
      return near.map { " Did you mean '\($0.0)'?" } ?? ""
    }

    /// The number of letters to insert, delete or exchange, which turns one word into another.
    private func distance(_ one: String, _ other: String) -> Int {
      let other = Array(other)
      var row = Array(0...other.count)
      for (index, letter) in one.enumerated() {
        var last = row[0]
        row[0] = index + 1
        for column in other.indices {
          let exchanged = last + (letter == other[column] ? 0 : 1)
          last = row[column + 1]
          row[column + 1] = min(exchanged, row[column] + 1, last + 1)
        }
      }
      return row[other.count]
    }
  }
}

extension UsageMistake.Command {
  fileprivate func isNamed(_ word: String) -> Bool {
    commandName == word || aliases?.contains(word) == true
  }
}
