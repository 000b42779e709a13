/// A file as it was seen.
package struct SeenFile: Sendable {
  let mark: ChangeMark
  let file: HeldFile?

  /// True if the file is as it was. A file that was replaced is not, because it has lost its name.
  var isUnchanged: Bool { file?.mark == mark }
}
