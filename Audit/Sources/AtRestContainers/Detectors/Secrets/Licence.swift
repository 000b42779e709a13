/// Recognises the licences of software, whose authors' addresses are no secrets of an app.
enum Licence {
  /// Phrases of common licences, in lower case.
  private static let phrases = [
    "permission is hereby granted", "licensed under", "redistribution and use",
    "general public license", "apache license", "mozilla public license", "without warrant",
    "freedom to use, copy",
  ].map { Array($0.utf8) }
  private static let notices = ["copyright", "(c) "].map { Array($0.utf8) }
  /// The maximum size of a text in bytes that a notice makes one about copyright.
  private static let noticeLimit = 1024

  private static let phraseIndex = index(phrases)
  private static let noticeIndex = index(notices)

  /// Returns true if the text contains a phrase of a licence, or is a copyright notice.
  static func contains(_ text: UnsafeRawBufferPointer) -> Bool {
    isLicence(text) || text.count < noticeLimit && occurs(notices, noticeIndex, in: text)
  }

  /// Returns true if the text contains a phrase of a licence.
  static func isLicence(_ text: UnsafeRawBufferPointer) -> Bool {
    occurs(phrases, phraseIndex, in: text)
  }

  private static func index(_ phrases: [[UInt8]]) -> AnchorIndex {
    AnchorIndex(
      phrases.indices.map { number in
        let offset = AnchorIndex.rarest(in: phrases[number], to: phrases[number].count - 4)
        return (
          AnchorIndex.word(phrases[number], at: offset), .init(variant: number, offset: offset)
        )
      }, foldsCase: true)
  }

  private static func occurs(
    _ phrases: [[UInt8]], _ index: AnchorIndex, in text: UnsafeRawBufferPointer
  ) -> Bool {
    text.withMemoryRebound(to: UInt8.self) { text in
      var isFound = false
      index.scan(text, differences: false) { place, entry in
        let phrase = phrases[entry.variant]
        let start = place - entry.offset
        guard !isFound, start >= 0, start + phrase.count <= text.count else { return }
        isFound = phrase.indices.allSatisfy { ASCII.lower(text[start + $0]) == phrase[$0] }
      }
      return isFound
    }
  }
}
