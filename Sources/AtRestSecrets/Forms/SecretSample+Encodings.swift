@_spi(Testing) extension SecretSample {
  /// Returns a text in each encoding in which every search for known secrets finds it.
  public static func encodings(of text: String) -> [(name: String, text: String)] {
    let bytes = Array(text.utf8)
    func each(by separator: String = "", _ written: (UInt8) -> String) -> String {
      bytes.map(written).joined(separator: separator)
    }
    func padded(_ byte: UInt8, radix: Int, _ count: Int) -> String {
      let digits = String(byte, radix: radix)
      return String(repeating: "0", count: count - digits.count) + digits
    }
    func hex(_ byte: UInt8) -> String { padded(byte, radix: 16, 2) }
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    func digits(_ bytes: some Sequence<UInt8>, bits: Int, _ others: String) -> String {
      let alphabet = Array(letters + others)
      let all = Array(bytes.map { padded($0, radix: 2, 8) }.joined())
      let digits = stride(from: 0, to: all.count, by: bits).map { start in
        let part = String(all[start..<min(start + bits, all.count)])
        return alphabet[Int(part + String(repeating: "0", count: bits - part.count), radix: 2)!]
      }
      return String(digits) + String(repeating: "=", count: bits == 6 ? -digits.count & 3 : 0)
    }
    func base64(_ bytes: some Sequence<UInt8>) -> String {
      digits(bytes, bits: 6, letters.lowercased() + "0123456789+/")
    }
    func lines(_ text: String, of width: Int) -> String {
      let text = Array(text)
      return stride(from: 0, to: text.count, by: width).map {
        String(text[$0..<min($0 + width, text.count)])
      }.joined(separator: "\r\n")
    }
    let half = bytes.count / 2
    let before = String(repeating: "lorem ipsum ", count: 6)
    return [
      ("plain", text), ("hex", each(hex)), ("capital hex", each(hex).uppercased()),
      ("hex with colons", each(by: ":", hex)), ("hex with spaces", each(by: " ", hex)),
      ("hexadecimal list", each(by: ", ") { "0x" + hex($0) }),
      ("decimal list", each(by: ", ") { "\($0)" }), ("base64", base64(bytes)),
      ("base64 twice", base64(base64(bytes).utf8)), ("base32", digits(bytes, bits: 5, "234567")),
      ("Swift escapes", each { "\\u{" + String($0, radix: 16) + "}" }),
      ("JSON escapes", each { "\\u00" + hex($0) }), ("C escapes", each { "\\x" + hex($0) }),
      ("octal escapes", each { "\\" + padded($0, radix: 8, 3) }),
      ("entities", each { "&#\($0);" }), ("hexadecimal entities", each { "&#x" + hex($0) + ";" }),
      ("percent encoding", each { "%" + hex($0).uppercased() }),
      ("quoted-printable", each { "=" + hex($0).uppercased() }),
      ("folded lines", before + text.prefix(half) + "\r\n " + text.dropFirst(half)),
      ("base64 in lines", lines(base64((before + text + before).utf8), of: 76)),
      ("hex in lines", lines(each(hex), of: 32)),
    ]
  }
}
