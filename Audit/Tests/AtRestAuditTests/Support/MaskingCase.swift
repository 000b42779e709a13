import Foundation
import Testing

/// A project with a secret in it, and the rule that reports the secret.
struct MaskingCase: Sendable, CustomTestStringConvertible {
  let title: String
  let rule: String
  var files: [String: Data]
  /// The texts of which no piece may be shown: the secret, and the form in which the file writes it.
  var hidden: [String] = [Self.secret]
  /// The name of the entry, which is shown in the message of the finding.
  var name: String?
  /// A word that is shown in the line of the secret.
  var word: String?
  /// True if the lines of the file are shown, so that the secret is visible with `--reveal`.
  var isShown = true

  /// A secret that no rule takes for a name, a caption or an example.
  static let secret = "Xk7dUe9Rq8TTwz42"
  static let other = "Pm3vGh6Ls1YYbn58"
  static let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

  var testDescription: String { title }

  /// The pieces of eight characters of everything that is hidden.
  var pieces: Set<String> {
    Set(
      hidden.flatMap { text in
        let text = Array(text)
        return text.indices.dropLast(7).map { String(text[$0..<($0 + 8)]) }
      })
  }

  init(
    _ title: String, _ rule: String, _ path: String, _ text: String, name: String? = nil,
    word: String? = nil,
    hidden: [String] = [Self.secret], isShown: Bool = true
  ) {
    self.init(
      title, rule, [path: Data(text.utf8)], name: name, word: word, hidden: hidden, isShown: isShown
    )
  }

  init(
    _ title: String, _ rule: String, _ files: [String: Data], name: String? = nil,
    word: String? = nil,
    hidden: [String] = [Self.secret], isShown: Bool = true
  ) {
    self.title = title
    self.rule = rule
    self.files = files
    self.hidden = hidden
    self.name = name
    self.word = word
    self.isShown = isShown
  }

  static let all = lists + others + code
}
