@_spi(Tools) extension Unicode.Scalar {
  /// True for controls (C0, DEL, C1), line breaks, and characters that change the direction of
  /// text.
  public var isObeyedByTerminals: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }

  /// True for all characters that nobody sees, or that change how other text is shown.
  public var isHidden: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      true
    default: false
    }
  }
}

@_spi(Tools) extension String {
  /// The text for a terminal, with U+FFFD for each hidden character. Names from elsewhere are
  /// untrusted.
  public var printable: String {
    String(UnicodeScalarView(unicodeScalars.map { $0.isHidden ? "\u{FFFD}" : $0 }))
  }
}
