/// The lines of code around a finding, ready to be shown: without control characters, with secrets masked.
struct CodeFrame {
  struct Line {
    /// From 1.
    let number: Int
    let text: String
    /// What is pointed at, in Unicode scalars of the text.
    let mark: Range<Int>?
  }

  let lines: [Line]

  /// Scalars of a line that are shown; of a longer one a window around what is pointed at.
  static let width = 160
}
