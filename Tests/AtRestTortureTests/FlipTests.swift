import Foundation
import Testing

/// Bits of the files are flipped, byte by byte, and every item is read after each flip. It is
/// either the right one, or it is refused as damaged.
@Suite struct FlipTests {
  /// The worker writes in capitals the results that must never occur.
  private static func check(_ counts: [String: Int], _ file: String) {
    for (outcome, count) in counts.sorted(by: { $0.key < $1.key }) {
      print("flip \(file): \(outcome) \(count)")
      let isForbidden = outcome.contains { $0.isUppercase }
      #expect(!isForbidden, "\(file): \(outcome), \(count) times")
    }
    #expect(counts["flips", default: 0] > 40)
  }

  private static func flip(_ file: String, workers count: Int = 1) throws {
    let first = try Scratch()
    #expect(try Worker("make", first).finish().status == 0)
    let masks = Worker.isFull ? "all" : "turn"
    var counts: [String: Int] = [:]
    let scratches = try (0..<count).map { $0 == 0 ? first : try first.copy() }
    let workers = try scratches.enumerated().map { number, scratch in
      try Worker(
        "flip", scratch, file, "\(number)", "\(count)", masks,
        scratch.folder.appendingPathComponent("progress").path)
    }
    for worker in workers {
      let (lines, signal, status) = worker.finish()
      #expect(signal == 0 && status == 0, "\(file): signal \(signal), \(lines)")
      for line in lines {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        guard words.count >= 3, words[0] == "count", let count = Int(words[2]) else { continue }
        counts[words[1], default: 0] += count
        if words[1].contains(where: \.isUppercase) { print("flip \(file): \(line)") }
      }
    }
    // The folders are removed with their owners, which the optimiser would release after their last
    // use.
    withExtendedLifetime((first, scratches)) {}
    check(counts, file)
  }

  @Test func everyByteOfTheKeybag() throws { try Self.flip("keybag") }
  @Test func everyByteOfTheDeviceKey() throws { try Self.flip("device.key") }
  @Test func everyUsedByteOfTheDatabase() throws { try Self.flip("keychain.db", workers: 2) }
}
