import AtRestContainers
import AtRestFormats
import Crypto
import Foundation

/// Layouts of text, character sets, numbers, and encodings within each other.
extension CanaryContainer {
  private static func digits(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func base64(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
  }

  private static func wide(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  mutating func addLayouts() {
    let long = "A line of a page that is long enough to be folded by the program that writes "
    add(105, "Documents/cards.vcf", at: "byte 24") { text in
      "BEGIN:VCARD\nVERSION:3.0\nNOTE:\(long)\(text.prefix(6))\n \(text.dropFirst(6))\nEND:VCARD\n"
        .utf8
    }
    add(106, "Documents/page.html", at: "line 1") { text in
      "<html><body><p>A page: \(text.prefix(6))<b>\(text.dropFirst(6))</b>.</p></body></html>\n"
        .utf8
    }
    add(107, "Documents/plain.html", at: "line 2") { "<html><body>\n<p>A \($0).</p></body>\n".utf8 }
    add(108, "Documents/attribute.xml", at: "page.item.@note") { text in
      "<?xml version=\"1.0\"?><page><item note=\"\(text)\"/></page>".utf8
    }
    add(109, "Documents/element.xml", at: "page.item[1]") { text in
      "<?xml version=\"1.0\"?><page><item>first</item><item>\(text)</item></page>".utf8
    }
    add(110, "Documents/dump.txt", at: "byte 0") { text in
      let bytes = Array("a page with \(text) in it".utf8)
      return stride(from: 0, to: bytes.count, by: 16).map { start in
        let row = bytes[start..<min(start + 16, bytes.count)]
        let offset = Self.digits([0, 0, UInt8(start >> 8), UInt8(start & 0xFF)])
        let groups = stride(from: row.startIndex, to: row.endIndex, by: 2).map {
          Self.digits(row[$0..<min($0 + 2, row.endIndex)])
        }
        return "\(offset): \(groups.joined(separator: " "))\n"
      }.joined().utf8
    }
    add(111, "Documents/numbers.json", at: "page › integers") { text in
      "{\"page\": [\(text.utf8.map(String.init).joined(separator: ", "))]}".utf8
    }
    let path = "Library/Logs/layouts.log"
    var lines = ["It began."]
    let writings: [(Int, (String) -> String)] = [
      (112, { $0.utf8.map(String.init).joined(separator: " ") }),
      (113, { Self.base32(Array($0.utf8)) }),
      (114, { String(Self.base64("the \($0) page".utf8).reversed()) }),
      (
        115,
        { $0.utf8.map { "\\" + String(1000 + Int(String($0, radix: 8))!).dropFirst() }.joined() }
      ),
      (116, { $0.unicodeScalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined() }),
      (117, { Self.digits(SHA512.hash(data: Data($0.utf8))) }),
      (118, { $0.utf8.map { "%25" + Self.digits([$0]) }.joined() }),
      (131, { Self.base64(Self.wide($0)) }),
      (132, { Self.digits(Self.wide($0)) }),
      (133, { $0.utf8.map { Self.digits([$0]) }.joined(separator: ":") }),
      (134, { $0.uppercased() }),
      (135, { "0x" + Self.digits($0.utf8) }),
    ]
    for (number, write) in writings {
      lines.append("A page: \(write(text(number))) was shown.")
      place(number, path, "line \(lines.count)")
    }
    add(path, (lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func base32(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    return stride(from: 0, to: bits.count, by: 5).map { start in
      let group = bits[start..<min(start + 5, bits.count)]
      let value = group.reduce(0) { $0 << 1 | Int($1) } << (5 - group.count)
      return String(alphabet[value])
    }.joined()
  }

  mutating func addCharsets() {
    let charsets: [(Int, String, String.Encoding)] = [
      (119, "latin.txt", .isoLatin1), (120, "mac.txt", .macOSRoman),
    ]
    for (number, name, charset) in charsets {
      add(number, "Documents/\(name)", at: "byte 12") { text in
        "a page with \(text) in it\n".data(using: charset) ?? Data()
      }
    }
    add(121, "Documents/utf-32.txt", at: "utf-16 › line 1") { text in
      "\u{FEFF}a page with \(text)\n".unicodeScalars.flatMap { scalar in
        (0..<4).map { UInt8(scalar.value >> (8 * $0) & 0xFF) }
      }
    }
    add(122, "Documents/composed.txt", at: "line 1") { text in
      "a page with \(text.decomposedStringWithCanonicalMapping)\n".utf8
    }
    add(123, "Documents/wide.bin", at: "byte 300") { text in
      Self.noise(300) + Self.wide(text) + Self.noise(80)
    }
    add(124, "Documents/windows.txt", at: "byte 12") { text in
      "a page with \(text) in it\n".data(using: .windowsCP1252) ?? Data()
    }
    add(125, "Documents/masked-wide.bin", at: "byte 300") { text in
      Self.noise(300) + Self.wide(text).map { $0 ^ 0x5A } + Self.noise(80)
    }
    add(126, "Documents/message.eml", at: "byte 0") { text in
      "a page with \(text.prefix(5))=\n\(text.dropFirst(5)) in it\n".utf8
    }
  }

  mutating func addNumbers() {
    let isClean = isClean
    func line(_ number: Int, _ text: String) -> (String) -> String.UTF8View {
      { _ in "A page: \(isClean ? "harmless text \(number)" : text).\n".utf8 }
    }
    add(127, "Documents/card.txt", at: "line 1", line(127, "4539-1488-0343-6467"))
    add(128, "Documents/telephone.txt", at: "line 1", line(128, "(030) 555 01 23"))
    add(129, "Documents/dialled.txt", at: "line 1", line(129, "0044 (0)20 79460958"))
    add(130, "Documents/account.txt", at: "line 1", line(130, "DE89370400440532013000"))
  }

  /// Adds values in encodings within each other, and keys.
  mutating func addNests() {
    func json(_ text: String) -> String { "{\"note\": \"\(text)\"}" }
    func quoted(_ text: String) -> String {
      "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    add(136, "Documents/nested.json", at: "page › json › note") { text in
      "{\"page\": \(quoted(json(text)))}".utf8
    }
    add(137, "Documents/deep.json", at: "page › json › page › json › note") { text in
      "{\"page\": \(quoted("{\"page\": \(quoted(json(text)))}"))}".utf8
    }
    add(138, "Documents/encoded.json", at: "page › base64 › json › note") { text in
      "{\"page\": \"\(Self.base64(json(text).utf8))\"}".utf8
    }
    add(139, "Documents/escaped.json", at: "page › percent › json › note") { text in
      let escaped = json(text).utf8.map { "%" + Self.digits([$0]) }.joined()
      return "{\"page\": \"\(escaped)\"}".utf8
    }
    add(140, "Documents/listed.json", at: "page › base64 › plist › note") { text in
      let list = BinaryList.dictionary([("note", .string(text))]).encoded
      return "{\"page\": \"\(Self.base64(list))\"}".utf8
    }
    add(141, "Documents/twice.gz", at: "gzip › gzip › line 1") { text in
      Packing.gzip(Packing.gzip(Array("A page with \(text).".utf8)))
    }
    add(142, "Documents/pages.zip", at: "page.tar › note.txt › line 1") { text in
      Packing.zip("page.tar", Packing.tar("note.txt", Array("A \(text).\n".utf8)))
    }
    add(143, "Documents/books.zip", at: "books.sqlite › books, row 1, title") { text in
      var database = DatabaseFile()
      database.add(
        table: "books", "CREATE TABLE books (title TEXT)", rows: [[.text("A \(text).")]])
      return Packing.zip("books.sqlite", Array(database.bytes))
    }
    add(144, "Documents/packed.plist", at: "page › zip › note.txt › line 1") { text in
      let zip = Packing.zip("note.txt", Array("A \(text).\n".utf8))
      return BinaryList.dictionary([("page", .data(Data(zip)))]).encoded
    }
    add(145, "Library/Preferences/keys.plist", at: "pages.\(text(145)) › key") { text in
      BinaryList.dictionary([("pages", .dictionary([(text, .boolean(true))]))]).encoded
    }
    add(146, "Documents/keys.json", at: "pages.\(text(146)) › key") { text in
      "{\"pages\": {\"\(text)\": true}}".utf8
    }
    add(147, "Documents/old-keys.plist", at: "pages.\(text(147)) › key") { text in
      "{ pages = { \"\(text)\" = YES; }; }\n".utf8
    }
    add(148, "Library/Logs/deep.log", at: "line 2") { text in
      let inner = Self.base64(Packing.gzip(Array("A page with \(text).".utf8)))
      return "It began.\nA page: \(Self.digits(inner.utf8)) was shown.\n".utf8
    }
    add(149, "Library/Logs/packed.log", at: "line 1") { text in
      "A page: \(Self.base64(Packing.zlib(Array("A page with \(text).".utf8)))) was shown.\n".utf8
    }
    add(150, "Library/Logs/lines.jsonl", at: "line 2 › json › note") { text in
      "\(json("first"))\n\(json(text))\n".utf8
    }
  }
}
