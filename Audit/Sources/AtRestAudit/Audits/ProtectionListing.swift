import AtRestFormats

/// The data protection classes of files, listed on a device that a folder alone does not tell of.
///
/// One file a line, the class and the path below the container with a tab between:
/// `NSFileProtectionComplete⇥Documents/notes.sqlite`. `#` begins a comment.
public struct ProtectionListing: Sendable {
  /// By path.
  let classes: [String: String]

  private static let names: Set<String> = [
    "NSFileProtectionNone", "NSFileProtectionComplete", "NSFileProtectionCompleteUnlessOpen",
    "NSFileProtectionCompleteUntilFirstUserAuthentication",
    "NSFileProtectionCompleteWhenUserInactive",
  ]

  /// - Throws: `FormatError` with the line that is none of these.
  public init(_ text: String) throws(FormatError) {
    var classes: [String: String] = [:]
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      let parts = line.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2, Self.names.contains(String(parts[0])) else {
        throw FormatError(
          "Line \(index + 1) of the listing is no class and path with a tab between: "
            + "'NSFileProtectionComplete<tab>Documents/notes.sqlite'.")
      }
      let path = parts[1].hasPrefix("./") ? parts[1].dropFirst(2) : parts[1]
      classes[String(path)] = String(parts[0])
    }
    self.classes = classes
  }
}
