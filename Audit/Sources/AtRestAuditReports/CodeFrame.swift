/// The lines of code around a finding, ready to be shown: without control characters, and with
/// secrets masked.
struct CodeFrame {
  struct Line {
    /// The number of the line, from 1.
    let number: Int
    let text: String
    /// The range that is marked, in Unicode scalars of the text.
    let mark: Range<Int>?
  }

  let lines: [Line]

  /// The maximum number of Unicode scalars of a line that are shown. A longer line is cut to a
  /// window around its mark.
  static let width = 160
}
