import AtRestFormats
import Testing

@Suite struct KeyboardLexiconTests {
  private static let images = [
    "keyboard.keyboardLexicon.belkasoft_ctf6_ios_device1",
    "keyboard.keyboardLexicon.josh_ios15_ffs", "keyboard.keyboardLexicon.mvs_ios_2023",
  ]

  private func words(_ bytes: [UInt8]) throws -> ([KeyboardLexicon.Word], [Skip]) {
    var words: [KeyboardLexicon.Word] = []
    let skipped = try KeyboardLexicon.read(ByteSource(bytes), path: "k") { words.append($0) }
    return (words, skipped)
  }

  /// The other tool lists printable runs of three or more characters. Some begin with bytes that
  /// record the word's use, or lack its first letters.
  @Test(arguments: images) func realFilesGiveTheWordsOfAnotherTool(_ image: String) throws {
    let file = try #require(try Fixture.image(image).first)
    let (words, skipped) = try words(file.bytes)
    #expect(skipped.isEmpty)
    let texts = Set(words.map(\.text))
    let golden = try #require(try Fixture.rows(image).first?.first as? String)
    let runs = golden.split(separator: ",").map(String.init)
    let unmatched = runs.filter { run in
      // If the bytes that record a learned word's use contain a control character, the tool lists
      // `N` and the rest alone.
      !run.hasPrefix("N") && !texts.contains { run.hasSuffix($0) }
    }
    // One run is the use count of a word, and not a word itself.
    #expect(unmatched.count <= 1, "\(unmatched)")
    for word in words {
      let bytes = Array(word.text.utf8)
      #expect(Array(file.bytes[word.offset..<word.offset + bytes.count]) == bytes)
    }
  }

  @Test func theUsersOwnWordsAreTold() throws {
    let file = try #require(try Fixture.image(Self.images[1]).first)
    let (words, _) = try words(file.bytes)
    #expect(words.count == 482)
    #expect(words.first { $0.text == "trashws" }?.isLearned == true)
    #expect(words.first { $0.text == "about" }?.isLearned == false)
  }

  @Test func anUnknownVersionGivesItsTexts() throws {
    let bytes = Array("DynamicDictionary-4\0".utf8) + [1, 2, 3] + Array("hello\0\u{1}world\0".utf8)
    let (words, skipped) = try words(bytes)
    #expect(words.map(\.text) == ["hello", "world"])
    #expect(words.map(\.offset) == [23, 30])
    #expect(words.allSatisfy { $0.isLearned == nil })
    #expect(skipped.count == 1)
  }

  @Test func anotherFileIsRefused() {
    #expect(throws: FormatError.self) { try words(Array("hello".utf8)) }
  }

  @Test func brokenFilesAreSurvived() throws {
    let file = try #require(try Fixture.image(Self.images[0]).first)
    Hostile.forms(of: file.bytes) { _ = try? words($0) }
  }
}
