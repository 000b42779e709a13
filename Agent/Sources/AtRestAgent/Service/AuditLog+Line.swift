@_spi(Tools) import AtRestKeychain
import Foundation

/// Entries as lines of JSON.
extension AuditLog {
  /// Returns an entry as a line of JSON. Foundation's coder takes several times as long.
  static func line(_ entry: AgentLogEntry) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(512)
    func add(_ text: StaticString) {
      line.append(
        contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
    func quote(_ text: String) {
      line.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
        case 0..<32:
          line += "\\u00".utf8
          line += [48 + byte >> 4, byte & 15 < 10 ? 48 + byte & 15 : 87 + byte & 15]
        default: line.append(byte)
        }
      }
      line.append(UInt8(ascii: "\""))
    }
    add("{\"answer\":")
    quote(entry.answer)
    add(",\"evidence\":[")
    for (index, evidence) in entry.evidence.enumerated() {
      if index > 0 { add(",") }
      add("{\"kind\":")
      quote(evidence.kind.rawValue)
      add(",\"value\":")
      quote(evidence.value)
      add("}")
    }
    add("],\"operation\":")
    quote(entry.operation)
    if let number = entry.number {
      add(",\"number\":")
      line += String(number).utf8
    }
    add(",\"process\":")
    line += String(entry.process).utf8
    add(",\"subject\":")
    quote(entry.subject)
    add(",\"time\":")
    quote(Self.text(entry.time))
    add("}\n")
    return line
  }

  /// Returns a time in the form of ISO 8601, such as `2026-11-26T14:37:47Z`.
  private static func text(_ time: Date) -> String {
    var seconds = time_t(time.timeIntervalSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ number: Int32, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let date =
      "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
    return
      "\(date)T\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))Z"
  }
}
