/// The text that replaces a withheld value.
enum Redaction {
  static let mark = "[withheld]"
}
