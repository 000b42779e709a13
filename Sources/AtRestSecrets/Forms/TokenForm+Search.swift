extension TokenForm {
  /// A beginning of a form, in bytes.
  struct Beginning: Sendable {
    let prefix: [UInt8]
    let form: TokenForm
  }

  /// The beginnings of forms that are looked for, by their first byte, the longest first.
  static let byFirst: [[Beginning]] = {
    var table = [[Beginning]](repeating: [], count: 256)
    for form in all where form.use != .published {
      for prefix in form.prefixes.map({ Array($0.utf8) }) {
        table[Int(prefix[0])].append(Beginning(prefix: prefix, form: form))
      }
    }
    return table.map { $0.sorted { $0.prefix.count > $1.prefix.count } }
  }()

  /// True for each pair of first bytes, the first in the higher half, with which a token begins. It
  /// rules out most words.
  public static let begins: [Bool] = {
    var table = [Bool](repeating: false, count: 1 << 16)
    for beginning in byFirst.joined() {
      table[Int(beginning.prefix[0]) << 8 | Int(beginning.prefix[1])] = true
    }
    return table
  }()

  /// The number of different characters that a token has at least. One with fewer is a placeholder.
  private static let variety = 6

  /// Returns the form of the token that begins at an index, and its end, if its characters are exactly those
  /// that the service issues. Returns nil if no such token begins there.
  public static func exact(
    in text: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> (form: TokenForm, end: Int)? {
    // `api-key-…` is a name.
    if start > 0, TokenAlphabet.url.contains(text[start - 1]) { return nil }
    return first(in: text, at: start) { form, tail in
      let end = form.exact.end(in: text, from: tail)
      return end.flatMap { Set(text[tail..<$0]).count >= variety ? $0 : nil }
    }
  }

  /// Returns the end of the token that begins at an index, if it has at least the loose form.
  public static func looseEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    first(in: text, at: start) { $0.loose.end(in: text, from: $1) }?.end
  }

  private static func first(
    in text: UnsafeBufferPointer<UInt8>, at start: Int, _ end: (TokenForm, Int) -> Int?
  ) -> (form: TokenForm, end: Int)? {
    for beginning in byFirst[Int(text[start])] {
      let tail = start + beginning.prefix.count
      guard tail < text.count, text[start..<tail].elementsEqual(beginning.prefix),
        let end = end(beginning.form, tail)
      else { continue }
      return (beginning.form, end)
    }
    return nil
  }

  /// Returns true if a text begins as a value that its service documents as public.
  ///
  /// - Parameter orRestricted: True if keys that may be restricted to an app count as public.
  public static func isPublic(_ text: String, orRestricted: Bool = false) -> Bool {
    all.contains { form in
      (form.use == .published || orRestricted && form.use == .restricted)
        && form.prefixes.contains {
          text.hasPrefix($0) && form.loose.isAtLeast(text.utf8.dropFirst($0.utf8.count))
        }
    }
  }
}

extension TokenForm.Tail {
  /// Returns true if a text begins with as many of the characters as the form has at least.
  func isAtLeast(_ text: some Sequence<UInt8>) -> Bool {
    text.prefix(count.lowerBound).count(where: alphabet.contains) == count.lowerBound
  }

  /// Returns the end of the characters, if there are as many as the form has.
  func end(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var end = start
    while end < text.count, end - start <= count.upperBound, alphabet.contains(text[end]) {
      end += 1
    }
    // The end of a sentence is not part of a token.
    if alphabet == .dotted || alphabet == .path {
      while end > start, text[end - 1] == 0x2E { end -= 1 }
    }
    return count.contains(end - start) ? end : nil
  }
}
