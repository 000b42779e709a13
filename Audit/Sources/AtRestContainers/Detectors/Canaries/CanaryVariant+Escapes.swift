@_spi(Tools) import AtRestSecrets

extension CanaryVariant.Form {
  /// Escaped forms, with only the necessary characters escaped and with all characters escaped.
  func escaped() -> [CanaryVariant] {
    var texts: [(String, String)] = []
    func add(_ encoding: String, _ text: String) { texts.append((text, encoding)) }
    let percent = bytewise { Self.isUnreserved($0) ? nil : "%" + Self.pair($0) }
    add("percent", percent)
    add("percent", percent.replacingEach("%20", with: "+"))
    add("percent", bytewise { "%" + Self.pair($0) })
    add("escapes", bytewise { $0 < 0x80 && $0 >= 0x20 ? nil : #"\x"# + Self.pair($0) })
    add("escapes", bytewise { #"\x"# + Self.pair($0) })
    add("escapes", unitwise { Self.json($0) })
    add("escapes", unitwise { $0 == 0x2F ? #"\/"# : Self.json($0) })
    add("escapes", unitwise { #"\u"# + Self.quad($0) })
    add("escapes", bytewise { $0 < 0x80 ? nil : #"\"# + String($0, radix: 8) })
    add("escapes", scalarwise { $0.isASCII ? nil : Self.braced($0) })
    add("escapes", scalarwise(Self.braced))
    add(
      "quoted-printable",
      bytewise { $0 >= 0x20 && $0 < 0x7F && $0 != 0x3D ? nil : "=" + Self.pair($0) })
    add("quoted-printable", bytewise { "=" + Self.pair($0) })
    for (all, radix) in [(false, 10), (false, 16), (true, 10), (true, 16)] {
      add("entities", scalarwise { Self.entity($0, all: all, named: false, radix: radix) })
    }
    add("entities", scalarwise { Self.entity($0, all: false, named: true, radix: 10) })
    let doubled = percent.replacingEach("%", with: "%25")
    return
      (texts.map { ($0.0, [$0.1]) } + [(doubled, ["percent", "percent"])])
      .filter { $0.0 != text }
      .map { text, encodings in
        var escaped = variant(Array(text.utf8), encodings)
        escaped.comparison = .anyCase
        return escaped
      }
  }

  private func bytewise(_ escape: (UInt8) -> String?) -> String {
    var result: [UInt8] = []
    for byte in utf8 {
      if let escaped = escape(byte) { result += Array(escaped.utf8) } else { result.append(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func unitwise(_ escape: (UInt16) -> String?) -> String {
    text.unicodeScalars.map { scalar in
      let units = Array(String(scalar).utf16)
      let escaped = units.compactMap(escape)
      return escaped.count == units.count ? escaped.joined() : String(scalar)
    }.joined()
  }

  private func scalarwise(_ escape: (Unicode.Scalar) -> String?) -> String {
    text.unicodeScalars.map { escape($0) ?? String($0) }.joined()
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    ASCII.isAlphanumeric(byte) || "-._~".utf8.contains(byte)
  }

  private static func pair(_ byte: UInt8) -> String {
    String(decoding: ByteRun.hex.digits(of: [byte]), as: UTF8.self).uppercased()
  }

  private static func quad(_ unit: UInt16) -> String {
    String(
      decoding: ByteRun.hex.digits(of: [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]),
      as: UTF8.self)
  }

  private static func braced(_ scalar: Unicode.Scalar) -> String {
    "\\u{" + String(scalar.value, radix: 16) + "}"
  }

  private static func json(_ unit: UInt16) -> String? {
    switch unit {
    case 0x22: #"\""#
    case 0x5C: #"\\"#
    case 0x0A: #"\n"#
    case 0x0D: #"\r"#
    case 0x09: #"\t"#
    case 0x20...0x7E: nil
    default: #"\u"# + quad(unit)
    }
  }

  private static func entity(
    _ scalar: Unicode.Scalar, all: Bool, named: Bool, radix: Int
  ) -> String? {
    let isPlain = scalar.isASCII && !"&<>\"'".unicodeScalars.contains(scalar)
    if isPlain, !all { return nil }
    if named, let name = Entities.names[scalar] { return "&\(name);" }
    return "&#" + (radix == 16 ? "x" : "") + String(scalar.value, radix: radix) + ";"
  }
}

extension String {
  /// Replaces text without regular expressions or Foundation, for strings of one line.
  fileprivate func replacingEach(_ old: String, with new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
