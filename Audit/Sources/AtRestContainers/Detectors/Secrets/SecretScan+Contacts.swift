extension SecretScan {
  /// File extensions that look like the last part of a host name.
  private static let fileEndings: Set<String> = [
    "png", "jpg", "jpeg", "gif", "pdf", "svg", "webp", "heic", "json", "plist", "xml", "html",
    "css",
    "js", "ts", "swift", "m", "mm", "h", "c", "cpp", "car", "nib", "strings", "txt", "framework",
    "app",
    "dylib", "ktx", "caf", "mp", "zip", "db", "sqlite", "local", "internal", "localhost",
  ]
  private static let machines: Set<String> = [
    "git", "noreply", "no-reply", "donotreply", "do-not-reply", "postmaster", "mailer-daemon",
  ]

  /// Reads the e-mail address around an at sign: `someone@example.com`.
  func email(around at: Int, after first: Int) -> Detection? {
    func isLocal(_ byte: UInt8) -> Bool {
      ASCII.isAlphanumeric(byte) || "._%+-".utf8.contains(byte) || byte >= 0x80
    }
    var start = at
    while start > first, at - start < 64, isLocal(text[start - 1]) { start -= 1 }
    while start < at, text[start] == 0x2E || text[start] == 0x2D || text[start] == 0x25 {
      start += 1
    }
    var end = at + 1
    while end < text.count, end - at < 254,
      ASCII.isAlphanumeric(text[end]) || text[end] == 0x2E || text[end] == 0x2D
    { end += 1 }
    while end > at + 1, !ASCII.isAlphanumeric(text[end - 1]) { end -= 1 }
    guard start < at, at + 1 < end, ASCII.isAlphanumeric(text[at - 1]) else { return nil }
    let host = text[at + 1..<end].split(separator: 0x2E, omittingEmptySubsequences: false)
    guard host.count >= 2, let top = host.last, (2...24).contains(top.count),
      top.allSatisfy(ASCII.isLetter), host.allSatisfy({ !$0.isEmpty })
    else { return nil }
    // `icon@2x.png`, `package@1.2.beta`.
    let isScale = host[0].count <= 2 && host[0].first.map(ASCII.isDigit) == true
    let ending = String(decoding: top, as: UTF8.self).lowercased()
    let user = String(decoding: text[start..<at], as: UTF8.self).lowercased()
    guard !isScale, !Self.fileEndings.contains(ending), !Self.machines.contains(user) else {
      return nil
    }
    // `@jo@social.example` is a handle.
    if start > 0, text[start - 1] == 0x40 { return nil }
    // `https://user:password@host/` is not an e-mail address.
    if start >= 3, text[start - 1] == 0x2F, text[start - 2] == 0x2F { return nil }
    return Detection(.email, start..<end, .likely, in: text)
  }

  /// Reads a telephone number with a plus sign and a country code (E.164), in groups or without. A
  /// short number is reported only near a word such as "phone".
  func phone(at start: Int) -> Detection? {
    guard text[start] == 0x2B, start + 8 < text.count, text[start + 1] &- 0x31 < 9 else {
      return nil
    }
    if start > 0, ASCII.isAlphanumeric(text[start - 1]) || text[start - 1] == 0x2E { return nil }
    var digits = 0
    var end = start + 1
    var place = end
    while place < text.count, digits <= 16 {
      if ASCII.isDigit(text[place]) {
        digits += 1
        end = place + 1
      } else if !" -().".utf8.contains(text[place]) || place - end > 1 {
        break
      }
      place += 1
    }
    guard (8...15).contains(digits), end == text.count || !ASCII.isAlphanumeric(text[end]) else {
      return nil
    }
    let isFraction = text[start..<end].contains(0x2E) && text[start..<end].count { $0 == 0x2E } == 1
    let isAnnounced = hasContext(["phone", "tel", "mobile", "sms", "fax"], around: start..<end)
    guard isAnnounced || digits >= 10 && !isFraction else { return nil }
    return Detection(.phone, start..<end, isAnnounced ? .certain : .likely, in: text)
  }

  /// Reads a location as Core Location describes it: `<+37.33182000,-122.03118000>`.
  func position(at start: Int) -> Detection? {
    guard text[start] == 0x3C, start + 12 < text.count,
      text[start + 1] == 0x2B || text[start + 1] == 0x2D
    else { return nil }
    var end = start + 1
    while end < text.count, end - start < 40,
      ASCII.isDigit(text[end]) || "+-.,".utf8.contains(text[end])
    { end += 1 }
    guard end < text.count, text[end] == 0x3E, SecretValue.isCoordinate(text[start + 1..<end]),
      text[start + 1..<end].contains(0x2C)
    else { return nil }
    return Detection(.location, start + 1..<end, .certain, in: text)
  }
}
