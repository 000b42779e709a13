/// Escapes text for XML.
enum XMLText {
  private static let special = Array("&<>\"'".utf8)

  static func escaped(_ text: String) -> String {
    // Most text needs no escaping.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && !special.contains($0) }) { return text }
    var output = ""
    output.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&#39;"
      case "\n": output += "&#10;"
      default:
        // XML does not allow other control characters, not even escaped.
        output.unicodeScalars.append(
          scalar.value < 0x20 && scalar != "\t" || scalar.value == 0xFFFE || scalar.value == 0xFFFF
            ? "\u{FFFD}" : scalar)
      }
    }
    return output
  }
}
