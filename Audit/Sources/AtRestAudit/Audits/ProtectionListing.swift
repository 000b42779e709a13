import AtRestFormats

/// The data protection classes of files, as listed on a device, for folders that do not record
/// them.
///
/// Each line has a class, a tab, and a path below the container:
/// `NSFileProtectionComplete⇥Documents/notes.sqlite`. A line that begins with `#` is a comment.
public struct ProtectionListing: Sendable {
  /// The classes by path.
  let classes: [String: String]

  private static let names: Set<String> = [
    "NSFileProtectionNone", "NSFileProtectionComplete", "NSFileProtectionCompleteUnlessOpen",
    "NSFileProtectionCompleteUntilFirstUserAuthentication",
    "NSFileProtectionCompleteWhenUserInactive",
  ]

  /// - Throws: `FormatError` with the number of the first line that does not have this form.
  public init(_ text: String) throws(FormatError) {
    var classes: [String: String] = [:]
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      let parts = line.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2, Self.names.contains(String(parts[0])) else {
        throw FormatError(
          "Line \(index + 1) of the listing is not a class, a tab and a path. Write it as "
            + "'NSFileProtectionComplete<tab>Documents/notes.sqlite'.")
      }
      let path = parts[1].hasPrefix("./") ? parts[1].dropFirst(2) : parts[1]
      classes[String(path)] = String(parts[0])
    }
    self.classes = classes
  }
}
