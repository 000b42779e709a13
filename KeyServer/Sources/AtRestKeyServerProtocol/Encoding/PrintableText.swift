extension String {
  /// The text for a terminal: without control characters, and without those that change the direction. The other side
  /// of a connection may have chosen it.
  package var printable: String {
    String(
      UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar
          }
        }))
  }
}
