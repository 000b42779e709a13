import AtRestFormats
import Testing

@testable import AtRestContainers

/// The values of a container that may be keys, if there are more than can be kept.
@Suite struct KeyCandidatesTests {
  private static let count = 63_000

  /// Adds texts, of which one of 10,000 has the name of a passphrase, in an order.
  private func candidates(_ numbers: some Sequence<Int>) -> KeyCandidates {
    let candidates = KeyCandidates()
    for number in numbers {
      let name = number % 10_000 == 0 ? "password" : "word"
      candidates.look(
        at: Item(Locator("a.json", [.keyPath("\(number)")]), name: name, .text("word \(number)")))
    }
    return candidates
  }

  @Test func theMostLikelyAreKept() {
    let candidates = candidates(0..<Self.count)
    let kept = candidates.passphrases
    #expect(
      kept.prefix(7).map { String(decoding: $0.bytes, as: UTF8.self) } == [
        "word 0", "word 10000", "word 20000", "word 30000", "word 40000", "word 50000",
        "word 60000",
      ])
    #expect(kept.count < 62_500 && kept.count >= 50_000)
    #expect(kept.count + candidates.dropped.passphrases == Self.count)
  }

  /// Values arrive from several threads, in any order.
  @Test func theOrderOfTheWalkDoesNotMatter() {
    let (first, second) = (candidates(0..<Self.count), candidates((0..<Self.count).reversed()))
    let kept = first.passphrases.prefix(50_000).map(\.bytes)
    #expect(kept == second.passphrases.prefix(50_000).map(\.bytes))
    #expect(
      kept.dropFirst(7).elementsEqual(kept.dropFirst(7).sorted { $0.lexicographicallyPrecedes($1) })
    )
  }
}
